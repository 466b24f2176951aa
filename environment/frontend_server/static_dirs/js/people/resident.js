/** Someone who lives in a town. The fields are made when one opens them: there may be a thousand people. */

import { element } from "../dom.js";
import { PersonForm } from "./person_form.js";
/** @import { Control } from "./person_form.js" */

const HOME = "living_area"; // the field with the address of the home

export class Resident {
  /**
   * @param {HTMLDetailsElement} box
   * @param {HTMLTemplateElement} fields
   * @param {{character: Record<string, ?(string|number)>, onChange: () => void}} options  `character` has a line for each field, and
   *   the name of the home
   */
  constructor(box, fields, { character, onChange }) {
    this.box = box;
    this.who = box.dataset.who;
    this.about = `${this.who} ${character.innate ?? ""}`.toLocaleLowerCase(); // to be searched
    /** @type {?PersonForm} */
    this.form = null; // until it is opened
    box.addEventListener("toggle", () => this.#open(fields, character, onChange), { once: true });
  }

  /** @param {HTMLTemplateElement} fields  @param {Record<string, ?(string|number)>} character  @param {() => void} onChange */
  #open(fields, character, onChange) {
    const made = /** @type {DocumentFragment} */ (fields.content.cloneNode(true));
    const home = /** @type {HTMLSelectElement} */ (made.querySelector(`[data-field=${HOME}]`));
    if (character[HOME]) {
      for (const other of [...home.options]) if (other.value === character[HOME]) other.remove();
      home.prepend(element("option", { value: String(character[HOME]) }, String(character.home)));
    }
    for (const field of /** @type {Control[]} */ ([...made.querySelectorAll("[data-field]")])) {
      field.value = String(character[field.dataset.field] ?? "");
    }
    if (!character[HOME]) home.selectedIndex = 0;
    this.box.append(made);
    this.form = new PersonForm(this.box, onChange);
  }

  /** The lines that are changed: pairs of name and text. */
  get changes() {
    return this.form?.changes ?? [];
  }

  /** Says in its line whether it is changed. */
  mark() {
    /** @type {HTMLElement} */ (this.box.querySelector("[data-part=changed]")).hidden = !this.changes.length;
  }

  /** Shows what is wrong. @returns {?Control} the first field that is wrong */
  check() {
    return this.form?.check() ?? null;
  }
}
