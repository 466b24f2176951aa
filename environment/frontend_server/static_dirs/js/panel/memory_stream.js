/** The memory stream, newest first: search, filters, and links from a thought to its evidence. */

import { element, setText } from "../dom.js";
import { dateText, momentOf, timeText } from "../playback/clock.js";
import { fill, gettext, language, ngettext } from "../translation.js";
import { renderDialogue } from "./persona_card.js";

const PAGE_SIZE = 100; // memories shown at a time

/** Ids of the memories that a memory is based on. Old files have a single string or null. Pure. */
export function evidenceOf(node) {
  if (node.type === "chat" || !node.filling) return [];
  return (Array.isArray(node.filling) ? node.filling : [node.filling]).filter((id) => typeof id === "string");
}

/** Filters memories. Pure. @param {{text: string, types: Set<string>, least: number}} filter `least` poignancy */
export function filterMemories(nodes, { text, types, least }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return nodes.filter((node) => {
    if (!types.has(node.type) || node.poignancy < least) return false;
    const said = node.type === "chat" ? (node.filling ?? []).map((line) => line[1]).join(" ") : "";
    const all = `${node.description} ${node.subject} ${node.object} ${said}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

export class MemoryStream {
  /** @param {HTMLElement} box from the template  @param {Object[]} nodes newest first  @param {string} owner name of the persona */
  constructor(box, nodes, owner) {
    this.nodes = nodes;
    this.owner = owner;
    this.byId = new Map(nodes.map((node) => [node.id, node]));
    this.form = box.querySelector("form");
    this.list = box.querySelector("ol");
    this.count = box.querySelector("[data-part=count]");
    this.more = box.querySelector("[data-part=more]");
    this.form.addEventListener("input", () => this.#filter());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.more.addEventListener("click", () => this.#showMore());
    addEventListener("hashchange", () => this.#scrollToHash());
    for (const type of ["event", "thought", "chat"]) {
      setText(this.form.querySelector(`[data-count=${type}]`), String(nodes.filter((node) => node.type === type).length));
    }
    this.#filter();
    this.#scrollToHash();
  }

  #filter() {
    const form = new FormData(this.form);
    const found = filterMemories(this.nodes, {
      text: form.get("text"),
      types: new Set(form.getAll("type")),
      least: Number(form.get("least")),
    });
    this.found = found;
    this.list.replaceChildren();
    const words = ngettext("%(count)s memory", "%(count)s memories", found.length);
    setText(this.count, fill(words, { count: found.length }));
    this.#showMore();
  }

  #showMore(until = this.list.childElementCount + PAGE_SIZE) {
    const next = this.found.slice(this.list.childElementCount, until);
    this.list.append(...next.map((node) => this.#item(node)));
    this.more.hidden = this.list.childElementCount >= this.found.length;
  }

  /** Scrolls to the memory in the fragment of the address; resets the filters if they hide it. */
  #scrollToHash() {
    const node = this.byId.get(location.hash.slice(1));
    if (!node) return;
    if (!this.found.includes(node)) {
      this.form.reset();
      this.#filter();
    }
    this.#showMore(this.found.indexOf(node) + 1);
    const item = document.getElementById(node.id);
    item.querySelector("details")?.setAttribute("open", "");
    item.scrollIntoView({ block: "center" });
    item.focus({ preventScroll: true });
  }

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
    const text = element("div", { class: "text" }, element("p", {}, node.description), this.#details(node));
    return element(
      "li",
      { id: node.id, class: node.type, tabindex: "-1" },
      time,
      element("span", { class: "kind" }, kindOf(node.type)),
      text,
      measure,
    );
  }

  #details(node) {
    const evidence = evidenceOf(node);
    if (node.type === "chat" && node.filling?.length) {
      return element(
        "details",
        {},
        element("summary", {}, gettext("What was said")),
        renderDialogue(node.filling, this.owner),
      );
    }
    if (!evidence.length) return null;
    const label = node.type === "thought" ? gettext("Based on") : gettext("Part of");
    const links = evidence.map((id) =>
      element("li", {}, element("a", { href: `#${id}` }, this.byId.get(id)?.description ?? id)),
    );
    return element(
      "details",
      { class: "evidence" },
      element("summary", {}, `${label} (${evidence.length})`),
      element("ul", {}, ...links),
    );
  }
}

function kindOf(type) {
  return { event: gettext("Event"), thought: gettext("Thought"), chat: gettext("Conversation") }[type] ?? type;
}
