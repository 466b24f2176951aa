/** The memory stream: newest first, searched and filtered; a reflection leads to the memories it came from. */

import { element, say } from "../dom.js";
import { dateText, momentOf, timeText } from "../story/clock.js";
import { fill, gettext, language, ngettext } from "../words.js";
import { talkLines } from "./card.js";

const PAGE = 100; // memories shown before one asks for more

/** The ids a memory came from; old files hold a bare string or null. Pure. */
export function evidenceOf(node) {
  if (node.type === "chat" || !node.filling) return [];
  return (Array.isArray(node.filling) ? node.filling : [node.filling]).filter((id) => typeof id === "string");
}

/** Those memories that a reader asks for. Pure. @param {{text: string, types: Set<string>, least: number}} wish */
export function chosen(nodes, { text, types, least }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return nodes.filter((node) => {
    if (!types.has(node.type) || node.poignancy < least) return false;
    const said = node.type === "chat" ? (node.filling ?? []).map((line) => line[1]).join(" ") : "";
    const all = `${node.description} ${node.subject} ${node.object} ${said}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

export class Stream {
  /** @param {HTMLElement} box of the template  @param {Object[]} nodes newest first  @param {string} owner whose memory it is */
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
    addEventListener("hashchange", () => this.#toHash());
    for (const type of ["event", "thought", "chat"]) {
      say(this.form.querySelector(`[data-count=${type}]`), String(nodes.filter((node) => node.type === type).length));
    }
    this.#filter();
    this.#toHash();
  }

  #filter() {
    const wish = new FormData(this.form);
    const found = chosen(this.nodes, {
      text: wish.get("text"),
      types: new Set(wish.getAll("type")),
      least: Number(wish.get("least")),
    });
    this.found = found;
    this.list.replaceChildren();
    const words = ngettext("%(count)s memory", "%(count)s memories", found.length);
    say(this.count, fill(words, { count: found.length }));
    this.#showMore();
  }

  #showMore(until = this.list.childElementCount + PAGE) {
    const next = this.found.slice(this.list.childElementCount, until);
    this.list.append(...next.map((node) => this.#item(node)));
    this.more.hidden = this.list.childElementCount >= this.found.length;
  }

  /** Goes to the memory that the address names, even if it was filtered out. */
  #toHash() {
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
        talkLines(node.filling, this.owner),
      );
    }
    if (!evidence.length) return null;
    const label = node.type === "thought" ? gettext("It came from") : gettext("It belongs to");
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
