/** The dialog that copies the save as a starting point of one's own. */

import { setText } from "../dom.js";
import { Refused } from "../server.js";
import { fill, gettext } from "../translation.js";
import { ask } from "../acting/engine.js";
import { allow, onUse, tameDialog } from "./menu.js";
import { codeOf } from "./sim_code.js";

const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);

/** @typedef {HTMLFormControlsCollection & {title: HTMLInputElement, name: HTMLInputElement}} SaveFields */

export class SaveAs {
  /** @param {HTMLElement} opener  @param {{sim_code: string}} page */
  constructor(opener, page) {
    this.simulation = page.sim_code;
    this.dialog = /** @type {HTMLDialogElement} */ (part("save-as"));
    this.form = /** @type {HTMLFormElement} */ (part("save-as-form"));
    this.fields = /** @type {SaveFields} */ (this.form.elements);
    const { title, name } = this.fields;
    this.named = false; // whether the user has typed a name, which then no longer follows the title
    tameDialog(this.dialog);
    onUse(opener, () => this.dialog.showModal());
    title.addEventListener("input", () => !this.named && (name.value = codeOf(title.value)));
    name.addEventListener("input", () => (this.named = name.value !== ""));
    this.form.addEventListener("submit", (event) => this.#send(event));
  }

  /** @param {SubmitEvent} event */
  async #send(event) {
    event.preventDefault();
    const { title, name } = this.fields;
    const button = this.form.querySelector(".button");
    if (!this.form.reportValidity() || button.hasAttribute("aria-disabled")) return;
    allow(button, false);
    setText(part("save-as-error"), "");
    try {
      const request = { request: "save_as", name: name.value, title: title.value };
      await ask(this.simulation, request, { text: fill(gettext("Save a copy: %(title)s"), { title: title.value }) });
      this.dialog.close();
      this.form.reset();
      this.named = false;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setText(part("save-as-error"), error.message);
    } finally {
      allow(button, true);
    }
  }
}
