/** The memory stream, newest first, in chapters: what matters, search, filters, and links from a thought to its evidence. */

import { element, setText } from "../dom.js";
import { whyLink } from "../asking/why_link.js";
import { dateText, momentOf, timeText } from "../playback/clock.js";
import { recordedElement } from "../recorded.js";
import { fill, gettext, language, ngettext } from "../translation.js";
import { chapterHeading, inChapters, peopleMet } from "./chapters.js";
import { renderDialogue } from "../panel/persona_card.js";
import { evidenceOf, isTrivial, linesOf, pinnedThoughts } from "./trivia.js";
/** @import { Chapter } from "./chapters.js" */
/** @import { MemoryNode } from "./trivia.js" */

const PAGE_SIZE = 100; // memories shown at a time

/**
 * Filters memories. Trivial ones are hidden unless all are asked for, they are searched for, or revealed by a link. Pure.
 * @param {MemoryNode[]} nodes
 * @param {{text: string, types: Set<string>, least: number, all?: boolean, revealed?: Set<string>}} filter `least` poignancy
 * @returns {{found: MemoryNode[], hidden: number}} `hidden`: how many fit but are trivial
 */
export function filterMemories(nodes, { text, types, least, all = true, revealed = new Set() }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = nodes.filter((node) => {
    if (!types.has(node.type) || node.poignancy < least) return false;
    const said = linesOf(node).map((line) => line[1]).join(" ");
    const written = `${node.description} ${node.subject} ${node.object} ${said}`.toLowerCase();
    return words.every((word) => written.includes(word));
  });
  const found = fitting.filter((node) => all || words.length || revealed.has(node.id) || !isTrivial(node));
  return { found, hidden: fitting.length - found.length };
}

/** @typedef {{node: MemoryNode} | {chapter: Chapter, met: string[]}} StreamRow  a memory, or the heading above some */

export class MemoryStream {
  /**
   * @param {HTMLElement} box from the template  @param {MemoryNode[]} nodes newest first
   * @param {string} owner name of the persona
   * @param {(node: MemoryNode) => ?string} whyOf  address of the causes of a memory; null for none
   */
  constructor(box, nodes, owner, whyOf) {
    this.whyOf = whyOf;
    this.nodes = nodes;
    this.owner = owner;
    /** @type {Chapter[]} */
    this.chapters = [];
    this.revealed = new Set(); // ids of trivial memories that a link has opened
    this.byId = new Map(nodes.map((node) => [node.id, node]));
    this.form = box.querySelector("form");
    this.list = box.querySelector("[data-part=memories]");
    this.count = box.querySelector("[data-part=count]");
    this.more = box.querySelector("[data-part=more]");
    this.form.addEventListener("input", () => this.#filter());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.more.addEventListener("click", () => this.#showMore());
    addEventListener("hashchange", () => this.#openHash());
    for (const type of ["event", "thought", "chat"]) {
      setText(this.form.querySelector(`[data-count=${type}]`), String(nodes.filter((node) => node.type === type).length));
    }
    this.#showPins(box.querySelector("[data-part=pins]"));
    this.#filter();
    this.#openHash();
  }

  /** Divides the stream into chapters. @param {Chapter[]} chapters */
  tell(chapters) {
    const active = document.activeElement?.id;
    this.chapters = chapters;
    this.#filter();
    if (this.byId.has(active)) this.#open(this.byId.get(active));
  }

  #filter() {
    const form = new FormData(this.form);
    const text = String(form.get("text"));
    const types = new Set(form.getAll("type").map(String));
    const least = Number(form.get("least"));
    const { revealed } = this;
    const { found, hidden } = filterMemories(this.nodes, { text, types, least, all: form.has("all"), revealed });
    this.found = found;
    const isNarrowed = Boolean(text.trim()) || types.size < 3 || least > 1;
    this.rows = this.#rowsOf(found, isNarrowed);
    this.list.replaceChildren();
    this.#showCount(found.length, hidden);
    this.#showMore();
  }

  /**
   * Memories and the chapters above them. Chapters without memories are told too, unless something is looked for.
   * @param {MemoryNode[]} found  @param {boolean} isNarrowed
   * @returns {StreamRow[]}
   */
  #rowsOf(found, isNarrowed) {
    if (!this.chapters.length) return found.map((node) => ({ node }));
    const met = new Map(inChapters(this.nodes, this.nodes, this.chapters).map(({ chapter, nodes }) => [chapter, nodes]));
    return inChapters(this.nodes, found, this.chapters).flatMap(({ chapter, nodes }) => {
      const isTold = nodes.length || (!isNarrowed && chapter.tasks.length);
      const heading = { chapter, met: peopleMet(met.get(chapter), this.owner) };
      return isTold ? [heading, ...nodes.map((node) => ({ node }))] : [];
    });
  }

  /** @param {number} shown  @param {number} hidden */
  #showCount(shown, hidden) {
    const memories = fill(ngettext("%(count)s memory", "%(count)s memories", shown), { count: shown });
    const trivial = fill(ngettext("%(count)s trivial one hidden", "%(count)s trivial ones hidden", hidden), { count: hidden });
    setText(this.count, hidden ? `${memories}, ${trivial}` : memories);
  }

  /** Appends rows until that many more memories are shown. */
  #showMore(wanted = PAGE_SIZE) {
    let from = this.list.childElementCount;
    for (let memories = 0; from < this.rows.length && memories < wanted; from += 1) {
      const row = this.rows[from];
      this.list.append("node" in row ? this.#item(row.node) : chapterHeading(row));
      memories += "node" in row ? 1 : 0;
    }
    this.more.hidden = from >= this.rows.length;
  }

  #openHash() {
    const node = this.byId.get(location.hash.slice(1));
    if (node) this.#open(node);
  }

  /** Shows a memory, also a trivial one; resets the filters if they hide it. @param {MemoryNode} node */
  #open(node) {
    if (!this.found.includes(node)) {
      this.form.reset();
      this.revealed.add(node.id);
      this.#filter();
    }
    while (!document.getElementById(node.id)) this.#showMore();
    const item = document.getElementById(node.id);
    item.querySelector("details")?.setAttribute("open", "");
    item.scrollIntoView({ block: "center" });
    item.focus({ preventScroll: true });
  }

  /** @param {HTMLElement} box */
  #showPins(box) {
    const pinned = pinnedThoughts(this.nodes);
    box.hidden = !pinned.length;
    box.querySelector("ol").replaceChildren(...pinned.map((node) => this.#pin(node)));
  }

  /** @param {MemoryNode} node */
  #pin(node) {
    const evidence = evidenceOf(node).length;
    const rests = fill(ngettext("rests on %(count)s memory", "rests on %(count)s memories", evidence), { count: evidence });
    const weight = fill(gettext("poignancy %(weight)s"), { weight: node.poignancy });
    const facts = [momentText(node), weight, evidence ? rests : ""].filter(Boolean).join(" · ");
    return element(
      "li",
      {},
      recordedElement("a", { href: `#${node.id}` }, node.description),
      element("small", {}, facts),
    );
  }

  /** @param {MemoryNode} node */
  #item(node) {
    const moment = momentOf(node.created);
    const time = element(
      "time",
      { datetime: node.created },
      element("b", {}, timeText(moment)),
      dateText(moment, language, { short: true }),
    );
    const weight = element("meter", { min: 0, max: 10, value: node.poignancy, "aria-label": gettext("Poignancy") });
    const measure = element("span", { class: "weight", title: gettext("Poignancy") }, weight, String(node.poignancy));
    const text = element("div", { class: "text" }, recordedElement("p", {}, node.description), this.#details(node), whyLink(this.whyOf(node), node.description));
    const kind = isTrivial(node) ? `${node.type} trivial` : node.type;
    return element(
      "li",
      { id: node.id, class: kind, tabindex: "-1" },
      time,
      element("span", { class: "kind" }, kindOf(node.type)),
      text,
      measure,
    );
  }

  /** @param {MemoryNode} node */
  #details(node) {
    const evidence = evidenceOf(node);
    if (linesOf(node).length) {
      return element(
        "details",
        {},
        element("summary", {}, gettext("What was said")),
        renderDialogue(linesOf(node), this.owner),
      );
    }
    if (!evidence.length) return null;
    const label = node.type === "thought" ? gettext("Based on") : gettext("Part of");
    const links = evidence.map((id) =>
      element("li", {}, recordedElement("a", { href: `#${id}` }, this.byId.get(id)?.description ?? id)),
    );
    return element(
      "details",
      { class: "evidence" },
      element("summary", {}, `${label} (${evidence.length})`),
      element("ul", {}, ...links),
    );
  }
}

/** @param {MemoryNode} node */
function momentText({ created }) {
  const moment = momentOf(created);
  return `${dateText(moment, language, { short: true })}, ${timeText(moment)}`;
}

/** @param {MemoryNode["type"]} type */
function kindOf(type) {
  return { event: gettext("Event"), thought: gettext("Thought"), chat: gettext("Conversation") }[type] ?? type;
}
