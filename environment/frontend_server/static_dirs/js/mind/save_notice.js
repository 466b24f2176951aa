/** Says that a simulation has gone on since it was saved, and has it saved again on request. */

import { ask } from "../acting/engine.js";
import { isOpen, mayAct } from "../acting/powers.js";
import { setText } from "../dom.js";
import { Refused } from "../server.js";
import { fill, gettext } from "../translation.js";
/** @import { Status } from "../playback/status_watch.js" */

const MEMORY = /^#node_\d+$/;

/**
 * Whether a link leads to a memory that is not there. Pure.
 * @param {string} hash of the address  @param {Array<{id: string}>} nodes
 */
export function isMissing(hash, nodes) {
  return MEMORY.test(hash) && !nodes.some(({ id }) => `#${id}` === hash);
}

export class SaveNotice {
  /**
   * @param {HTMLElement} box from the template
   * @param {{sim_code: string, store?: string}} page
   * @param {{saved_step: number, isWanted: () => boolean}} state  the last save, and whether what was asked for lacks it
   * @param {(step: number) => void} onSaved gets the step up to which everything is saved
   */
  constructor(box, page, state, onSaved) {
    this.box = box;
    this.page = page;
    this.state = state;
    this.onSaved = onSaved;
    this.text = box.querySelector("span");
    this.button = box.querySelector("button");
    this.saving = false;
    this.button.addEventListener("click", () => this.#save());
  }

  /** @param {Status} status */
  update(status) {
    if (this.saving) return;
    const { page, state } = this;
    const behind = page.store === "saved" && isOpen(status, page.sim_code) && status.step > state.saved_step;
    this.box.hidden = !behind;
    if (!behind) return;
    this.step = status.step;
    this.button.hidden = !mayAct(status, page.sim_code);
    const words = gettext("The town has gone on since the last save, to step %(step)s. What was remembered since then is missing here.");
    setText(this.text, fill(words, { step: status.step }));
    if (!this.button.hidden && state.isWanted() && this.#isFirstTime()) this.#save();
  }

  /** Whether this was not waited for before: a link may name what will never be there. */
  #isFirstTime() {
    const key = `saved for ${this.page.sim_code} ${location.pathname}${location.search} ${location.hash}`;
    if (sessionStorage.getItem(key)) return false;
    sessionStorage.setItem(key, "yes");
    return true;
  }

  async #save() {
    this.saving = true;
    this.button.disabled = true;
    setText(this.text, gettext("Saving …"));
    try {
      const ack = await ask(this.page.sim_code, { request: "save" });
      this.onSaved(ack.step ?? this.step);
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      setText(this.text, fill(gettext("Not saved: %(reason)s"), { reason: fault.message }));
      this.button.disabled = false;
      this.saving = false;
    }
  }
}
