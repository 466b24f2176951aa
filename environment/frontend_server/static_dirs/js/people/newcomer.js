/** Someone new: name, words, home, and a look that is drawn while one chooses. */

import { setText } from "../dom.js";
import { post } from "../server.js";
import { gettext } from "../translation.js";
import { LookMaker } from "./look_maker.js";
import { PersonForm, complain } from "./person_form.js";
/** @import { Control } from "./person_form.js" */

const NAME = /^\p{L}+(-\p{L}+)*( \p{L}+(-\p{L}+)*)+$/u; // as the engine wants it

let made = 0;

export class Newcomer {
  /** @param {HTMLTemplateElement} template  @param {{onChange: () => void, onRemove: (one: Newcomer) => void}} options */
  constructor(template, { onChange, onRemove }) {
    this.box = /** @type {DocumentFragment} */ (template.content.cloneNode(true)).querySelector("section");
    const called = this.box.querySelector("[data-part=called]");
    this.form = new PersonForm(this.box, () => {
      setText(called, this.name || gettext("Someone new"));
      onChange();
    });
    this.maker = new LookMaker(this.box.querySelector("[data-part=look]"), (made += 1));
    this.maker.another();
    this.box.querySelector("[data-part=remove]").addEventListener("click", () => onRemove(this));
  }

  get name() {
    return this.form.values.name;
  }

  /**
   * Shows what is wrong.
   * @param {string[]} taken  names of others
   * @returns {?Control} the first field that is wrong
   */
  check(taken) {
    const wrong = this.form.check({ all: true });
    const field = this.form.fields.get("name");
    if (!field.hasAttribute("aria-invalid")) complain(field, this.#faultOfName(taken));
    return field.hasAttribute("aria-invalid") ? field : wrong;
  }

  /** @param {string[]} taken */
  #faultOfName(taken) {
    if (!NAME.test(this.name)) return gettext("Write first and last name: letters and hyphens, with single spaces between words.");
    const called = this.name.toLocaleLowerCase();
    return taken.some((name) => name.toLocaleLowerCase() === called) ? gettext("Someone here has this name. Choose another one.") : "";
  }

  /** Has the look drawn, and returns the intervention by which this person moves in. */
  async movingIn() {
    const { living_area: home, age, ...words } = this.form.values;
    const { look } = await (await post("/look_kept/", { name: this.name, look: this.maker.look })).json();
    return { kind: "resident_in", ...words, age: Number(age), home, look };
  }
}
