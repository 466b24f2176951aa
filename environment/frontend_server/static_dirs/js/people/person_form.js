/** What a form says about a person: the lines that were changed, and a line below each field that is wrong. */

import { element, setText } from "../dom.js";
import { fill, gettext, language } from "../translation.js";

/** @typedef {HTMLInputElement|HTMLTextAreaElement|HTMLSelectElement} Control */

let made = 0; // lines need ids

export class PersonForm {
  /** @param {HTMLElement} box  @param {() => void} onChange */
  constructor(box, onChange) {
    this.box = box;
    /** @type {Map<string, Control>} */
    this.fields = new Map([...box.querySelectorAll("[data-field]")].map((field) => /** @type {[string, Control]} */ ([field.dataset.field, field])));
    this.before = this.values;
    box.addEventListener("input", (event) => {
      const field = /** @type {Control} */ (event.target);
      if (field.hasAttribute("aria-invalid")) complain(field, faultOf(field));
      onChange();
    });
  }

  /** What the fields say, without blanks around it. @returns {Record<string, string>} */
  get values() {
    return Object.fromEntries([...this.fields].map(([name, field]) => [name, field.value.trim()]));
  }

  /** The lines that differ from those that the page was opened with: pairs of name and text. @returns {Array<[string, string]>} */
  get changes() {
    return Object.entries(this.values).filter(([name, now]) => now !== this.before[name]);
  }

  /**
   * Shows what is wrong. Fields that are as they were are not looked at: the engine has taken them before.
   * @param {{all?: boolean}} options  `all`: look at them, too
   * @returns {?Control} the first field that is wrong
   */
  check({ all = false } = {}) {
    const looked = [...this.fields].filter(([name]) => all || this.values[name] !== this.before[name]);
    for (const [, field] of looked) complain(field, faultOf(field));
    return looked.map(([, field]) => field).find((field) => field.hasAttribute("aria-invalid")) ?? null;
  }
}

/** Why a field cannot be taken; empty if it can. @param {Control} field */
function faultOf(field) {
  const text = field.value.trim();
  const { validity } = field;
  if (field.type === "number" && !(validity.valid && text)) {
    return fill(gettext("Write a whole number from %(least)s to %(most)s."), { least: field.getAttribute("min"), most: field.getAttribute("max") });
  }
  if (field.required && !text) return gettext("This is empty. Write something.");
  const most = Number(field.getAttribute("maxlength"));
  if (most && text.length > most) return fill(gettext("At most %(most)s characters, please."), { most: most.toLocaleString(language) });
  return "";
}

/** Shows a line below a field, which screen readers read with it. @param {Control} field  @param {string} text */
export function complain(field, text) {
  const box = field.closest(".field");
  const line = box.querySelector(".wrong") ?? box.appendChild(element("p", { class: "wrong", id: `wrong-${(made += 1)}` }));
  setText(line, text);
  line.hidden = !text;
  if (text) {
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", line.id);
  } else {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
}
