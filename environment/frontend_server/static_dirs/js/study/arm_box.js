/** An arm of a new study: its name, and what is different in its runs. */

import { textField } from "../acting/forms/fields.js";
import { deeds } from "../branching/branch_form.js";
import { DraftActor } from "../branching/draft_actor.js";
import { element } from "../dom.js";
import { fill, gettext } from "../translation.js";
/** @import { Draft } from "../branching/draft_actor.js" */
/** @import { StudyTown } from "./study_town.js" */

const LONGEST_NAME = 40; // characters, as in the engine
const NAME = "[\\w\\-]*[A-Za-z_\\-][\\w\\-]*"; // no number, which objects of JavaScript would put first

/** @typedef {Draft & {time: string}} TimedDraft  `time`: when it happens; empty: when runs begin */

let made = 0; // arms, for the ids of their times

export class ArmBox {
  /**
   * @param {string} name
   * @param {{onChange: () => void, onRemove: (arm: ArmBox) => void, onFault: (error: Error) => void}} form
   */
  constructor(name, { onChange, onRemove, onFault }) {
    this.onChange = onChange;
    this.onFault = onFault;
    /** @type {TimedDraft[]} */
    this.rows = [];
    /** @type {?StudyTown} */
    this.town = null;
    /** @type {?DraftActor} */
    this.draft = null; // takes what the forms would do to the town
    this.number = made += 1;
    this.field = textField({ name: "arm", label: gettext("Name of the arm"), value: name, maxlength: LONGEST_NAME, pattern: NAME, title: gettext("Letters, digits, - and _; not digits alone."), required: true });
    this.input = this.field.querySelector("input");
    this.none = element("p", { class: "note" }, gettext("Nothing is different: runs go on as they are."));
    this.list = element("ul", { class: "differences" });
    this.offers = element("div", {});
    const remove = element("button", { type: "button", class: "link" }, gettext("Remove this arm"));
    remove.addEventListener("click", () => onRemove(this));
    this.box = element("fieldset", { class: "arm" }, element("legend", {}, fill(gettext("Arm %(number)s"), { number: this.number })), this.field, this.none, this.list, this.offers, element("p", {}, remove));
  }

  get name() {
    return this.input.value.trim();
  }

  /** Offers what can be different in a town, from where runs begin; what was chosen stays. @param {StudyTown} town */
  settle(town) {
    if (this.town !== town) {
      const time = { secondsPerStep: town.page.sec_per_step, timeOf: (/** @type {number} */ step) => town.timeOf(step) };
      this.draft = new DraftActor(town.page, time, { step: town.begin, onChange: () => this.#take() });
      this.offers.replaceChildren(deeds(this.draft, { people: town.people, chosen: null, onFault: this.onFault }));
      this.town = town;
    }
    this.draft.step = town.begin;
    this.#show();
  }

  /** The arm as a study file has it. @returns {object} */
  content() {
    return this.rows.length ? { interventions: this.rows.map((row) => this.#intervention(row)) } : {};
  }

  /** Takes up what a form has added. */
  #take() {
    for (const row of this.draft.rows.splice(0)) this.rows.push({ ...row, time: "" });
    this.#show();
    this.onChange();
  }

  /** With its time; what ends at a step ends as long after it. @param {TimedDraft} row */
  #intervention({ fields, time }) {
    const { begin } = this.town;
    if (!time) return { step: begin, ...fields };
    const later = (this.town.stepAt(time) ?? begin) - begin;
    return { time, ...fields, ...(typeof fields.until === "number" && { until: fields.until + later }) };
  }

  #show() {
    this.none.hidden = this.rows.length > 0;
    this.list.replaceChildren(...this.rows.map((row, place) => this.#item(row, place)));
  }

  /** @param {TimedDraft} row  @param {number} place */
  #item(row, place) {
    const id = `when-${this.number}-${place}`;
    const when = element("input", { id, class: "when", placeholder: this.town.timeOf(this.town.begin), inputmode: "numeric", autocomplete: "off", maxlength: 40 });
    when.value = row.time;
    when.addEventListener("input", () => {
      row.time = when.value.trim();
      this.onChange();
    });
    const remove = element("button", { type: "button", class: "link", "aria-label": fill(gettext("Remove: %(what)s"), { what: row.text }) }, gettext("Remove"));
    remove.addEventListener("click", () => {
      this.rows.splice(this.rows.indexOf(row), 1);
      this.#show();
      this.onChange();
      this.input.focus();
    });
    return element("li", { "data-place": place }, element("span", { class: "what" }, row.text), element("label", { for: id }, gettext("at"), " ", when), remove);
  }
}
