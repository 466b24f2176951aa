/** Divides a memory stream into the chapters of its days. */

import { element } from "../dom.js";
import { dateText, momentOf, timeText } from "../playback/clock.js";
import { doingElement } from "../doings.js";
import { fill, gettext, language } from "../translation.js";
import { capitalize } from "../panel/descriptions.js";
import { evidenceOf, linesOf } from "./trivia.js";
/** @import { MemoryNode } from "./trivia.js" */

const MINUTE = 60_000; // milliseconds
/** @type {Chapter} */
const BEFORE = { kind: "before", begin: -Infinity, end: -Infinity, tasks: [] };

/**
 * @typedef {{kind: string, date: string, start: number, end: number, tasks: string[]}} ToldChapter  minutes since midnight
 * @typedef {{kind: string, begin: number, end: number, tasks: string[]}} Chapter  moments
 * @param {ToldChapter[]} told chapters as in the response of /days/, in their order
 * @returns {Chapter[]}
 */
export function readChapters(told) {
  return told.map(({ date, start, end, ...chapter }) => {
    const midnight = momentOf(`${date}T00:00:00`);
    return { ...chapter, begin: midnight + start * MINUTE, end: midnight + end * MINUTE };
  });
}

/**
 * Puts memories into chapters. What a persona knew from the start is a chapter of its own. Pure.
 * @param {MemoryNode[]} all memories of the stream, newest first  @param {MemoryNode[]} shown  those to put into chapters
 * @param {Chapter[]} chapters
 * @returns {Array<{chapter: Chapter, nodes: MemoryNode[]}>} newest first; also chapters without memories
 */
export function inChapters(all, shown, chapters) {
  const oldest = all.at(-1)?.created;
  const groups = [BEFORE, ...chapters].map((chapter) => ({ chapter, nodes: /** @type {MemoryNode[]} */ ([]) })).reverse();
  for (const node of shown) {
    const begun = momentOf(node.created);
    const known = isKnownFromStart(node, oldest);
    const found = groups.find(({ chapter }) => (known ? chapter === BEFORE : chapter.begin <= begun));
    found.nodes.push(node);
  }
  return groups;
}

/** @param {MemoryNode} node  @param {string} oldest */
function isKnownFromStart(node, oldest) {
  return node.type === "thought" && node.created === oldest && node.predicate !== "plan" && !evidenceOf(node).length;
}

/**
 * Names of those with whom the owner of the memories talked, in their order. Pure.
 * @param {MemoryNode[]} nodes newest first  @param {string} owner
 */
export function peopleMet(nodes, owner) {
  const talks = nodes.filter(({ type }) => type === "chat").reverse();
  const names = talks.flatMap((talk) => [talk.object, ...linesOf(talk).map(([speaker]) => speaker)]);
  return [...new Set(names)].filter((name) => name && name !== owner);
}

/**
 * The heading of a chapter: its part of the day, what took most of it, and whom the owner met.
 * @param {{chapter: Chapter, met: string[]}} heading
 */
export function chapterHeading({ chapter, met }) {
  const title = element("h3", {}, titleOf(chapter));
  if (chapter.kind !== "before") title.append(" ", element("small", {}, timesOf(chapter)));
  const done = chapter.tasks.flatMap((task, place) => [place ? " · " : "", doingElement("span", {}, capitalize(task))]);
  const talked = met.length ? fill(gettext("Talked with %(names)s"), { names: met.join(", ") }) : "";
  return element(
    "li",
    { class: "chapter" },
    title,
    done.length ? element("p", { class: "tasks" }, ...done) : null,
    talked ? element("p", { class: "met" }, talked) : null,
  );
}

/** @param {Chapter} chapter */
function titleOf({ kind, begin }) {
  /** @type {Record<string, string>} */
  const parts = {
    before: gettext("Known from the start"),
    night: gettext("Night"),
    morning: gettext("Morning"),
    noon: gettext("Noon"),
    afternoon: gettext("Afternoon"),
    evening: gettext("Evening"),
  };
  const part = parts[kind] ?? kind;
  return kind === "before" ? part : `${part}, ${dateText(begin, language, { short: true, within: true })}`;
}

/** @param {Chapter} chapter */
function timesOf({ begin, end }) {
  return `${timeText(begin)}–${timeText(end)}`;
}
