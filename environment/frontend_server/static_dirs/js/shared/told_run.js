/**
 * The run that a shared file tells: frames from the tracks of its people, conversations, and minds as of a step. Tracks
 * hold what changes, as `ville.sharing.tracks` writes them. Pure.
 */

import { byName } from "../by_name.js";
/** @import { Persona } from "../dom.js" */
/** @import { MemoryNode } from "../mind/trivia.js" */
/** @import { Line } from "../playback/dialogue.js" */
/** @import { Frame, PersonaRecord } from "../playback/frames.js" */
/** @import { Conversation } from "../playback/talks.js" */

const MEMORY_KINDS = /** @type {const} */ ([["event", ""], ["thought", ""], ["chat", ""], ["event", "chat with"], ["thought", "plan"]]);
const AWAY = -1; // column of somebody who is not in town

/**
 * @typedef {[second: number, kind: number, poignancy: number, text: number, evidence?: Array<number|[string, number]>]} SharedMemory
 * @typedef {[step: number, currently: string, plan: Array<[string, number]>]} SharedState  plan: text and minutes
 * @typedef {{name: string, moves: number[], acts: number[], visitor?: boolean, portrait: string, initials: string,
 *   traits?: Record<string, string|number>, states?: SharedState[], memories?: SharedMemory[]}} SharedPerson
 * @typedef {{name: string, title: string, start: string, sec_per_step: number, steps: number, language: string,
 *   people: SharedPerson[], texts: string[], places: SharedPlace[],
 *   talks: Array<{first: number, last: number, names: string[], about: number, chat: Array<[string, number]>}>}} SharedRun
 * @typedef {{name: string, kind: "sector"|"home"|"arena", sector?: string, box: [number, number, number, number]}} SharedPlace
 *   box: first column and row, last column and row
 */

export class ToldRun {
  /** @param {SharedRun} shared */
  constructor(shared) {
    this.shared = shared;
    this.first = 0;
    this.steps = shared.steps;
    /** @type {Persona[]} */
    this.personas = shared.people.map(({ name, initials, visitor, portrait }) => {
      return { name, underscore: name.replaceAll(" ", "_"), initials, sprite: "", visitor, portrait };
    });
    this.tracks = shared.people.map(({ name, moves, acts }) => ({ name, moves: new Changes(moves), acts: new Changes(acts) }));
    this.talks = shared.talks.map(({ chat, about, ...talk }) => ({ ...talk, about: shared.texts[about], chat: this.#lines(chat) }));
    /** @type {Array<[number, Frame]>} */
    this.latest = []; // those returned last, because a scene has two
  }

  /** @returns {Conversation[]} */
  get conversations() {
    return this.talks;
  }

  /** The frame of a step; the same object as long as it is one of the last two. @param {number} step  @returns {Frame} */
  peek(step) {
    const known = this.latest.find(([number]) => number === step);
    if (known) return known[1];
    const frame = this.#frame(step);
    this.latest = [...this.latest.slice(-1), [step, frame]];
    return frame;
  }

  /** @param {number} step */
  #frame(step) {
    const talking = new Map(this.talks.flatMap(({ first, last, names, chat }) => (first <= step && step <= last ? names.map((name) => /** @type {const} */ ([name, chat])) : [])));
    const { texts } = this.shared;
    return byName(
      this.tracks.flatMap(({ name, moves, acts }) => {
        const [column, row] = moves.at(step);
        const [doing, emoji] = acts.at(step);
        const record = { movement: [column, row], description: texts[doing] ?? "", pronunciatio: texts[emoji] ?? "", chat: talking.get(name) ?? null };
        return column === AWAY ? [] : [/** @type {[string, PersonaRecord]} */ ([name, record])];
      }),
    );
  }

  /** How many memories a person has at a step. @param {string} name  @param {number} step */
  countMemories(name, step) {
    const memories = this.#person(name).memories ?? [];
    const later = memories.findIndex(([second]) => second > step * this.shared.sec_per_step);
    return later < 0 ? memories.length : later;
  }

  /** The memories of a person at a step, newest first. @param {string} name  @param {number} step  @returns {MemoryNode[]} */
  memories(name, step) {
    const known = (this.#person(name).memories ?? []).slice(0, this.countMemories(name, step));
    return known.map((memory, place) => this.#memory(memory, place)).reverse();
  }

  /** What a person had in mind and planned at a step; null while nothing is known. @param {string} name  @param {number} step */
  state(name, step) {
    const found = this.#person(name).states?.findLast(([since]) => since <= step);
    return found ? { currently: found[1], plan: found[2] } : null;
  }

  /** @param {string} name */
  traits(name) {
    return this.#person(name).traits ?? {};
  }

  /** @param {string} name */
  #person(name) {
    return this.shared.people.find((person) => person.name === name);
  }

  /** @param {SharedMemory} memory  @param {number} place  @returns {MemoryNode} */
  #memory([second, kind, poignancy, text, evidence = []], place) {
    const [type, predicate] = MEMORY_KINDS[kind];
    const created = new Date(Date.parse(`${this.shared.start}Z`) + 1000 * second).toISOString().slice(0, 19);
    const filling = type === "chat" ? this.#lines(/** @type {Array<[string, number]>} */ (evidence)) : evidence.map(String);
    return { id: String(place), type, predicate, created, poignancy, description: this.shared.texts[text], subject: "", object: "", filling };
  }

  /** @param {Array<[string, number]>} chat  @returns {Line[]} */
  #lines(chat) {
    return chat.map(([speaker, words]) => [speaker, this.shared.texts[words]]);
  }
}

/** Pairs of numbers by step, from a flat list: steps since the pair before, and the pair. */
class Changes {
  /** @param {number[]} flat */
  constructor(flat) {
    /** @type {number[]} */
    this.steps = [];
    /** @type {Array<[number, number]>} */
    this.pairs = [[AWAY, AWAY]]; // before the first
    for (let place = 0, step = 0; place < flat.length; place += 3) {
      step += flat[place];
      this.steps.push(step);
      this.pairs.push([flat[place + 1], flat[place + 2]]);
    }
  }

  /** The pair at a step. @param {number} step */
  at(step) {
    let [low, high] = [0, this.steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.steps[middle] <= step) low = middle + 1;
      else high = middle;
    }
    return this.pairs[low];
  }
}
