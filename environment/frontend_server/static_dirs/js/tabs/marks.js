/** The tab "Marks": moments that a user has marked, each with a short text. */

import { carryOut } from "../acting/deed_button.js";
import { element, setText } from "../dom.js";
import { registerTab } from "../panel/tabs.js";
import { dayText, timeText } from "../playback/clock.js";
import { get, post, retry } from "../server.js";
import { fill, gettext, language } from "../translation.js";
/** @import { Viewer } from "../pages/viewer.js" */

const LONGEST = 200;

/** @typedef {{step: number, text: string}} Mark  a moment that was marked */

registerTab({ name: "marks", order: 4, title: () => gettext("Marks"), key: "m", draw: (box, viewer) => new MarksTab(box, viewer) });

export class MarksTab {
  /** @param {HTMLElement} box  @param {Viewer} viewer */
  constructor(box, viewer) {
    this.viewer = viewer;
    const { sim_code: name, store: form = "saved" } = viewer.page;
    this.run = { name, form };
    this.mayAct = false;
    /** @type {(marks: Mark[]) => void} */
    this.onMarks = () => {}; // gets the marks whenever there are others
    this.words = element("input", { maxlength: LONGEST, autocomplete: "off", placeholder: gettext("A few words"), "aria-label": gettext("Words of the mark") });
    this.button = element("button", { class: "button" }, gettext("Mark this moment"));
    this.form = element("form", { class: "new-mark", hidden: true }, this.words, this.button);
    this.list = element("ol", { class: "marks", "aria-label": gettext("Marks") });
    this.empty = element("p", { class: "note", hidden: true }, gettext("No moment is marked yet."));
    this.fault = element("p", { class: "fault", role: "alert" });
    box.append(this.form, this.fault, this.empty, this.list);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      carryOut(this.button, () => this.#add(), (error) => setText(this.fault, error.message));
    });
    this.#read();
  }

  /** Shows at which moment a mark would be. @param {Viewer} viewer */
  show({ step, clock }) {
    if (this.mayAct) setText(this.button, fill(gettext("Mark %(time)s"), { time: timeText(clock.at(step)) }));
  }

  async #read() {
    const address = `/marks/${encodeURIComponent(this.run.name)}/?store=${this.run.form}`;
    const answer = await retry(() => get(address), () => {});
    this.mayAct = answer.may_act;
    this.form.hidden = !this.mayAct;
    this.#showMarks(answer.marks);
  }

  async #add() {
    const text = this.words.value.trim();
    if (!text) return this.words.focus();
    await this.#set(this.viewer.step, text);
    this.words.value = "";
  }

  /** @param {number} step  @param {string} text  empty: the mark is removed */
  async #set(step, text) {
    setText(this.fault, "");
    const answer = await post("/keep/mark/", { ...this.run, step, text });
    this.#showMarks((await answer.json()).marks);
  }

  /** @param {Mark[]} marks */
  #showMarks(marks) {
    this.list.replaceChildren(...marks.map((mark) => this.#item(mark)));
    this.empty.hidden = marks.length > 0;
    this.onMarks(marks);
  }

  /** @param {Mark} mark */
  #item({ step, text }) {
    const moment = this.viewer.clock.at(step);
    const when = element("small", {}, `${dayText(moment, language)} ${timeText(moment)}`);
    const jump = element("button", { type: "button", class: "jump" }, when, element("span", {}, text));
    jump.addEventListener("click", () => this.viewer.goTo(step, this.viewer.chosen ? [this.viewer.chosen] : []));
    if (!this.mayAct) return element("li", {}, jump);
    const remove = element("button", { type: "button", class: "remove", "aria-label": fill(gettext("Remove the mark: %(text)s"), { text }) }, "×");
    remove.addEventListener("click", () =>
      carryOut(remove, async () => {
        await this.#set(step, "");
        /** @type {HTMLElement} */ (this.list.querySelector("button") ?? this.words).focus();
      }, (error) => setText(this.fault, error.message)),
    );
    return element("li", {}, jump, remove);
  }
}
