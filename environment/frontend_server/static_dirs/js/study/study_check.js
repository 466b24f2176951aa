/** What a study will take, what is wrong with it, and its file: checked by the engine whenever it changes. */

import { element, setText } from "../dom.js";
import { gettext, languageOf } from "../translation.js";
import { estimateText } from "./estimate_words.js";
import { checkStudy, obstacle } from "./study_requests.js";
/** @import { Estimate } from "./estimate_words.js" */
/** @import { StudyCheck, StudyContent, StudyFault } from "./study_requests.js" */

const PAUSE = 400; // milliseconds after the last change
const refusal = () => gettext("It cannot be run like this yet.");

export class StudyCheckBox {
  /**
   * @param {(isKnown: boolean, estimate: ?Estimate) => void} settle  is told whether it is known what the study will take,
   *   or why it cannot be run, and what it will take
   * @param {(faults: StudyFault[]) => StudyFault[]} place  shows faults beside their fields, and returns the others
   */
  constructor(settle, place = (faults) => faults) {
    this.settle = settle;
    this.place = place;
    this.asked = 0;
    this.timer = 0;
    this.estimate = element("p", { class: "estimate", role: "status" });
    this.notes = element("ul", { class: "study-notes" });
    this.faults = element("ul", { class: "study-faults" });
    this.file = element("pre", { tabindex: "0", role: "region", "aria-label": gettext("The study file") });
    this.save = element("a", { class: "button plain" }, gettext("Save the file"));
    this.details = element("details", { class: "study-file", hidden: true }, element("summary", {}, gettext("The study file")), this.file, element("p", {}, this.save));
    this.box = element("div", { class: "study-check" }, this.estimate, element("div", { role: "alert" }, this.faults), this.notes, this.details);
  }

  /** Checks a study once it has not changed for a moment. @param {string} name  @param {?StudyContent} study */
  later(name, study) {
    this.asked += 1; // an earlier answer does not count any more
    this.settle(false, null);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(name, study), PAUSE);
  }

  /** Says that what is filled in is no study: fields that are wrong say why. */
  refuse() {
    this.asked += 1;
    clearTimeout(this.timer);
    this.#complain([]);
    setText(this.estimate, refusal());
    this.notes.replaceChildren();
    this.details.hidden = true;
  }

  /** @param {string} name  @param {?StudyContent} study */
  async now(name, study) {
    const number = (this.asked += 1);
    this.settle(false, null);
    setText(this.estimate, gettext("Checking …"));
    try {
      const why = await obstacle();
      const found = why ? null : await checkStudy(name, study);
      if (number !== this.asked) return;
      if (found) this.#show(name, found);
      else this.#complain([why]);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (number === this.asked) this.#complain([error.message]);
    }
  }

  /** @param {string} name  @param {StudyCheck} found */
  #show(name, { text, faults, notes, estimate }) {
    this.#complain(this.place(faults).map(({ says }) => says), estimate);
    setText(this.estimate, estimate ? estimateText(estimate) : refusal());
    this.notes.replaceChildren(...notes.map((line) => element("li", { lang: languageOf(line) }, line)));
    this.details.hidden = false;
    setText(this.file, text);
    this.save.href = `data:text/yaml;charset=utf-8,${encodeURIComponent(text)}`;
    this.save.download = `${name}.yaml`;
  }

  /** @param {string[]} lines  @param {?Estimate} estimate */
  #complain(lines, estimate = null) {
    this.settle(true, estimate);
    setText(this.estimate, "");
    this.faults.replaceChildren(...lines.flatMap((line) => line.split("\n")).map((line) => element("li", {}, line)));
  }
}
