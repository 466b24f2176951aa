/** Forms for who lives in the town: moving in, and moving away. */

import { element } from "../../dom.js";
import { fill, gettext } from "../../translation.js";
import { choiceField, textField } from "./fields.js";
import { openForm } from "./form_dialog.js";
import { homeOptions } from "./inner_life.js";
import { lookField } from "./fields.js";
/** @import { Actor } from "../actor.js" */
/** @import { Persona } from "../../dom.js" */

const LONGEST_NAME = 60;
const USUAL_LIFE = "goes to bed around 11pm, wakes up around 7am and eats dinner around 6pm."; // for the engine: not translated
const LONGEST_WORDS = 500;

/** @param {Actor} actor */
export async function openMovingIn(actor) {
  const [looks, free] = await Promise.all([actor.looks(), actor.freeBeds()]);
  const homes = homeOptions(free);
  if (!homes.length) throw new Error(gettext("No bed is free. Let someone move away first."));
  const words = (/** @type {Parameters<typeof textField>[0]} */ more) => textField({ rows: 2, maxlength: LONGEST_WORDS, required: true, ...more });
  const fields = [
    textField({
      name: "name",
      label: gettext("First and last name"),
      maxlength: LONGEST_NAME,
      required: true,
      autofocus: true,
      placeholder: "Dora Quill",
    }),
    textField({
      name: "age",
      label: gettext("Age"),
      type: "number",
      min: 0,
      max: 150,
      value: "34",
      required: true,
      inputmode: "numeric",
    }),
    lookField(looks, actor.page.static),
    choiceField({ name: "home", label: gettext("Home"), required: true }, homes),
    words({ name: "innate", label: gettext("Traits, in a few words"), rows: 1, placeholder: gettext("curious, patient, dry") }),
    words({
      name: "learned",
      label: gettext("Who is it?"),
      placeholder: gettext("Dora Quill binds books and knows everything about paper."),
    }),
    words({
      name: "currently",
      label: gettext("What is on their mind?"),
      placeholder: gettext("Dora Quill is looking for a shop window to show her books in."),
    }),
    words({ name: "lifestyle", label: gettext("When do they sleep and eat?"), value: USUAL_LIFE }),
  ];
  const title = gettext("Someone moves in");
  const note = gettext("They wake up in their bed and plan their day.");
  return openForm({ title, note, action: gettext("Move in"), fields, className: "roomy" }, (form) => {
    const values = Object.fromEntries([...form].map(([field, value]) => [field, value.trim()]));
    const text = fill(gettext("%(name)s moves in"), { name: values.name });
    return actor.intervene({ kind: "resident_in", ...values, age: Number(values.age) }, text);
  });
}

/** @param {Actor} actor  @param {Persona} persona */
export function openMovingAway(actor, persona) {
  const note = fill(
    gettext("%(name)s leaves the town for good, and is remembered by the others. The name stays taken."),
    { name: persona.name },
  );
  const title = fill(gettext("Let %(name)s move away?"), { name: persona.name });
  const fields = [element("input", { type: "hidden", name: "who" })];
  return openForm({ title, note, action: gettext("Move away"), fields, className: "grave" }, () => {
    const text = fill(gettext("%(name)s moves away"), { name: persona.name });
    return actor.intervene({ kind: "resident_out", who: persona.name }, text);
  });
}
