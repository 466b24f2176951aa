/** What has happened in a run, as /feed/ tells it: kept by step, filtered, repeats folded. Pure. */

import { gettext } from "../translation.js";

/**
 * @typedef {{step: number, kind: string, names: string[], text: string, recorded: string[], place: string, id: string}} Entry
 */

/**
 * The groups of kinds that can be chosen: their names, signs, kinds, and whether they are shown at first.
 * @type {Record<string, {label: () => string, sign: string, kinds: string[], isShown: boolean}>}
 */
export const GROUPS = {
  talks: { label: () => gettext("Talks"), sign: "💬", kinds: ["talk_begins"], isShown: true },
  outside: {
    label: () => gettext("From outside"),
    sign: "✨",
    kinds: ["intervention", "moves_in", "moves_out", "visitor", "state_ends"],
    isShown: true,
  },
  ways: { label: () => gettext("Comings"), sign: "🚶", kinds: ["arrives"], isShown: false },
  tasks: { label: () => gettext("Tasks"), sign: "📋", kinds: ["begins", "wakes", "sleeps"], isShown: true },
};

/**
 * Name of the group of a kind; null for kinds that are never listed, such as the end of a talk.
 * @param {string} kind
 */
export function groupOf(kind) {
  return Object.keys(GROUPS).find((name) => GROUPS[name].kinds.includes(kind)) ?? null;
}

export class FeedLog {
  constructor() {
    /** @type {Entry[]} */
    this.entries = []; // by step
    this.last = -1; // the last step that has been read
    this.ids = new Set();
  }

  /**
   * Adds what a response of /feed/ tells.
   * @param {{last: number, entries: Entry[]}} response  @returns {boolean} whether there was anything new
   */
  add({ last, entries }) {
    if (last < this.last) this.#cut(last);
    this.last = last;
    const fresh = entries.filter(({ id, kind }) => !this.ids.has(id) && groupOf(kind));
    for (const { id } of fresh) this.ids.add(id);
    this.entries = [...this.entries, ...fresh].toSorted((one, other) => one.step - other.step);
    return fresh.length > 0;
  }

  /** Interventions, as points in time. */
  get acts() {
    return this.entries.filter(({ kind }) => groupOf(kind) === "outside");
  }

  /** Drops what lies after a step: the run went back to it, and goes on otherwise. @param {number} last */
  #cut(last) {
    this.entries = this.entries.filter(({ step }) => step <= last);
    this.ids = new Set(this.entries.map(({ id }) => id));
  }
}

/**
 * Returns the entries of some groups, and of one person if there is one.
 * @param {Entry[]} entries  @param {Set<string>} groups  @param {string} person
 */
export function chosenEntries(entries, groups, person) {
  return entries.filter(({ kind, names }) => groups.has(groupOf(kind)) && (!person || names.includes(person)));
}

/**
 * Returns rows, newest first: entries that repeat the one before them are folded into one row.
 * @param {Entry[]} entries
 * @returns {Array<{entry: Entry, count: number}>} the newest of the folded entries, and how many they are
 */
export function foldEntries(entries) {
  /** @type {Array<{entry: Entry, count: number}>} */
  const rows = [];
  for (const entry of entries.toReversed()) {
    const row = rows.at(-1);
    if (row && row.entry.kind === entry.kind && row.entry.text === entry.text) row.count += 1;
    else rows.push({ entry, count: 1 });
  }
  return rows;
}

/** Number of entries up to a step; they are sorted by step. @param {Entry[]} entries  @param {number} step */
export function countUntil(entries, step) {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle].step <= step) low = middle + 1;
    else high = middle;
  }
  return low;
}
