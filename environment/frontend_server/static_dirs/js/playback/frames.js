/**
 * A frame is what everyone does in a step.
 * The server sends chunks of a recording: a complete first frame, then changes, with null for people who have left.
 * Pure functions.
 */

import { byName, named } from "../by_name.js";
/** @import { Tile } from "../acting/places.js" */
/** @import { Line } from "./dialogue.js" */

/**
 * @typedef {{movement: Tile, pronunciatio: string, description: string, chat?: ?Line[]}} PersonaRecord  what a person does
 *   in a step, as movement files have it
 * @typedef {Record<string, PersonaRecord>} Frame  by name
 * @typedef {Record<string, ?PersonaRecord>} Change  who does something else; null for people who have left
 * @typedef {{first: number, last: number, frames: Record<string, Frame|Change>}} FrameChunk  response of /frames/: a whole
 *   frame, then changes
 * @typedef {{sector?: string, arena?: string, object?: string, withPersona?: string}} Place  where a person is
 */

const MARK_EVERY = 50; // steps; going back costs the changes since then

export class Chunk {
  /** @param {FrameChunk} response of /frames/ */
  constructor(response) {
    this.first = response.first;
    this.last = response.last;
    this.changes = response.frames;
    this.marks = new Map([[response.first, named(response.frames[response.first])]]); // some of the whole frames
    /** @type {Array<[number, Frame]>} */
    this.latest = []; // [step, frame]: those returned last, because a scene has two
  }

  /** Appends the frames that follow; the first of them is complete. @param {FrameChunk} response of /frames/ */
  append(response) {
    const whole = named(response.frames[response.first]);
    Object.assign(this.changes, response.frames);
    this.marks.set(response.first, whole);
    this.last = response.last;
  }

  /**
   * The whole frame of a step. Costs what has changed since the last step that was asked for, or since a mark.
   * @param {number} step  @returns {Frame}
   */
  at(step) {
    const known = this.latest.find(([number]) => number === step);
    if (known) return known[1];
    const near = [...this.marks, ...this.latest].filter(([number]) => number <= step);
    let [number, frame] = near.reduce((one, other) => (other[0] >= one[0] ? other : one));
    while (number < step) {
      number += 1;
      if (this.marks.has(number)) frame = this.marks.get(number);
      else frame = changed(frame, this.changes[number]);
      if ((number - this.first) % MARK_EVERY === 0) this.marks.set(number, frame);
    }
    this.latest = [...this.latest.slice(-1), [step, frame]];
    return frame;
  }
}

/** The frame after a change. @param {Frame} frame  @param {?Change} change  @returns {Frame} */
export function changed(frame, change) {
  if (!change || !Object.keys(change).length) return frame;
  return byName(Object.entries({ ...frame, ...change }).filter(([, record]) => record));
}

/**
 * Where a person is between two tiles; a jump of more than one tile is not walked.
 * @param {Tile} from  @param {Tile} to  @param {number} fraction  @returns {Tile}
 */
export function positionBetween(from, to, fraction) {
  if (Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1]) > 1) return fraction > 0 ? to : from;
  return [from[0] + (to[0] - from[0]) * fraction, from[1] + (to[1] - from[1]) * fraction];
}

/**
 * Direction of a move from one tile to another; null if it stays on the tile.
 * @param {Tile} from  @param {Tile} to  @returns {?("left"|"right"|"up"|"down")}
 */
export function direction(from, to) {
  const across = to[0] - from[0];
  const down = to[1] - from[1];
  if (!across && !down) return null;
  if (Math.abs(across) >= Math.abs(down)) return across > 0 ? "right" : "left";
  return down > 0 ? "down" : "up";
}

const SEPARATOR = " @ ";

/**
 * Splits `task (subtask) @ world:sector:arena:object`. The task may contain " @ " itself.
 * @param {string} description  @returns {{doing: string, task: ?string, place: Place}}
 */
export function parseDescription(description) {
  const cut = description.lastIndexOf(SEPARATOR);
  const doing = cut < 0 ? description : description.slice(0, cut);
  const address = cut < 0 ? "" : description.slice(cut + SEPARATOR.length);
  const parts = /^(.*?) \((.*)\)$/s.exec(doing);
  return { doing: parts ? parts[2] : doing, task: parts ? parts[1] : null, place: parseAddress(address) };
}

/** Parses an address; there is no place while a person waits. @param {string} address  @returns {Place} */
export function parseAddress(address) {
  if (address.startsWith("<persona> ")) return { withPersona: address.slice("<persona> ".length) };
  if (address.startsWith("<waiting>")) return {};
  const [, sector = "", arena = "", object = ""] = address.split(":").map((part) => part.trim());
  return { sector, arena: arena === sector ? "" : arena, object: object.startsWith("<") ? "" : object };
}

/** Whether a persona sleeps, judged by its description. @param {{description: string}} record */
export function isAsleep(record) {
  return /^(sleeping|asleep)\b/i.test(record.description);
}
