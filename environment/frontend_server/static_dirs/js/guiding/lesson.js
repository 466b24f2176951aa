/** The lesson: its steps as a list, which follows what happens in the town. */

import { ask, askEngine } from "../acting/engine.js";
import { carryOut } from "../acting/deed_button.js";
import { element, setText } from "../dom.js";
import { NIGHT } from "../running/first_night.js";
import { momentOfText } from "../running/run_words.js";
import { freeCode } from "../running/sim_code.js";
import { get } from "../server.js";
import { fill, gettext } from "../translation.js";
import { STEPS, WORD, advanced, keepRecord, newRecord, nextStep, readRecord } from "./lesson_record.js";
import { heardText } from "./lesson_words.js";
import { StepItem } from "./step_item.js";
import { StepActions } from "./step_actions.js";
/** @import { Branch } from "../branching/branch_tree.js" */
/** @import { LessonRecord, StepName } from "./lesson_record.js" */
/** @import { Status, StatusWatch } from "../playback/status_watch.js" */

const HOME = "/simulator_home";
const NIGHT_ENDS = "07:00";
const SEEDS = 1_000_000; // each group of a class has a town of its own

/** @typedef {{choose: (name: string) => void, goTo: (step: number, names: string[]) => void}} TownView */

export class Lesson {
  /**
   * @param {HTMLElement} box
   * @param {{base?: string, town?: ?TownView, onEnd?: () => void}} page  `base` is what a town for the lesson begins with;
   *   `town` is the one on this page, if there is one
   */
  constructor(box, { base = "", town = null, onEnd = () => {} }) {
    this.base = base;
    this.town = town;
    this.onEnd = onEnd;
    this.record = readRecord() ?? newRecord();
    /** @type {?Status} */
    this.status = null;
    /** @type {Branch[]} */
    this.branches = [];
    this.fault = element("p", { class: "fault", role: "alert" });
    this.news = element("p", { class: "unseen", role: "status" });
    this.items = new Map(STEPS.map((name, place) => [name, new StepItem(name, place + 1)]));
    this.actions = new StepActions(this, this.items);
    const list = element("ol", { class: "lesson" }, ...[...this.items.values()].map(({ box: item }) => item));
    this.again = element("button", { type: "button", class: "linked" }, gettext("End the lesson"));
    this.again.addEventListener("click", () => this.#end());
    box.replaceChildren(this.fault, list, this.news, element("p", {}, this.again));
    this.#show();
  }

  /** Follows the town. @param {StatusWatch} watch */
  follow(watch) {
    watch.subscribe((status) => {
      this.status = status;
      this.#look().catch((error) => {
        if (!(error instanceof Error)) throw error; // what could not be read is read the next time
      });
    });
  }

  /** Keeps what has changed, and shows it. @param {Partial<LessonRecord>} changes */
  keep(changes) {
    this.record = { ...(readRecord() ?? this.record), ...changes };
    keepRecord(this.record);
    this.#advance();
  }

  /** Marks a step that is done by what the reader does here. @param {StepName} step */
  did(step) {
    this.keep({ done: [...(readRecord() ?? this.record).done, step] });
  }

  /** Carries out what a button stands for; a fault is shown. @param {HTMLElement} button  @param {() => Promise<unknown>} action */
  act(button, action) {
    setText(this.fault, "");
    return carryOut(button, action, (error) => this.#complain(error.message));
  }

  /** @param {string} text */
  #complain(text) {
    setText(this.fault, text);
    this.fault.scrollIntoView({ block: "nearest" });
  }

  /** Opens a town for the lesson, which passes its first night by itself. */
  async start() {
    const name = await freeName("lesson");
    const seed = Math.floor(Math.random() * SEEDS);
    const goal = { run_until: NIGHT_ENDS, speed: "max" };
    await askEngine({ request: "open", origin: this.base, name, title: gettext("Lesson"), seed, ...goal });
    this.keep({ ...newRecord(), town: name });
    sessionStorage.setItem(NIGHT, name);
    location.assign(HOME);
  }

  /** Searches everyone's memories. @param {string} word */
  async search(word) {
    const { town, planted } = this.record;
    if (this.isOpen) await ask(town, { request: "save" });
    const about = word === WORD ? { about: planted.who } : null; // others speak of mayors, too; other rumours may be about anyone
    const { heard } = await get(`/heard/${encodeURIComponent(town)}/?${new URLSearchParams({ word, ...about })}`);
    this.keep({ word, heard });
    if (heard.length) this.did("look");
    setText(this.news, heardText(heard.length));
  }

  /** Begins the same day without what was planted. */
  async branch() {
    const { town, planted } = this.record;
    const name = await freeName(`${town}_without`);
    const { step: until } = await ask(town, { request: "save" });
    const request = { request: "branch", from: `${town}@i${planted.number}`, store: "saved", name, title: gettext("Lesson, without the rumour") };
    await askEngine({ ...request, until, interventions: [] });
    this.keep({ branch: name });
  }

  /** Lets a branch that was stopped on the way go on. @param {Branch} branch */
  async runOn({ sim_code: name, until_step: until }) {
    await askEngine({ request: "branch", from: name, name, until });
  }

  #end() {
    keepRecord(null);
    this.record = newRecord();
    this.#show();
    this.onEnd();
  }

  /** Reads what the coming steps depend on. */
  async #look() {
    this.record = readRecord() ?? this.record; // the lesson may go on in another window
    const { town, planted, branch, done } = this.record;
    if (town && !planted && this.status.act === "yes") {
      const [found] = (await get(`/heard/${encodeURIComponent(town)}/`)).planted;
      if (found) return this.keep({ planted: found });
    }
    if (branch && !done.includes("branch")) this.branches = (await get("/branches/")).branches;
    const fault = this.branches.find(({ sim_code: name }) => name === branch)?.fault;
    if (fault) this.#complain(fault);
    this.#advance();
  }

  /** Whether the engine has the town of the lesson open. */
  get isOpen() {
    return Boolean(this.status?.sim_code) && this.status.sim_code === this.record.town && this.status.backend !== "stopped";
  }

  get #now() {
    return momentOfText(this.status?.curr_time ?? "");
  }

  #advance() {
    const before = this.record.done;
    this.record = advanced(this.record, { status: this.status, now: this.#now, branches: this.branches });
    const fresh = this.record.done.filter((step) => !before.includes(step));
    if (fresh.length) keepRecord(this.record);
    for (const step of fresh) setText(this.news, fill(gettext("Done: %(step)s"), { step: this.items.get(step).title }));
    this.#show();
  }

  #show() {
    const next = nextStep(this.record);
    for (const [name, item] of this.items) item.show({ isDone: this.record.done.includes(name), isNext: name === next });
    this.again.hidden = !this.record.town;
    this.actions.show();
  }
}

/** @param {string} code  @returns {Promise<string>} a name that no simulation has */
async function freeName(code) {
  const [{ simulations }, { branches }] = await Promise.all([get("/tree/"), get("/branches/")]);
  return freeCode(code, [...simulations, ...branches].map(({ sim_code: name }) => name));
}
