/** The conversations of a run: who talks with whom in a frame, and how far they have come. */

import { expectedLast, linesSaid, spokenAt } from "./dialogue.js";
/** @import { Persona } from "../dom.js" */
/** @import { Line, Span } from "./dialogue.js" */
/** @import { Frame } from "./frames.js" */

const BUBBLE = 84; // characters of what is said that a bubble shows at once

/**
 * @typedef {Object} Talk  a conversation at a moment
 * @property {string} key  the same in all its steps
 * @property {string[]} names  who takes part
 * @property {Line[]} chat  all lines, also those to come
 * @property {number} said  how many lines have begun
 * @property {string} speaker  who speaks
 * @property {string} words  the part of the line that is being said
 * @property {Span} span
 */

/**
 * @typedef {{first: number, last: number, names: string[], about: string}} Conversation  as /timeline/ tells it
 * @typedef {{start: string, sec_per_step: number, first: number, steps: number, conversations: Conversation[],
 *   days: Array<{first: number}>, damage: string[]}} Timeline  response of /timeline/
 */

export class Talks {
  /**
   * @param {{personas?: Persona[], sec_per_step?: number}} page
   * @param {Conversation[]} conversations of the timeline
   */
  constructor(page, conversations = []) {
    this.page = page;
    this.conversations = conversations; // {first, last, names, about}, by their first step
    this.newest = Infinity; // newest step of a live run; a conversation that lasts until then may go on
    this.groups = { frame: null, found: [] };
    /** @type {{among: number, names: Set<string>}} */
    this.visitors = { among: -1, names: new Set() };
    /** @type {{step: number, conversations: ?Conversation[], length: number, found: Map<string, Conversation|undefined>}} */
    this.last = { step: NaN, conversations: null, length: 0, found: new Map() };
  }

  /**
   * Takes over what the server found in the steps before `steps`.
   * @param {Conversation[]} conversations  @param {number} steps
   */
  know(conversations, steps) {
    const later = this.conversations.filter(({ first }) => first >= steps);
    this.conversations = [...conversations, ...later];
  }

  /**
   * Notes who talks in the newest step of a live run.
   * @param {number} step  @param {Frame} frame  @returns {boolean} whether a conversation has begun
   */
  observe(step, frame) {
    this.newest = Math.max(step, this.newest === Infinity ? 0 : this.newest);
    let begun = false;
    for (const { names, about } of this.#groupsOf(frame)) {
      const known = this.#find(names[0], step) ?? this.#find(names[0], step - 1);
      if (known) known.last = Math.max(known.last, step);
      else this.conversations.push({ first: step, last: step, names, about });
      begun ||= !known;
    }
    return begun;
  }

  /**
   * Returns the conversations of a frame at a position.
   * @param {Frame} frame  @param {number} position  @returns {Talk[]}
   */
  at(frame, position) {
    const step = Math.ceil(position);
    return this.#groupsOf(frame).map(({ key, names, chat }) => {
      const span = this.#spanOf(names, chat, step);
      const now = this.#grows(names) ? span.last : position;
      const { speaker, words } = spokenAt(chat, span, now, BUBBLE);
      return { key, names, chat, said: linesSaid(chat, span, now), speaker, words, span };
    });
  }

  /** @param {string[]} names  @param {Line[]} chat  @param {number} step */
  #spanOf(names, chat, step) {
    const known = this.#known(names[0], step) ?? { first: step, last: step };
    if (known.last < this.newest || this.newest === Infinity) return known;
    return { first: known.first, last: Math.max(known.last, expectedLast(chat, known.first, this.page.sec_per_step)) };
  }

  /** Conversations with a visitor come a turn a step, so the newest line is the current one. @param {string[]} names */
  #grows(names) {
    const { personas } = this.page;
    if (this.visitors.among !== personas.length)
      this.visitors = { among: personas.length, names: new Set(personas.filter(({ visitor }) => visitor).map(({ name }) => name)) };
    return names.some((name) => this.visitors.names.has(name));
  }

  /** The conversation of somebody in a step; looked for once, not on every tick. @param {string} name  @param {number} step */
  #known(name, step) {
    const { conversations } = this;
    const { length } = conversations;
    if (this.last.step !== step || this.last.conversations !== conversations || this.last.length !== length)
      this.last = { step, conversations, length, found: new Map() };
    if (!this.last.found.has(name)) this.last.found.set(name, this.#find(name, step));
    return this.last.found.get(name);
  }

  /** @param {string} name  @param {number} step */
  #find(name, step) {
    return this.conversations.findLast(
      ({ first, last, names }) => first <= step && step <= last && names.includes(name),
    );
  }

  /**
   * Those with the same transcript talk with each other. Frames are kept as they are, so the last one is cached.
   * @param {Frame} frame
   */
  #groupsOf(frame) {
    if (this.groups.frame === frame) return this.groups.found;
    /** @type {Map<string, {key: string, names: string[], chat: Line[], about: string}>} */
    const groups = new Map();
    for (const [name, { chat, description }] of Object.entries(frame)) {
      if (!chat?.length) continue;
      const key = String(chat[0]);
      const about = description.split(" @ ").slice(0, -1).join(" @ ");
      if (!groups.has(key)) groups.set(key, { key, names: [], chat, about });
      groups.get(key).names.push(name);
    }
    for (const group of groups.values())
      group.names = [...new Set([...group.names, ...group.chat.map(([speaker]) => speaker)])];
    this.groups = { frame, found: [...groups.values()] };
    return this.groups.found;
  }
}

/** What happens before a step. Pure. @param {Timeline} timeline  @param {number} step */
export function timelineUntil(timeline, step) {
  const conversations = timeline.conversations
    .filter(({ first }) => first < step)
    .map((talk) => ({ ...talk, last: Math.min(talk.last, step - 1) }));
  const days = timeline.days.filter(({ first }) => first < step);
  return { ...timeline, steps: Math.min(timeline.steps, step), conversations, days };
}
