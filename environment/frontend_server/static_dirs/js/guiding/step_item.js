/** A step of the lesson in the list: its number or a tick, what to do, and a question for the class. */

import { element, setText } from "../dom.js";
import { fill, gettext } from "../translation.js";
import { stepWords } from "./lesson_words.js";
/** @import { StepName } from "./lesson_record.js" */

const STAY_OPEN = ["look", "compare"]; // the list of one is used by the next step, and the last one asks its question afterwards

export class StepItem {
  /** @param {StepName} name  @param {number} number */
  constructor(name, number) {
    const { title, text, minutes, ask } = stepWords()[name];
    this.title = title;
    this.number = number;
    this.mark = element("i", { "aria-hidden": "true" }, String(number));
    this.state = element("span", { class: "unseen" });
    this.actions = element("div", { class: "step-actions" });
    const time = element("small", {}, fill(gettext("%(minutes)s min"), { minutes }));
    this.details = element(
      "details",
      {},
      element("summary", {}, this.mark, element("strong", {}, title), this.state, " ", time),
      element("p", {}, text),
      this.actions,
      ask ? element("p", { class: "ask" }, element("b", {}, gettext("To discuss:")), " ", ask) : null,
    );
    this.box = element("li", { "data-step": name }, this.details);
  }

  /** The next step is unfolded when it becomes the next; others are as the reader wants them. @param {{isDone: boolean, isNext: boolean}} how */
  show({ isDone, isNext }) {
    if (isNext && !this.box.hasAttribute("aria-current")) this.details.open = true;
    if (isDone && !this.box.dataset.done) this.details.open = STAY_OPEN.includes(this.box.dataset.step);
    this.box.toggleAttribute("aria-current", isNext);
    if (isNext) this.box.setAttribute("aria-current", "step");
    this.box.dataset.done = isDone ? "yes" : "";
    setText(this.mark, isDone ? "✓" : String(this.number));
    setText(this.state, isDone ? gettext(", done") : "");
  }
}
