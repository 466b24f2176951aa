/** Fields of forms: a label, the control, and a hint that screen readers read with it. */

import { element } from "../../dom.js";
import { fill, gettext } from "../../translation.js";

let made = 0; // hints need ids

/**
 * A text field; of several rows with `rows`.
 * @typedef {Record<string, string|number|boolean|null|undefined>} Attributes
 * @param {{name: string, label: string, value?: string, hint?: string, rows?: number, autocomplete?: string} & Attributes} field
 *   and further attributes of the control
 */
export function textField({ name, label, value = "", hint = "", rows = 0, ...more }) {
  const control = rows
    ? element("textarea", { name, rows, ...more })
    : element("input", { name, type: "text", ...more });
  control.setAttribute("autocomplete", more.autocomplete ?? "off");
  control.value = value;
  return labelled(label, control, hint);
}

/**
 * A list to choose from.
 * @param {{name: string, label: string, value?: ?string, hint?: string, required?: boolean}} field
 * @param {Array<[string, string]>|Map<string, Array<[string, string]>>} options  pairs of value and text; a map has
 *   the headings of groups as keys
 */
export function choiceField({ name, label, value = null, hint = "", ...more }, options) {
  const control = element("select", { name, ...more });
  const option = (/** @type {[string, string]} */ [key, text]) => element("option", { value: key, selected: key === value }, text);
  if (options instanceof Map)
    control.append(
      ...[...options].map(([group, pairs]) => element("optgroup", { label: group }, ...pairs.map(option))),
    );
  else control.append(...options.map(option));
  return labelled(label, control, hint);
}

/**
 * A few choices, all visible.
 * @param {{name: string, label: string, value?: string, className?: string}} field
 * @param {Array<[string, string|Node]>} options  pairs of value and what is shown
 */
export function radioField({ name, label, value, className = "" }, options) {
  const choices = options.map(([key, shown]) =>
    element("label", {}, element("input", { type: "radio", name, value: key, checked: key === value }), " ", shown),
  );
  return element("fieldset", { class: `choices ${className}`.trim() }, element("legend", {}, label), ...choices);
}

/** A box to tick. @param {{name: string, label: string, checked?: boolean}} field */
export function checkField({ name, label, checked = false }) {
  return element("label", { class: "check" }, element("input", { type: "checkbox", name, checked }), " ", label);
}

/**
 * @param {string} label  @param {HTMLInputElement|HTMLTextAreaElement|HTMLSelectElement} control
 * @param {string} hint
 */
function labelled(label, control, hint) {
  const mark = control.required ? element("span", { class: "mark", "aria-hidden": "true" }, " *") : null; // read as required
  const box = element("label", { class: "field" }, element("span", { class: "label" }, label, mark), control);
  if (!hint) return box;
  const id = `hint-${(made += 1)}`;
  control.setAttribute("aria-describedby", id);
  return element("div", { class: "hinted" }, box, element("p", { class: "hint", id }, hint));
}

/** @typedef {{look: string, sprite: string}} Look */

/**
 * The choice of a look: pictures of figures as they walk through the town.
 * @param {Look[]} looks  response of /looks/  @param {string} base of static files
 */
export function lookField(looks, base) {
  const options = looks.map(({ look, sprite }, place) => {
    const picture = element("img", {
      src: `${base}assets/characters/profile/${sprite}.png`,
      alt: fill(gettext("Look %(number)s"), { number: place + 1 }),
      loading: "lazy",
      width: 32,
      height: 32,
    });
    return /** @type {[string, Node]} */ ([look, picture]);
  });
  return radioField({ name: "look", label: gettext("Look"), value: looks[0]?.look, className: "looks" }, options);
}
