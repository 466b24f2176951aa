/** Texts of a comparison. Pure functions. */

import { capitalize } from "../panel/descriptions.js";
import { fill, gettext, ngettext } from "../translation.js";
/** @import { DifferentSpan } from "./spans.js" */
/** @import { Line } from "../playback/dialogue.js" */

/**
 * @typedef {{kind: string, step: number, who: string, a: string, b: string}} Difference  what is different at first: a
 *   memory, decision or move; `a` and `b` are its versions
 * @typedef {{kind: string, who: string, step: number, words: string}} LoggedIntervention
 * @typedef {{step: number, who: string, via: string, through: string, words: string}} Way  how a difference came to a person
 * @typedef {Array<[number, string, string]>} Spreading  step, who heard of some news, and who told it
 * @typedef {{news: string, a: Spreading, b: Spreading}} Curve
 * @typedef {{what: string, a: ?number, b: ?number, digits: number}} Outcome
 * @typedef {{calls: number, tokens: number, dollars: number, failed: number, corrected: number}} ModelCost
 * @typedef {{step: number, who: string, question: string, asked_by: "both"|"a"|"b",
 *   lines: Array<Array<{of: "both"|"a"|"b", words: string}>>}} DifferentPrompt
 * @typedef {{talks: Array<{step: number, names: string[], lines: Line[]}>, plans: OwnMemory[], memories: OwnMemory[],
 *   counts: Record<string, number>}} OnlyHere  what only one of two runs has
 * @typedef {{who: string, step: number, text: string}} OwnMemory
 * @typedef {{name: string, steps: number, citation: string, rerun: string}} ComparedRun
 */

/**
 * @typedef {Object} Comparison  response of /comparison/
 * @property {string} static  base of static files
 * @property {{first: number, end: number, until: ?number, movement: ?number}} equal  `until`: the first step that differs
 * @property {ComparedRun} a
 * @property {ComparedRun} b
 * @property {Record<string, DifferentSpan[]>} people
 * @property {Difference[]} memories
 * @property {Difference[]} decisions
 * @property {Difference[]} moves
 * @property {Way[]} spread
 * @property {{moved: string[], reached: string[], reached_unmoved: string[], moved_unreached: string[]}} reach
 * @property {string[]} residents_a  who lives in one of the towns only
 * @property {string[]} residents_b
 * @property {DifferentPrompt[]} prompts
 * @property {string} prompts_from
 * @property {{measures: Outcome[], curves: Curve[], ties: Array<{what: string, only_a: string[], only_b: string[]}>,
 *   cost_a: ?ModelCost, cost_b: ?ModelCost}} outcomes
 * @property {{differences: Array<{what: string, a: string, b: string}>, only_a: LoggedIntervention[],
 *   only_b: LoggedIntervention[]}} set_up
 * @property {OnlyHere} only_a
 * @property {OnlyHere} only_b
 */

const INTERVENTIONS = {
  whisper: () => gettext("whisper"),
  memory_add: () => gettext("planted memory"),
  memory_drop: () => gettext("removed memory"),
  trait: () => gettext("line of the character"),
  history: () => gettext("history"),
  object: () => gettext("state of an object"),
  event: () => gettext("event at a place"),
  talk: () => gettext("conversation with a user"),
  rule: () => gettext("rule"),
};
const MEASURES = {
  steps: () => gettext("steps"),
  "know of the party": () => gettext("know of Isabella's party"),
  "know of the candidacy": () => gettext("know of Sam's candidacy"),
  "density at the start": () => gettext("density of ties at the start"),
  "density at the end": () => gettext("density of ties at the end"),
  "pairs who talked": () => gettext("pairs who talked"),
  conversations: () => gettext("conversations"),
  "invited to the party": () => gettext("invited to the party"),
  accepted: () => gettext("accepted"),
  "accepted and came": () => gettext("accepted and came"),
  "invited and came": () => gettext("invited and came"),
  "came uninvited": () => gettext("came uninvited"),
  "different activities": () => gettext("different activities"),
  appointments: () => gettext("appointments"),
  kept: () => gettext("appointments kept"),
  broken: () => gettext("appointments broken"),
  introductions: () => gettext("introductions"),
  "between acquaintances": () => gettext("introductions between acquaintances"),
  "know each other at the end": () => gettext("know each other at the end"),
  "talked with each other": () => gettext("talked with each other"),
  "came to the party": () => gettext("came to the party"),
  "the party": () => gettext("Isabella's party"),
  "the candidacy": () => gettext("Sam's candidacy"),
};
const PROPERTIES = {
  origin: () => gettext("origin"),
  map: () => gettext("map"),
  "seconds per step": () => gettext("seconds per step"),
  begins: () => gettext("begins"),
  people: () => gettext("people"),
  seed: () => gettext("seed"),
  embedder: () => gettext("embedder"),
  language: () => gettext("language"),
  "answers from": () => gettext("answers from"),
};
const KINDS = {
  memory: () => gettext("Memory"),
  decision: () => gettext("Decision"),
  move: () => gettext("Move"),
};

/** @param {Record<string, () => string>} names  @param {string} key  @returns {string} */
const named = (names, key) => (Object.hasOwn(names, key) ? names[key]() : key);

/** @param {string} kind */
export const interventionName = (kind) => named(INTERVENTIONS, kind);
/** @param {string} what */
export const measureName = (what) => named(MEASURES, what);
/** @param {string} what */
export const propertyName = (what) => named(PROPERTIES, what);
/** @param {string} kind */
export const kindName = (kind) => named(KINDS, kind);

/** The sentences at the top. @param {Comparison} found  @param {(step: number) => string} timeOf */
export function summary(found, timeOf) {
  return [equality(found, timeOf), cause(found), ending(found, timeOf), ...residents(found), firstToDiffer(found, timeOf), effect(found)].filter(Boolean);
}

/**
 * What belongs to side A, and what to B.
 * @template T
 * @param {T} a  @param {T} b  @returns {Array<["A"|"B", T]>}
 */
export function bySide(a, b) {
  return [["A", a], ["B", b]];
}

/**
 * Where the shorter run ends, if one is shorter.
 * @param {Comparison} found  @param {(step: number) => string} timeOf
 */
function ending({ a, b, equal }, timeOf) {
  if (a.steps === b.steps || equal.end <= equal.first) return "";
  const [shorter, longer] = a.steps < b.steps ? ["A", "B"] : ["B", "A"];
  return fill(gettext("%(shorter)s ends at %(time)s; the rest of %(longer)s is not compared."), { shorter, longer, time: timeOf(equal.end) });
}

/** Who lives in one of the towns only. @param {Comparison} found */
function residents({ residents_a: onlyA, residents_b: onlyB }) {
  return bySide(onlyA, onlyB).filter(([, names]) => names.length).map(([side, names]) => fill(gettext("Only in %(side)s: %(names)s."), { side, names: names.join(", ") }));
}

/** @param {Comparison} found  @param {(step: number) => string} timeOf */
function equality({ equal }, timeOf) {
  const steps = equal.end - equal.first;
  const values = { steps: String(steps) };
  if (equal.end <= equal.first) return gettext("The two runs have no steps in common.");
  if (equal.until === null) return fill(ngettext("Both runs are equal in the %(steps)s step that they share.", "Both runs are equal in all %(steps)s steps that they share.", steps), values);
  if (equal.until === equal.first) return gettext("The two runs differ from the beginning.");
  return fill(gettext("Both runs are equal until %(time)s (step %(step)s)."), { time: timeOf(equal.until), step: equal.until });
}

/** What differs in the set-up, if it is one thing; else how much. @param {Comparison} found */
function cause({ set_up: setUp }) {
  const { differences, only_a: onlyA, only_b: onlyB } = setUp;
  const count = differences.length + Math.max(onlyA.length, onlyB.length);
  if (!count) return gettext("Nothing differs in their set-up.");
  if (count > 1) return fill(ngettext("%(count)s thing differs in their set-up.", "%(count)s things differ in their set-up.", count), { count });
  if (differences.length) return fill(gettext("One thing differs in their set-up: %(what)s."), { what: propertyName(differences[0].what) });
  const row = onlyB[0] ?? onlyA[0];
  return fill(gettext("One thing differs in their set-up: %(what)s."), { what: rowText(row) });
}

/** `whisper to Klaus Mueller`. @param {{kind: string, who: string}} row */
export function rowText({ kind, who }) {
  const what = interventionName(kind);
  return who ? fill(gettext("%(what)s to %(who)s"), { what, who }) : what;
}

/** @param {Comparison} found  @param {(step: number) => string} timeOf */
function firstToDiffer({ equal, memories, decisions, moves }, timeOf) {
  const all = [...memories, ...decisions, ...moves].sort((one, other) => one.step - other.step);
  if (equal.until === null || !all.length) return "";
  return fill(gettext("The first to differ is %(who)s, at %(time)s."), { who: all[0].who, time: timeOf(all[0].step) });
}

/** @param {Comparison} found */
function effect({ equal, reach, people }) {
  if (equal.until === null) return "";
  const all = Object.keys(people).length;
  return fill(ngettext("%(count)s of %(all)s people does something else at some time.", "%(count)s of %(all)s people do something else at some time.", reach.moved.length), { count: reach.moved.length, all });
}

/** How a difference came to a persona. @param {{via: string, through: string}} way */
export function wayText({ via, through }) {
  if (via === "intervention") return gettext("from outside");
  if (via === "talk") return fill(gettext("in a talk with %(name)s"), { name: through });
  if (via === "sight") return fill(gettext("saw %(name)s"), { name: through });
  return gettext("no contact recorded");
}

/** `the party: 12 know in A, 3 in B`. @param {Curve} curve */
export function curveText({ news, a, b }) {
  return capitalize(fill(gettext("%(news)s: %(a)s know of it in A, %(b)s in B"), { news: measureName(news), a: a.length, b: b.length }));
}

/**
 * A number with as many digits as its row has; a dash if there is none.
 * @param {?number} value  @param {number} digits  @param {string} locale
 */
export function numberText(value, digits, locale, { signed = false } = {}) {
  if (value === null) return "–";
  /** @type {Intl.NumberFormatOptions} */
  const form = { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: signed ? "exceptZero" : "auto" };
  return new Intl.NumberFormat(locale, form).format(value).replace("-", "−");
}
