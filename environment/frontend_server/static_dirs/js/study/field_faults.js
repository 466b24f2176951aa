/** What is wrong with the fields of a form, in one line beside each. */

import { element } from "../dom.js";
import { fill, gettext, language } from "../translation.js";

/** @typedef {HTMLInputElement|HTMLTextAreaElement|HTMLSelectElement} Control */

/** Removes all lines. @param {HTMLElement} form */
export function clearFieldFaults(form) {
  for (const shown of form.querySelectorAll(".fault.here")) shown.remove();
  for (const marked of form.querySelectorAll("[aria-invalid]")) marked.removeAttribute("aria-invalid");
}

/** Adds a line to a box, about a control. @param {Element} box  @param {?Element} control  @param {string} says */
export function markFault(box, control, says) {
  box.append(element("p", { class: "fault here" }, says));
  control?.setAttribute("aria-invalid", "true");
}

/** Shows what is wrong with all fields. @param {HTMLFormElement} form  @returns {boolean} whether nothing is */
export function showFieldFaults(form) {
  clearFieldFaults(form);
  const wrong = /** @type {NodeListOf<Control>} */ (form.querySelectorAll(":is(input, textarea, select):invalid"));
  for (const control of wrong) markFault(control.closest(".arm, [data-path]"), control, faultText(control));
  return !wrong.length;
}

/** Controls that have a form tell it in their title. @param {Control} control */
function faultText(control) {
  const { validity } = control;
  if (validity.customError) return control.validationMessage;
  if (validity.patternMismatch) return control.title;
  const [least, most] = ["min", "max"].map((limit) => control.getAttribute(limit));
  if (most) return fill(gettext("A whole number from %(least)s to %(most)s."), { least: shown(least), most: shown(most) });
  if (control instanceof HTMLInputElement && control.type === "number") return fill(gettext("A number, at least %(least)s."), { least: shown(least) });
  return gettext("This is needed.");
}

/** @param {string} limit */
const shown = (limit) => Number(limit).toLocaleString(language);
