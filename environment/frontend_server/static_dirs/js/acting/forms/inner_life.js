/** Forms for what goes on in a persona: a whisper, a planted memory, and the lines of its character. */

import { element } from "../../dom.js";
import { whereabouts } from "../places.js";
import { fill, gettext, ngettext } from "../../translation.js";
import { choiceField, textField } from "./fields.js";
import { openDialog, openForm } from "./form_dialog.js";
/** @import { Actor } from "../actor.js" */
/** @import { Persona } from "../../dom.js" */

const LONGEST_WHISPER = 500;
const LONGEST_MEMORY = 1000;
const LONGEST_TRAIT = 2000;

/** @param {Actor} actor  @param {Persona} persona */
export function openWhisper(actor, persona) {
  const name = firstName(persona.name);
  const field = textField({
    name: "words",
    label: fill(gettext("A thought for %(name)s"), { name }),
    hint: fill(gettext("%(name)s takes it for a thought of their own, remembers it, and may act on it."), { name }),
    placeholder: gettext("You want to run for mayor"),
    rows: 3,
    maxlength: LONGEST_WHISPER,
    required: true,
    autofocus: true,
  });
  const title = fill(gettext("Whisper to %(name)s"), { name: persona.name });
  return openForm({ title, note: actor.languageNote, action: gettext("Whisper"), fields: [field] }, (form) => {
    const words = form.get("words").trim();
    const text = fill(gettext("Whisper to %(name)s: %(words)s"), { name, words });
    return actor.intervene({ kind: "whisper", who: persona.name, words }, text);
  });
}

/** @param {Actor} actor  @param {Persona} persona */
export function openMemory(actor, persona) {
  const name = firstName(persona.name);
  const words = textField({
    name: "words",
    label: gettext("The memory, word for word"),
    hint: fill(gettext("In the third person, as in the memory stream: “%(name)s has seen a fox in the park.”"), {
      name,
    }),
    rows: 3,
    maxlength: LONGEST_MEMORY,
    required: true,
    autofocus: true,
  });
  const weight = textField({
    name: "poignancy",
    label: gettext("How much it matters, from 1 to 10"),
    value: "5",
    type: "number",
    min: 1,
    max: 10,
    required: true,
    inputmode: "numeric",
  });
  const title = fill(gettext("Plant a memory in %(name)s"), { name: persona.name });
  return openForm({ title, action: gettext("Plant it"), fields: [words, weight] }, (form) => {
    const planted = form.get("words").trim();
    const text = fill(gettext("A memory for %(name)s: %(words)s"), { name, words: planted });
    const fields = { kind: "memory_add", who: persona.name, words: planted, poignancy: Number(form.get("poignancy")) };
    return actor.intervene(fields, text);
  });
}

/**
 * Opens the form of a character. Each line that was changed is a request of its own.
 * @param {Actor} actor  @param {Persona} persona
 */
export async function openCharacter(actor, persona) {
  const [residents, free] = await Promise.all([actor.residents(), actor.freeBeds()]);
  const character = residents.find(({ name }) => name === persona.name);
  if (!character) throw new Error(fill(gettext("%(name)s does not live here any more."), { name: persona.name }));
  const labels = traitLabels();
  const fields = Object.keys(labels).map((field) => traitField(field, labels[field], { character, free }));
  const title = fill(gettext("The character of %(name)s"), { name: persona.name });
  const note = gettext("What you change here is true from the next step on.");
  const form = openForm({ title, note, action: gettext("Change"), fields, className: "roomy" }, async (values) => {
    const changes = Object.keys(labels)
      .map((field) => ({ field, was: String(character[field] ?? ""), now: String(values.get(field) ?? "").trim() }))
      .filter(({ was, now }) => now && now !== was);
    if (!changes.length) throw new Error(gettext("Nothing is different yet."));
    for (const { field, now } of changes) {
      const text = `${persona.name}: ${labels[field]}`;
      await actor.intervene({ kind: "trait", who: persona.name, field, now }, text);
      character[field] = now; // if a later line is refused, this one is not sent again
    }
    if (changes.some(({ was }) => was)) showChanges(persona, changes, labels);
  });
  return form;
}

/** Lines of a character that can be changed, in the order of the form. @returns {Record<string, string>} */
function traitLabels() {
  return {
    currently: gettext("Currently"),
    innate: gettext("Innate"),
    learned: gettext("Learned"),
    lifestyle: gettext("Lifestyle"),
    daily_plan_req: gettext("Every day"),
    age: gettext("Age"),
    living_area: gettext("Home"),
  };
}

/**
 * @param {string} field  @param {string} label
 * @param {{character: Record<string, unknown>, free: Map<string, number>}} town
 */
function traitField(field, label, { character, free }) {
  const value = String(character[field] ?? "");
  const placeholder = value ? "" : gettext("as it is");
  if (field === "age")
    return textField({ name: field, label, value, placeholder, type: "number", min: 0, max: 150, inputmode: "numeric" });
  if (field === "living_area")
    return choiceField({ name: field, label, value }, [...(value ? [] : [/** @type {[string, string]} */ (["", placeholder])]), ...homeOptions(free, value)]);
  return textField({ name: field, label, value, placeholder, rows: value.length > 60 ? 3 : 1, maxlength: LONGEST_TRAIT });
}

/**
 * Homes with a free bed, and the present one.
 * @param {Map<string, number>} free beds by address  @returns {Array<[string, string]>}
 */
export function homeOptions(free, present = "") {
  const homes = new Map(present ? [[present, null]] : []);
  for (const [home, beds] of free) if (beds > 0 && home !== present) homes.set(home, beds);
  return [...homes].map(([home, beds]) => [
    home,
    beds === null ? whereabouts(home) : `${whereabouts(home)} (${bedsText(beds)})`,
  ]);
}

/** @param {number} count */
function bedsText(count) {
  return fill(ngettext("%(count)s free bed", "%(count)s free beds", count), { count });
}

/**
 * Shows what each line was and is now.
 * @param {Persona} persona  @param {Array<{field: string, was: string, now: string}>} changes
 * @param {Record<string, string>} labels
 */
function showChanges(persona, changes, labels) {
  const shown = (/** @type {string} */ field, /** @type {string} */ text) => (field === "living_area" && text ? whereabouts(text) : text || "–");
  const rows = changes.flatMap(({ field, was, now }) => [
    element("dt", {}, labels[field]),
    element("dd", {}, element("del", {}, shown(field, was)), " → ", element("ins", {}, shown(field, now))),
  ]);
  const close = element("button", { type: "button", class: "button", autofocus: true }, gettext("Good"));
  const title = fill(gettext("%(name)s has changed"), { name: persona.name });
  const dialog = openDialog(
    { title, className: "form" },
    element("dl", { class: "changes" }, ...rows),
    element("p", { class: "ends" }, close),
  );
  close.addEventListener("click", () => dialog.close());
}

/** @param {string} name */
function firstName(name) {
  return name.split(" ")[0];
}
