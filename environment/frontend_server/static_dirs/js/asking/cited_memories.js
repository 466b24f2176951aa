/** The memories that were retrieved for an answer: links into the memory stream, each with its scores. */

import { element } from "../dom.js";
import { recordedElement } from "../recorded.js";
import { fill, gettext, language, ngettext } from "../translation.js";

const SHOWN = 4; // memories that are shown without asking
/** @type {Record<Score, () => string>} */
const SCORES = {
  recency: () => gettext("recency"),
  relevance: () => gettext("relevance"),
  importance: () => gettext("importance"),
};

/**
 * @typedef {"recency"|"relevance"|"importance"} Score
 * @typedef {{node: string, description: string, recency: number, relevance: number, importance: number, score: number}} CitedMemory
 * @typedef {{href: (node: string) => string, open: (event: MouseEvent, node: string) => void}} MemoryLinks  `href` returns the
 *   address of a memory; `open` handles a click on it
 */

/**
 * @param {?CitedMemory[]} memories  of an acknowledgement
 * @param {boolean} byRules  whether the offline rules answered, and no model
 * @param {MemoryLinks} links
 */
export function citedMemories(memories, byRules, { href, open }) {
  const source = byRules ? gettext("Answered by rules") : "";
  if (!memories?.length) {
    return element("p", { class: "cited none" }, sentences(source, gettext("No memory came to mind.")));
  }
  const retrieved = ngettext("Retrieved %(count)s memory", "Retrieved %(count)s memories", memories.length);
  const count = sentences(source, fill(retrieved, { count: memories.length }));
  const items = [...memories]
    .sort((one, other) => other.score - one.score)
    .map((memory) => item(memory, { href, open }));
  const list = element("ol", {}, ...items);
  const box = element("details", { class: "cited", open: true }, element("summary", {}, count), legend(), list);
  if (items.length > SHOWN) box.append(moreButton(items.slice(SHOWN)));
  return box;
}

/** @param {string} first  @param {string} second */
function sentences(first, second) {
  return first ? `${first}. ${second}` : second;
}

/** @param {CitedMemory} memory  @param {MemoryLinks} links */
function item(memory, { href, open }) {
  const link = recordedElement("a", { href: href(memory.node) }, memory.description);
  link.addEventListener("click", (event) => open(event, memory.node));
  return element("li", {}, link, bars(memory));
}

/** @returns {Array<[Score, () => string]>} names of scores */
function scores() {
  return /** @type {Array<[Score, () => string]>} */ (Object.entries(SCORES));
}

/** Three small bars; screen readers hear the numbers. @param {CitedMemory} memory */
function bars(memory) {
  const words = scores().map(([score, name]) => `${name()} ${number(memory[score])}`);
  const box = element("span", {
    class: "scores",
    role: "img",
    "aria-label": words.join(", "),
    title: words.join("\n"),
  });
  for (const [score] of scores()) {
    const part = element("b", {});
    const bar = element("i", { class: score }, part);
    part.style.width = `${Math.round(100 * Math.min(1, Math.max(0, memory[score] ?? 0)))}%`;
    box.append(bar);
  }
  return box;
}

/** @param {?number} score */
function number(score) {
  return new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(score ?? 0);
}

function legend() {
  const meanings = {
    recency: gettext("how lately it came to mind"),
    relevance: gettext("how close it is to the question"),
    importance: gettext("how much it matters"),
  };
  const parts = scores().map(([score, name]) =>
    element("span", { class: score }, element("i", { "aria-hidden": "true" }), `${name()}: ${meanings[score]}`),
  );
  return element("p", { class: "legend" }, ...parts);
}

/** @param {HTMLElement[]} items */
function moreButton(items) {
  const button = element("button", { type: "button", class: "link" });
  const text = ngettext("Show %(count)s more", "Show %(count)s more", items.length);
  button.textContent = fill(text, { count: items.length });
  for (const one of items) one.hidden = true;
  button.addEventListener("click", () => {
    for (const one of items) one.hidden = false;
    button.remove();
    items[0].querySelector("a").focus();
  });
  return button;
}
