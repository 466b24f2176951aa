/** Dialogs in which a study is looked at before it runs: a comparison that is repeated, and a study that goes on. */

import { textField } from "../acting/forms/fields.js";
import { openForm } from "../acting/forms/form_dialog.js";
import { element, setText } from "../dom.js";
import { allow } from "../running/menu.js";
import { codeOf } from "../running/sim_code.js";
import { gettext } from "../translation.js";
import { agreeText } from "./estimate_words.js";
import { showFieldFaults } from "./field_faults.js";
import { StudyCheckBox } from "./study_check.js";
import { runStudy } from "./study_requests.js";
/** @import { Estimate } from "./estimate_words.js" */
/** @import { StudyContent, StudyFault } from "./study_requests.js" */

const LONGEST_NAME = 40; // characters, as in the engine
const MOST_SEEDS = 200; // of a study that a page sends, as in the engine

/** The field for what all runs of a study may cost. */
export function budgetField() {
  return textField({ name: "budget", label: gettext("Most dollars for all runs"), type: "number", min: 0, step: "any", inputmode: "decimal", hint: gettext("Only models cost money; your own limits hold, too.") });
}

/** Which form names of studies have. */
export const nameForm = () => gettext("Letters, digits, - and _.");

/** The field for how many seeds each arm is run with. @param {string} value  @param {string} hint */
export function seedsField(value, hint) {
  return textField({ name: "seeds", label: gettext("Seeds"), value, type: "number", min: 1, max: MOST_SEEDS, required: true, inputmode: "numeric", hint });
}

/** @param {HTMLElement} dialog  @returns {HTMLElement} */
function sendButton(dialog) {
  return dialog.querySelector("[type=submit]");
}

/**
 * Makes a check that lets a button be pressed once it is known what the study will take. The button says what is paid.
 * @param {string} action  the text of the button  @param {() => HTMLElement} button
 * @param {(faults: StudyFault[]) => StudyFault[]} [place]  as StudyCheckBox has it
 */
export function checkedBefore(action, button, place) {
  const settle = (/** @type {boolean} */ isKnown, /** @type {?Estimate} */ estimate) => {
    allow(button(), isKnown);
    if (isKnown) setText(button(), agreeText(action, estimate));
  };
  return new StudyCheckBox(settle, place);
}

/**
 * Offers to repeat a comparison. Goes to the page of the study once it runs.
 * @param {StudyContent} study  @param {string[]} sides  names of the compared runs
 */
export function openRepetition(study, sides) {
  const action = gettext("Start");
  const check = checkedBefore(action, () => sendButton(dialog));
  const seedsChoice = seedsField(String(study.seeds), gettext("Both sides are run with each seed. Fewer than six cannot tell a difference from chance."));
  const nameField = textField({ name: "name", label: gettext("Name of the study"), value: codeOf(sides.join("-")).slice(0, LONGEST_NAME), maxlength: LONGEST_NAME, pattern: "[\\w\\-]+", title: nameForm(), required: true });
  const fields = [seedsChoice, nameField, budgetField()].map((field) => element("div", { "data-path": "" }, field));
  const [seeds, name, budget] = fields.map((field) => field.querySelector("input"));
  const wanted = () => ({ ...study, seeds: Number(seeds.value), ...(budget.value && { budget: { dollars: Number(budget.value) } }) });
  const look = () => (showFieldFaults(seeds.form) ? check.later(name.value, wanted()) : check.refuse());
  for (const input of [seeds, name, budget]) input.addEventListener("input", look);
  const note = gettext("Both sides run again from where they came apart, each with the same seeds, in the background. What differs stays as it was.");
  const dialog = openForm({ title: gettext("Repeat this comparison"), note, action, fields: [...fields, check.box], className: "roomy" }, async () => {
    await runStudy(name.value, wanted());
    location.assign(`/study/${encodeURIComponent(name.value)}/`);
  });
  check.now(name.value, wanted());
  return dialog;
}

/**
 * Offers to go on with a study, or to run again what has failed.
 * @param {string} name  @param {{retry?: boolean, onBegun: () => void}} options
 */
export function openContinuation(name, { retry = false, onBegun }) {
  const action = retry ? gettext("Run again") : gettext("Go on");
  const check = checkedBefore(action, () => sendButton(dialog));
  const title = retry ? gettext("Run again what has failed") : gettext("Go on with the study");
  const dialog = openForm({ title, action, fields: [check.box], className: "roomy" }, async () => {
    await runStudy(name, null, { retry });
    onBegun();
  });
  check.now(name, null);
  return dialog;
}
