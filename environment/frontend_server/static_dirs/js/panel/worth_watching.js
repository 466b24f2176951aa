/** The next moment of a run that is worth watching: where the next chapter of its story begins. A button and a key. */

import { registerKey } from "../keys.js";
import { computedAnswer } from "../run_pages/computed_answer.js";
import { Refused } from "../server.js";
import { gettext } from "../translation.js";
/** @import { Page } from "../dom.js" */
/** @import { StoryDay } from "../run_pages/story_days.js" */

export class WorthWatching {
  /**
   * @param {HTMLElement} button hidden in the template
   * @param {Page} page
   * @param {{stepNow: () => number, goTo: (step: number, names: string[]) => void, onNote: (text: string) => void}} town
   */
  constructor(button, page, { stepNow, goTo, onNote }) {
    this.address = `/story_data/${encodeURIComponent(page.sim_code)}/${page.store ? `?store=${page.store}` : ""}`;
    this.stepNow = stepNow;
    this.goTo = goTo;
    this.onNote = onNote;
    this.asking = false;
    button.hidden = false;
    button.addEventListener("click", () => void this.next());
    registerKey("t", gettext("Next moment worth watching"), () => void this.next());
  }

  /** Goes there. The story is of the last save, and asked for each time: the server keeps it. */
  async next() {
    if (this.asking) return;
    this.asking = true;
    this.onNote(gettext("Looking for the next moment …"));
    try {
      this.#show(await computedAnswer(this.address, (text) => text && this.onNote(text)));
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      this.onNote(fault.message);
    } finally {
      this.asking = false;
    }
  }

  /** @param {{days: StoryDay[]}} story */
  #show({ days }) {
    const now = this.stepNow();
    const found = days.flatMap(({ chapters }) => chapters).find(({ step }) => step > now);
    if (found) this.goTo(found.step, found.names);
    this.onNote(found ? found.text : gettext("No later moment so far."));
  }
}
