/** A small card beside the part of a page that it is about: one step after the other, until it is closed. */

import { element, setText } from "../dom.js";
import { registerKey } from "../keys.js";
import { fill, gettext } from "../translation.js";

/**
 * @typedef {{title: string, text: string, at: string[], link?: ?{href: string, text: string}}} GuideStep  `at` are
 *   selectors: the first of them that is shown is what the step is about
 */

const GAP = 14; // pixels between the card and what it is about, and the edge of the window

export class StepCard {
  /** @param {HTMLElement} panel  beside the map; on a phone, where the card must not cover the map, it is the first in it */
  constructor(panel) {
    this.panel = panel;
    this.count = element("small", {});
    this.title = element("h2", { id: "guide-title" });
    this.text = element("p", {});
    this.link = element("a", {});
    const words = element("div", { role: "status", id: "guide-words" }, this.count, this.title, this.text);
    this.next = element("button", { type: "button", class: "button" });
    this.skip = element("button", { type: "button", class: "linked" }, gettext("Skip"));
    const buttons = element("p", { class: "ends" }, this.link, this.skip, this.next);
    const labels = { "aria-labelledby": "guide-title", "aria-describedby": "guide-words" };
    this.box = element("section", { class: "guide", role: "dialog", tabindex: "-1", ...labels }, words, buttons);
    this.next.addEventListener("click", () => this.#show(this.number + 1));
    this.skip.addEventListener("click", () => this.close());
    this.place = () => this.#place();
  }

  /**
   * Shows the first step, and takes the focus: if it was not called, only from nowhere.
   * @param {GuideStep[]} steps  @param {{called: boolean}} how
   */
  open(steps, { called }) {
    this.close();
    this.steps = steps;
    this.before = /** @type {HTMLElement} */ (document.activeElement);
    this.release = registerKey("Escape", "", () => this.close());
    addEventListener("resize", this.place);
    this.panel.prepend(this.box);
    this.#show(0);
    if (called || this.before === document.body) this.box.focus({ preventScroll: true });
  }

  /** Gives the focus back. */
  close() {
    if (!this.box.isConnected) return;
    const focused = this.box.contains(document.activeElement);
    this.release();
    removeEventListener("resize", this.place);
    this.#mark(null);
    this.box.remove();
    if (!focused) return;
    const shown = this.before.isConnected && this.before !== document.body && this.before.checkVisibility();
    (shown ? this.before : document.querySelector(".town-view")).focus({ preventScroll: true });
  }

  /** @param {number} number  of the step, from 0; after the last one, the card is closed */
  #show(number) {
    this.number = number;
    const step = this.steps[number];
    if (!step) return this.close();
    const isLast = number === this.steps.length - 1;
    setText(this.count, fill(gettext("%(number)s of %(all)s"), { number: number + 1, all: this.steps.length }));
    setText(this.title, step.title);
    setText(this.text, step.text);
    setText(this.link, step.link?.text ?? "");
    this.link.href = step.link?.href ?? "";
    this.link.hidden = !step.link;
    setText(this.next, isLast ? gettext("Got it") : gettext("Next"));
    this.skip.hidden = isLast;
    this.#mark(step.at.map((selector) => document.querySelector(selector)).find((one) => one?.checkVisibility()) ?? null);
    this.#place();
  }

  /** @param {?HTMLElement} part  what the step is about */
  #mark(part) {
    this.part?.classList.remove("guided");
    this.part = part;
    part?.classList.add("guided");
  }

  /** Beside the panel if the part is in it, else above the part. Where the styles put the card into the panel, this does nothing. */
  #place() {
    const about = (this.part ?? this.panel).getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const inPanel = !this.part || this.panel.contains(this.part);
    const left = inPanel ? this.panel.getBoundingClientRect().left - width - GAP : about.left + about.width / 2 - width / 2;
    const top = inPanel ? about.top : about.top - height - GAP;
    this.box.style.left = `${within(left, innerWidth - width)}px`;
    this.box.style.top = `${within(top, innerHeight - height)}px`;
  }
}

/** @param {number} value  @param {number} most */
function within(value, most) {
  return Math.max(GAP, Math.min(value, most - GAP));
}
