/** The form that begins a branch: what is different from here on, how far it runs, and its name. */

import { askEngine } from "../acting/engine.js";
import { checkField, choiceField, textField } from "../acting/forms/fields.js";
import { openForm } from "../acting/forms/form_dialog.js";
import { openEvent } from "../acting/forms/happenings.js";
import { offeredKinds, openKind } from "../acting/forms/kind_form.js";
import { openCharacter, openMemory, openWhisper } from "../acting/forms/inner_life.js";
import { openMovingAway, openMovingIn } from "../acting/forms/moving.js";
import { openObjects } from "../acting/forms/object_list.js";
import { openPeople } from "../acting/forms/people_choice.js";
import { PlaceMenu } from "../acting/forms/place_menu.js";
import { openRule } from "../acting/forms/town_rule.js";
import { costNote } from "../running/run_words.js";
import { freeCode } from "../running/sim_code.js";
import { element } from "../dom.js";
import { fill, gettext, ngettext } from "../translation.js";
import { freeName } from "./branch_names.js";
import { DraftActor } from "./draft_actor.js";
/** @import { Kind } from "../acting/forms/kind_form.js" */
/** @import { Actor } from "../acting/actor.js" */
/** @import { TextValues } from "../acting/forms/form_dialog.js" */
/** @import { ObjectMap } from "../acting/forms/object_list.js" */
/** @import { Draft } from "./draft_actor.js" */
/** @import { Page, Persona } from "../dom.js" */

const HOURS = [1, 3, 6, 12, 24]; // choices for how far a branch runs
const LONGEST_TITLE = 80; // characters, as in the engine

/**
 * @typedef {{step: number, last: number, secondsPerStep: number, timeOf: (step: number) => string, text: string}} BranchMoment
 *   `last` is the step at which the original ends
 * @typedef {{people: Persona[], chosen: ?string, models: string, onBegun: (name: string) => void, onFault: (error: Error) => void}} BranchTown
 *   `chosen` is the person on the card
 * @param {Page} page  @param {BranchMoment} moment  @param {BranchTown} town
 */
export function openBranchForm(page, moment, town) {
  const list = element("ul", { class: "differences" });
  const none = element("p", { class: "note" }, gettext("Nothing yet: it will go the way of the original."));
  const time = { secondsPerStep: moment.secondsPerStep, timeOf: moment.timeOf };
  const draft = new DraftActor(page, time, { step: moment.step, onChange: () => show() });
  const show = () => {
    none.hidden = draft.rows.length > 0;
    list.replaceChildren(...draft.rows.map((row) => differenceItem(row, () => draft.remove(row))));
    if (!named) title.value = titleOf(draft.rows);
  };
  let named = false; // whether the user has typed a title, which then no longer follows the differences
  const titleField = textField({ name: "title", label: gettext("Name of the branch"), maxlength: LONGEST_TITLE, required: true });
  const title = titleField.querySelector("input");
  title.addEventListener("input", () => (named = title.value !== ""));
  const until = choiceField({ name: "until", label: gettext("Run it") }, lengths(moment));
  const twin = twinField();
  const recorded = page.store === "compressed"; // maybe by earlier rules
  const offerTwin = () => (twin.querySelector("input").checked = recorded || Number(until.querySelector("select").value) > moment.last);
  until.addEventListener("change", offerTwin);
  offerTwin();
  const fields = [
    element("fieldset", { class: "choices" }, element("legend", {}, gettext("What is different?")), none, list, deeds(draft, town)),
    until,
    titleField,
    element("details", {}, element("summary", {}, gettext("More choices")), seedField(), twin),
  ];
  const stays = fill(gettext("%(moment)s. The original stays as it is."), { moment: moment.text });
  const note = [stays, costNote(town.models)].filter(Boolean).join(" ");
  const dialog = openForm({ title: gettext("Branch here"), note, action: gettext("Branch"), fields, className: "roomy" }, (values) =>
    begin(page, moment, { values, rows: draft.rows }).then(town.onBegun),
  );
  show();
  return dialog;
}

/**
 * Asks for the branch, and for an untouched one beside it if that is wanted.
 * @param {Page} page  @param {BranchMoment} moment  @param {{values: TextValues, rows: Draft[]}} wanted
 * @returns {Promise<string>} its name
 */
async function begin(page, { step }, { values, rows }) {
  const title = values.get("title").trim();
  const { name, taken } = await freeName(title, "branch");
  const seed = values.get("seed").trim();
  const request = {
    request: "branch",
    from: `${page.sim_code}@${step}`,
    store: page.store ?? "saved",
    name,
    title,
    until: Number(values.get("until")),
    interventions: rows.map(({ fields }) => fields),
    ...(seed && { seed: Number(seed) }),
  };
  const text = fill(gettext("Branch: %(title)s"), { title });
  await askEngine(request, { text });
  if (values.get("twin") && (rows.length || seed)) await askEngine(untouched(request, [...taken, name]), { text });
  return name;
}

/**
 * @param {{request: string, from: string, store: string, name: string, title: string, until: number}} branch
 * @param {string[]} taken
 */
function untouched({ request, from, store, name, title, until }, taken) {
  const twin = fill(gettext("Untouched: %(title)s"), { title });
  return { request, from, store, until, name: freeCode(`${name}_untouched`, taken), title: twin.slice(0, LONGEST_TITLE) };
}

/**
 * How far a branch can run: to the end of the original, or a few hours.
 * @param {BranchMoment} moment  @returns {Array<[string, string]>}
 */
function lengths({ step, last, secondsPerStep, timeOf }) {
  const after = (/** @type {number} */ hours) => step + Math.round((hours * 3600) / secondsPerStep);
  /** @type {Array<[string, string]>} */
  const original = last > step ? [[String(last), fill(gettext("to the end of the original (%(time)s)"), { time: timeOf(last) })]] : [];
  /** @type {Array<[string, string]>} */
  const hours = HOURS.map((count) => [
    String(after(count)),
    fill(ngettext("for %(count)s hour (until %(time)s)", "for %(count)s hours (until %(time)s)", count), { count, time: timeOf(after(count)) }),
  ]);
  return [...original, ...hours];
}

/**
 * Buttons of everything that can be different.
 * @param {DraftActor} draft  @param {Pick<BranchTown, "people"|"chosen"|"onFault">} town
 */
export function deeds(draft, { people, chosen, onFault }) {
  const chosenFirst = people.toSorted((one, other) => Number(other.name === chosen) - Number(one.name === chosen));
  /** @param {(actor: Actor, persona: Persona) => unknown} open  @param {string} title */
  const forSomebody = (open, title) => openPeople(chosenFirst, draft.page.static, { title, onPick: (one) => open(draft, one) });
  const menu = new PlaceMenu(draft, { onFault });
  /** @type {ObjectMap} */
  const town = { menu, nearest: (objects) => objects, look: () => null };
  /** @type {Array<[string, () => unknown]>} */
  const offers = [
    [gettext("Whisper …"), () => forSomebody(openWhisper, gettext("Whisper to …"))],
    [gettext("Plant a memory …"), () => forSomebody(openMemory, gettext("Plant a memory in …"))],
    [gettext("Change an object …"), () => openObjects(draft, town)],
    [gettext("Something happens …"), () => openEvent(draft)],
    [gettext("Edit a character …"), () => forSomebody(openCharacter, gettext("Edit the character of …"))],
    [gettext("Someone moves in …"), () => openMovingIn(draft)],
    [gettext("Someone moves away …"), () => forSomebody(openMovingAway, gettext("Who moves away?"))],
    [gettext("A rule …"), () => openRule(draft, chosenFirst)],
  ];
  const box = element("p", { class: "quick" }, ...offers.map(([text, open]) => deedButton(text, open, onFault)));
  /** @param {Kind} kind */
  const offer = (kind) => deedButton(`${kind.offer.title} …`, () => openKind(draft, kind, chosenFirst), onFault);
  offeredKinds(draft).then((kinds) => box.append(...kinds.map(offer))).catch(onFault);
  return box;
}

/** @param {string} text  @param {() => unknown} open  @param {(error: Error) => void} onFault */
function deedButton(text, open, onFault) {
  const button = element("button", { type: "button", class: "button plain" }, text);
  button.addEventListener("click", async () => {
    try {
      await open();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      onFault(error);
    }
  });
  return button;
}

/** @param {Draft} row  @param {() => void} onRemove */
function differenceItem({ text }, onRemove) {
  const remove = element("button", { type: "button", class: "link", "aria-label": fill(gettext("Remove: %(what)s"), { what: text }) }, gettext("Remove"));
  remove.addEventListener("click", onRemove);
  return element("li", {}, text, " ", remove);
}

function seedField() {
  return textField({
    name: "seed",
    label: gettext("Seed"),
    type: "number",
    min: 0,
    max: 4294967295,
    inputmode: "numeric",
    placeholder: gettext("as in the original"),
    hint: gettext("With another seed, chance falls out differently from here on."),
  });
}

/** For moments after which the original does not go on, or was computed by other rules. */
function twinField() {
  return checkField({ name: "twin", label: gettext("Also an untouched branch, to compare with") });
}

/** Says what is different without its words, which are not for everyone who may watch. @param {Draft[]} rows */
function titleOf([first]) {
  return first ? first.text.split(": ")[0].slice(0, LONGEST_TITLE) : gettext("Another way");
}
