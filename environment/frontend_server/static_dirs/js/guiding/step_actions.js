/** What the steps of the lesson offer: buttons that do something here, and links to where it is done. */

import { element, setText } from "../dom.js";
import { signInLink } from "../acting/sign_in.js";
import { START, noEngineText } from "../playback/backend_status.js";
import { momentOf, timeText } from "../playback/clock.js";
import { fill, gettext } from "../translation.js";
import { costNote } from "../running/run_words.js";
import { isOver } from "../branching/branch_tree.js";
import { PERSON, WHISPER, heardText } from "./lesson_words.js";
/** @import { Branch } from "../branching/branch_tree.js" */
/** @import { Lesson } from "./lesson.js" */
/** @import { Heard, StepName } from "./lesson_record.js" */
/** @import { Status } from "../playback/status_watch.js" */
/** @import { StepItem } from "./step_item.js" */

const HOME = "/simulator_home";
const LONGEST_WORD = 40;

export class StepActions {
  /** @param {Lesson} lesson  @param {Map<StepName, StepItem>} items */
  constructor(lesson, items) {
    this.lesson = lesson;
    this.items = items;
    this.shown = ""; // as JSON, as the next one
    this.listed = "";
    this.begin = this.#button(gettext("Start a town for the lesson"), () => lesson.start());
    this.take = this.#button("", async () => lesson.keep({ town: lesson.status.sim_code }), "button plain");
    this.why = element("p", { class: "soft" });
    this.word = element("input", { maxlength: LONGEST_WORD, autocomplete: "off", "aria-label": gettext("Word to search for"), lang: "en" });
    this.word.value = lesson.record.word;
    this.found = this.#button(gettext("Search the memories"), () => lesson.search(this.word.value.trim()));
    this.count = element("p", {});
    this.rows = element("ol", { class: "heard" });
    this.branch = this.#button(gettext("Begin the branch"), () => lesson.branch());
    this.cost = element("p", { class: "soft" });
    this.runOn = this.#button(gettext("Run on"), () => lesson.runOn(this.#going));
    this.stopped = element("p", {}, gettext("The branch was stopped on the way."));
    this.progress = element("progress", { "aria-label": gettext("Progress") });
    this.compare = element("a", { class: "button" }, gettext("Compare"));
    this.compare.addEventListener("click", () => lesson.did("compare"));
    const toTown = () => (lesson.town ? "" : element("a", { class: "button plain", href: HOME }, gettext("To the town")));
    this.#fill("town", this.begin, this.take, this.why);
    this.#fill("pause", toTown());
    this.#fill("plant", element("q", { lang: "en" }, WHISPER), this.#person());
    this.#fill("evening", toTown());
    this.#fill("look", this.word, this.found, this.count, this.rows);
    this.#fill("branch", this.cost, this.branch, this.progress, this.stopped, this.runOn);
    this.#fill("compare", this.compare);
  }

  /** Shows what can be done now. */
  show() {
    const { status, record, base } = this.lesson;
    const key = JSON.stringify([status?.act, status?.sim_code, status?.backend, status?.engine, record, this.lesson.branches]);
    if (key === this.shown) return;
    this.shown = key;
    const why = obstacle(status);
    const costs = costNote(status?.engine?.models);
    this.why.replaceChildren(...(why ?? (costs && !record.town ? rulesFirst(costs) : [])));
    const mayBegin = Boolean(status) && !why && !record.town;
    this.begin.hidden = !mayBegin || !base || Boolean(costs);
    this.take.hidden = !mayBegin || !status.sim_code || status.backend === "stopped";
    setText(this.take, fill(gettext("Take “%(name)s”, which is open"), { name: status?.sim_code ?? "" }));
    this.found.hidden = !record.planted;
    setText(this.count, record.done.includes("look") ? heardText(record.heard.length) : "");
    this.#list(record.heard);
    const going = this.#going;
    const stopped = Boolean(going) && isOver(going) && going.state !== "done";
    this.stopped.hidden = this.runOn.hidden = !stopped;
    setText(this.cost, record.done.includes("branch") ? "" : costs);
    this.branch.hidden = !this.lesson.isOpen || !record.done.includes("evening") || Boolean(record.branch);
    this.progress.hidden = !record.branch || stopped || record.done.includes("branch");
    this.progress.max = going ? going.until_step - going.first_step || 1 : 1;
    this.progress.value = going ? going.step - going.first_step : 0;
    this.compare.hidden = !record.done.includes("branch");
    this.compare.href = `/compare/${encodeURIComponent(record.town)}/${encodeURIComponent(record.branch)}/`;
  }

  /** The branch of the lesson, while the list of branches has it. @returns {Branch|undefined} */
  get #going() {
    return this.lesson.branches.find(({ sim_code: name }) => name === this.lesson.record.branch);
  }

  /** @param {StepName} step  @param {...(Node|string)} parts */
  #fill(step, ...parts) {
    this.items.get(step).actions.append(...parts);
  }

  /** @param {string} text  @param {() => Promise<unknown>} action */
  #button(text, action, style = "button") {
    const button = element("button", { type: "button", class: style }, text);
    button.addEventListener("click", () => this.lesson.act(button, action));
    return button;
  }

  /** Leads to the person to whom something may be whispered. */
  #person() {
    const { town } = this.lesson;
    const text = fill(gettext("For example: %(name)s"), { name: PERSON.name });
    if (!town) return element("a", { class: "button plain", href: `${HOME}#${PERSON.underscore}` }, text);
    return this.#button(text, async () => town.choose(PERSON.name), "button plain");
  }

  /** Leaves the rows, and the focus on one of them, if they are the same. @param {Heard[]} heard */
  #list(heard) {
    const listed = JSON.stringify(heard);
    if (listed === this.listed) return;
    this.listed = listed;
    this.rows.replaceChildren(...heard.map((each) => element("li", {}, this.#row(each))));
  }

  /** Leads to the moment at which someone heard of it. @param {Heard} heard */
  #row({ who, underscore, teller, time, step }) {
    const { record, town } = this.lesson;
    const own = who === record.planted?.who ? gettext("by your whisper") : gettext("an idea of their own");
    const from = teller ? fill(gettext("from %(name)s"), { name: teller }) : own;
    const words = [element("strong", {}, who), " ", element("small", {}, `${timeText(momentOf(time))} · ${from}`)];
    const href = `/replay/${encodeURIComponent(record.town)}/${step}/#${encodeURIComponent(underscore)}`;
    const link = element("a", { href }, ...words);
    link.addEventListener("click", (event) => {
      this.lesson.did("follow");
      if (!town || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      town.goTo(step, [who]);
    });
    return link;
  }
}

/** Leads to the rules, by which the lesson is free. @param {string} costs */
function rulesFirst(costs) {
  return [costs, " ", gettext("The lesson is made for the rules, which are free:"), " ", element("a", { href: "/model/" }, gettext("choose them"))];
}

/** Why nothing can be done from here; null if it can. @param {?Status} status */
function obstacle(status) {
  if (status?.act === "sign in") return [gettext("To take part:"), " ", signInLink()];
  if (status?.act === "no") return [gettext("This server shows towns, but takes no requests.")];
  return status?.engine?.state === "none" ? [noEngineText(), " ", element("code", {}, START)] : null;
}
