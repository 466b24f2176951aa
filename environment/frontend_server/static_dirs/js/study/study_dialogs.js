/** Dialogs in which a study is looked at before it runs: a comparison that is repeated, and a study that goes on. */

import { textField } from "../acting/forms/fields.js";
import { openForm } from "../acting/forms/form_dialog.js";
import { allow } from "../running/menu.js";
import { codeOf } from "../running/sim_code.js";
import { gettext } from "../translation.js";
import { StudyCheckBox } from "./study_check.js";
import { runStudy } from "./study_requests.js";
/** @import { StudyContent } from "./study_requests.js" */

const LONGEST_NAME = 40; // characters, as in the engine
const MOST_SEEDS = 10_000;

/** The field for what all runs of a study may cost. */
export function budgetField() {
  return textField({ name: "budget", label: gettext("Most dollars for all runs"), type: "number", min: 0, step: "any", inputmode: "decimal", hint: gettext("Only models cost money; your own limits hold, too.") });
}

/** @param {HTMLElement} dialog  @returns {HTMLElement} */
function sendButton(dialog) {
  return dialog.querySelector("[type=submit]");
}

/**
 * Offers to repeat a comparison. Goes to the page of the study once it runs.
 * @param {StudyContent} study  @param {string[]} sides  names of the compared runs
 */
export function openRepetition(study, sides) {
  const check = new StudyCheckBox((isKnown) => allow(sendButton(dialog), isKnown));
  const seedsField = textField({ name: "seeds", label: gettext("Seeds"), value: String(study.seeds), type: "number", min: 1, max: MOST_SEEDS, required: true, inputmode: "numeric", hint: gettext("Both sides are run with each seed. Fewer than six cannot tell a difference from chance.") });
  const nameField = textField({ name: "name", label: gettext("Name of the study"), value: codeOf(sides.join("-")).slice(0, LONGEST_NAME), maxlength: LONGEST_NAME, pattern: "[\\w\\-]+", required: true });
  const spending = budgetField();
  const [seeds, name, budget] = [seedsField, nameField, spending].map((field) => field.querySelector("input"));
  const wanted = () => ({ ...study, seeds: Number(seeds.value), ...(budget.value && { budget: { dollars: Number(budget.value) } }) });
  const look = () => (seeds.validity.valid && name.validity.valid && budget.validity.valid ? check.later(name.value, wanted()) : check.cancel());
  for (const input of [seeds, name, budget]) input.addEventListener("input", look);
  const note = gettext("Both sides run again from where they came apart, each with the same seeds, in the background. What differs stays as it was.");
  const dialog = openForm({ title: gettext("Repeat this comparison"), note, action: gettext("Start"), fields: [seedsField, nameField, spending, check.box], className: "roomy" }, async () => {
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
  const check = new StudyCheckBox((isKnown) => allow(sendButton(dialog), isKnown));
  const title = retry ? gettext("Run again what has failed") : gettext("Go on with the study");
  const dialog = openForm({ title, action: retry ? gettext("Run again") : gettext("Go on"), fields: [check.box], className: "roomy" }, async () => {
    await runStudy(name, null, { retry });
    onBegun();
  });
  check.now(name, null);
  return dialog;
}
