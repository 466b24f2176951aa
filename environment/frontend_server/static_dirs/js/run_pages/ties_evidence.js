/** What is behind a tie: conversations, impressions and first thoughts of two people, each a jump to its moment. */

import { element, setText } from "../dom.js";
import { recordedElement } from "../recorded.js";
import { Refused } from "../server.js";
import { fill, gettext, ngettext } from "../translation.js";
import { computedAnswer } from "./computed_answer.js";
import { kindVerb } from "./ties_words.js";
/** @import { Page } from "../dom.js" */
/** @import { Graph } from "./ties_at.js" */

/**
 * @typedef {{kind: "talk"|"impression"|"thought", step: number, who: string, other: string, text: string, words?: string,
 *   lines?: number, feeling?: string, liking?: string, by_save?: boolean}} Evidence  as /ties_between/ tells it
 */

export class TiesEvidence {
  /**
   * @param {{section: HTMLElement, title: HTMLElement, box: HTMLElement}} parts
   * @param {{page: Page & {watch: string}, graph: Graph, whenText: (step: number) => string}} options
   */
  constructor({ section, title, box }, { page, graph, whenText }) {
    this.section = section;
    this.title = title;
    this.box = box;
    this.page = page;
    this.graph = graph;
    this.whenText = whenText;
    this.asked = 0;
  }

  /** Shows it up to a step, and moves there. @param {number} one  @param {number} other  @param {number} step */
  async open(one, other, step) {
    const [a, b] = [this.graph.people[one], this.graph.people[other]];
    const asked = ++this.asked;
    const list = element("ol", { class: "evidence" });
    const next = element("button", { type: "button", class: "button plain", hidden: true }, gettext("Show more"));
    const state = element("p", { class: "soft", role: "status" }, gettext("Reading the run …"));
    setText(this.title, fill(gettext("%(one)s and %(other)s"), { one: a, other: b }));
    this.box.replaceChildren(state, list, next);
    this.section.hidden = false;
    this.section.focus({ preventScroll: true });
    this.section.scrollIntoView({ block: "nearest" });
    const load = async () => {
      const query = new URLSearchParams({ store: this.page.store, a, b, step: String(step), skip: String(list.childElementCount) });
      const { count, evidence } = await computedAnswer(`/ties_between/${encodeURIComponent(this.page.sim_code)}/?${query}`, (text) => setText(state, text));
      if (asked !== this.asked) return;
      list.append(...evidence.map((/** @type {Evidence} */ each) => this.#item(each)));
      next.hidden = list.childElementCount >= count;
      setText(state, fill(ngettext("%(count)s piece of evidence up to then, the newest first", "%(count)s pieces of evidence up to then, the newest first", count), { count }));
    };
    next.addEventListener("click", () => void load());
    try {
      await load();
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      setText(state, fault.message);
    }
  }

  /** @param {Evidence} each */
  #item(each) {
    const last = Math.max(this.graph.first, this.graph.steps - 1);
    const step = Math.min(Math.max(each.step, this.graph.first), last);
    const when = each.step <= this.graph.first ? gettext("from the start") : this.whenText(each.step);
    const jump = element("a", { href: this.page.watch.replace("STEP", String(step)), class: "jump" }, when);
    const about = each.kind === "talk" ? [] : [each.text ? recordedElement("q", {}, each.text) : element("em", {}, gettext("Only those who may act can read this."))];
    return element("li", { "data-kind": each.kind }, jump, " ", element("span", {}, this.#what(each)), ...about, each.kind === "talk" && each.words ? recordedElement("q", {}, each.words) : null);
  }

  /** @param {Evidence} each */
  #what({ kind, who, other, lines, feeling, liking, by_save: bySave }) {
    if (kind === "talk") return fill(ngettext("Conversation, %(count)s line; %(who)s begins:", "Conversation, %(count)s lines; %(who)s begins:", lines), { count: lines, who });
    if (kind === "thought") return fill(gettext("%(who)s thinks of %(other)s for the first time:"), { who, other });
    const felt = feeling ? fill(gettext("Impression of %(who)s of %(other)s, with the feeling “%(feeling)s”"), { who, other, feeling }) : fill(gettext("Impression of %(who)s of %(other)s"), { who, other });
    const counts = liking ? fill(gettext("counts as: %(verb)s"), { verb: kindVerb(liking, false) }) : "";
    return `${[felt, counts, bySave ? gettext("noted by then") : ""].filter(Boolean).join("; ")}:`;
  }
}
