/** The form of a new study. It is checked by the engine as it is filled in, and faults are shown beside their fields. */

import { checkField, choiceField, textField } from "../acting/forms/fields.js";
import { wait } from "../acting/forms/form_dialog.js";
import { measureName } from "../compare/comparison_words.js";
import { element, setText } from "../dom.js";
import { capitalize } from "../panel/descriptions.js";
import { codeOf, freeCode } from "../running/sim_code.js";
import { fill, gettext } from "../translation.js";
import { ArmBox } from "./arm_box.js";
import { clearFieldFaults, markFault, showFieldFaults } from "./field_faults.js";
import { budgetField, checkedBefore, nameForm, seedsField } from "./study_dialogs.js";
import { obstacle, runStudy } from "./study_requests.js";
import { StudyTown } from "./study_town.js";
/** @import { StudyContent, StudyFault } from "./study_requests.js" */

const LONGEST_NAME = 40; // characters, as in the engine
const LONGEST_TITLE = 200;
const SEEDS = "10";
const HOUR = 3600; // seconds
/** @type {Record<string, number>} */
const UNITS = { hours: HOUR, days: 24 * HOUR };
/** @type {Record<string, unknown>} */
const FORMS = { words: "text", yes: { choice: ["yes", "no"] }, scale: { scale: [1, 7] }, number: "number" }; // of answers
const USUAL = ["conversations", "pairs who talked"]; // measures that are ticked at first

/**
 * @typedef {{name: string, title: string, past: string}} Start  a town from which runs can begin; `past`: its history file
 * @typedef {{static: string, towns: {bases: Start[], saved: Start[]}, measures: string[], taken: string[]}} NewStudyPage
 */

export class StudyForm {
  /** @param {HTMLElement} box  @param {NewStudyPage} page */
  constructor(box, page) {
    this.page = page;
    this.named = false; // whether the user has typed a name, which then no longer follows the title
    this.starts = [...page.towns.bases, ...page.towns.saved];
    /** @type {?StudyTown} */
    this.town = null;
    /** @type {ArmBox[]} */
    this.arms = [];
    this.fault = element("p", { class: "fault", role: "alert" });
    this.button = element("button", { type: "submit", class: "button large" }, gettext("Start"));
    this.check = checkedBefore(this.button.textContent, () => this.button, (faults) => this.#place(faults));
    this.armList = element("div", { class: "arms" });
    const more = element("button", { type: "button", class: "button plain" }, gettext("Another arm"));
    more.addEventListener("click", () => this.#addArm(freeCode("changed", this.arms.map(({ name }) => name))).input.focus());
    this.form = element(
      "form",
      { novalidate: true },
      ...this.#begin(),
      element("div", { "data-path": "arms" }, this.armList, element("p", {}, more)),
      ...this.#outcomes(),
      this.check.box,
      this.fault,
      element("p", { class: "ends" }, this.button),
    );
    this.form.addEventListener("input", (event) => this.#changed(/** @type {HTMLElement} */ (event.target)));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
    box.replaceChildren(this.form);
    this.#rename();
  }

  /** Reads the first town, and offers two arms. */
  async open() {
    this.#addArm("untouched");
    this.#addArm("changed");
    await this.#settle();
  }

  /** @param {string} name */
  #input(name) {
    return /** @type {HTMLInputElement} */ (this.form.querySelector(`[name="${name}"]`));
  }

  /** @param {string} name */
  #value(name) {
    return this.#input(name).value.trim();
  }

  #begin() {
    const named = (/** @type {Start[]} */ starts) => starts.map(({ name, title }) => /** @type {[string, string]} */ ([name, title || name]));
    const { bases, saved } = this.page.towns;
    /** @type {Array<[string, Array<[string, string]>]>} */
    const groups = [[gettext("Starting points"), named(bases)], [gettext("Saved towns"), named(saved)]];
    const towns = new Map(groups.filter(([, pairs]) => pairs.length));
    const number = { type: "number", inputmode: "numeric", min: 1, required: true };
    /** @type {Array<[string, string]>} */
    const units = [["hours", gettext("hours")], ["days", gettext("days")]];
    return [
      field("title", textField({ name: "title", label: gettext("Title"), maxlength: LONGEST_TITLE, placeholder: gettext("Who hears that the party is cancelled?") })),
      field("name", textField({ name: "name", label: gettext("Name of the study"), maxlength: LONGEST_NAME, pattern: "[\\w\\-]+", title: nameForm(), required: true })),
      pair(
        field("base", choiceField({ name: "base", label: gettext("Runs begin with") }, towns)),
        field("moment", textField({ name: "moment", label: gettext("At"), maxlength: LONGEST_NAME, hint: gettext("A time such as 12:00, or a step. Empty: as last saved.") })),
      ),
      field("history", checkField({ name: "history", label: gettext("People know their past from the first moment on"), checked: true })),
      pair(
        field("steps", element("div", { class: "length" }, textField({ name: "length", label: gettext("How long"), value: "24", ...number }), choiceField({ name: "unit", label: gettext("Unit") }, units))),
        field("seeds", seedsField(SEEDS, gettext("Each arm is run with each of them. Fewer than six cannot tell a difference from chance."))),
      ),
    ];
  }

  #outcomes() {
    const boxes = this.page.measures.map((measure) => {
      const box = checkField({ name: "measure", label: capitalize(measureName(measure)), checked: USUAL.includes(measure) });
      box.querySelector("input").value = measure;
      return box;
    });
    /** @type {Array<[string, string]>} */
    const answers = [["words", gettext("in words")], ["yes", gettext("with yes or no")], ["scale", gettext("from 1 to 7")], ["number", gettext("with a number")]];
    return [
      field("measures", element("fieldset", { class: "choices measured" }, element("legend", {}, gettext("What is measured")), ...boxes, textField({ name: "news", label: gettext("How many know of"), placeholder: gettext("cancelled"), maxlength: LONGEST_TITLE, hint: gettext("A word of the news; several with | between them.") }))),
      field("questions", textField({ name: "questions", label: gettext("Questions to everyone at the end"), rows: 2, hint: gettext("One in each line. People do not remember them.") })),
      pair(choiceField({ name: "answer", label: gettext("Answered") }, answers), checkField({ name: "before", label: gettext("Also asked at the start, for the change") })),
      field("budget", budgetField()),
    ];
  }

  /** @param {string} name */
  #addArm(name) {
    const arm = new ArmBox(name, {
      onChange: () => this.#look(),
      onRemove: (gone) => {
        this.arms = this.arms.filter((each) => each !== gone);
        gone.box.remove();
        this.#look();
      },
      onFault: (error) => setText(this.fault, error.message),
    });
    this.arms.push(arm);
    this.armList.append(arm.box);
    if (this.town) arm.settle(this.town);
    return arm;
  }

  /** @param {HTMLElement} target */
  #changed(target) {
    const name = target.getAttribute("name");
    if (name === "name") this.named = this.#value("name") !== "";
    if (name === "title") this.#rename();
    if (name === "base" || name === "moment") this.#settle();
    else this.#look();
  }

  #rename() {
    if (!this.named) this.#input("name").value = freeCode(codeOf(this.#value("title")).slice(0, LONGEST_NAME) || "study", this.page.taken);
  }

  get #chosen() {
    return this.starts.find(({ name }) => name === this.#value("base"));
  }

  /** Reads the town that is chosen, and lets all arms know it. */
  async #settle() {
    const name = this.#value("base");
    try {
      if (this.town?.page.sim_code !== name) {
        const town = await StudyTown.fetch(name, this.page.static);
        if (name !== this.#value("base")) return; // another one was chosen meanwhile
        this.town = town;
      }
      this.town.beginAt(this.#value("moment"));
      this.form.querySelector("[data-path=history]").hidden = !this.#chosen.past;
      for (const arm of this.arms) arm.settle(this.town);
      this.#look();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setText(this.fault, error.message);
    }
  }

  /** Has the study checked, once it can be one. */
  #look() {
    setText(this.fault, "");
    const names = this.arms.map(({ name }) => name);
    for (const { input, name } of this.arms) input.setCustomValidity(names.filter((each) => each === name).length > 1 ? gettext("Two arms have this name.") : "");
    if (!showFieldFaults(this.form)) this.check.refuse();
    else if (this.town) this.check.later(this.#value("name"), this.content());
  }

  /** The study as its file has it. @returns {StudyContent} */
  content() {
    const [moment, title, news, budget] = ["moment", "title", "news", "budget"].map((name) => this.#value(name));
    const questions = this.#value("questions").split("\n").map((line) => line.trim()).filter(Boolean);
    const answer = FORMS[this.#value("answer")];
    const asked = { ...(answer !== "text" && { answer }), ...(this.#input("before").checked && { when: ["start", "end"] }) };
    const ticked = /** @type {HTMLInputElement[]} */ ([...this.form.querySelectorAll("[name=measure]:checked")]).map(({ value }) => value);
    const measures = [...ticked, ...(news ? [{ news }] : [])];
    const past = this.#chosen.past;
    const seconds = Number(this.#value("length")) * UNITS[this.#value("unit")];
    return {
      ...(title && { title }),
      base: moment ? `${this.#value("base")}@${moment}` : this.#value("base"),
      steps: Math.round(seconds / this.town.page.sec_per_step),
      seeds: Number(this.#value("seeds")),
      ...(past && this.#input("history").checked && { history: past }),
      arms: Object.fromEntries(this.arms.map((arm) => [arm.name, arm.content()])),
      ...(questions.length && { questions: questions.map((ask) => ({ ask, ...asked })) }),
      ...(measures.length && { measures }),
      ...(budget && { budget: { dollars: Number(budget) } }),
    };
  }

  async #start() {
    if (this.button.getAttribute("aria-disabled") || !this.form.reportValidity()) return;
    const action = this.button.textContent;
    wait(this.button, true, gettext("Sent …"));
    setText(this.fault, "");
    try {
      const why = await obstacle();
      if (why) throw new Error(why);
      const name = this.#value("name");
      await runStudy(name, this.content());
      location.assign(`/study/${encodeURIComponent(name)}/`);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setText(this.fault, error.message);
    }
    wait(this.button, false, action);
  }

  /** Shows faults beside the fields that they are of, and returns the others. @param {StudyFault[]} faults */
  #place(faults) {
    clearFieldFaults(this.form);
    return faults.filter((fault) => !this.#beside(fault));
  }

  /** The arm before another one that has the same in it. @param {ArmBox} arm */
  #twin(arm) {
    const text = JSON.stringify(arm.content());
    return this.arms.slice(0, this.arms.indexOf(arm)).find((each) => JSON.stringify(each.content()) === text);
  }

  /** @param {StudyFault} fault  @returns {boolean} whether it has a field */
  #beside({ path: [named, part, , place], says }) {
    const key = named === "base" && this.#value("moment") ? "moment" : named; // which the file has in one: base@moment
    const arm = key === "arms" ? this.arms.find(({ name }) => name === part) : null;
    const where = arm ? (arm.box.querySelector(`[data-place="${place}"]`) ?? arm.box) : this.form.querySelector(`[data-path="${CSS.escape(String(key))}"]`);
    const twin = arm && this.#twin(arm);
    if (where) markFault(where, where.querySelector("input, select, textarea"), twin ? equalText(twin, arm) : says);
    return Boolean(where);
  }
}

/** @param {ArmBox} one  @param {ArmBox} other */
function equalText(one, other) {
  return fill(gettext("%(one)s and %(other)s do not differ in anything. Change something in one of them, or remove it."), { one: one.name, other: other.name });
}

/** @param {string} key  of the study file  @param {HTMLElement} content */
function field(key, content) {
  return element("div", { "data-path": key }, content);
}

/** @param {HTMLElement[]} fields */
function pair(...fields) {
  return element("div", { class: "pair" }, ...fields);
}
