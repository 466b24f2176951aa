/**
 * A frame is what everyone does in a step: {name: {movement, pronunciatio, description, chat}}.
 * The server sends chunks of a recording: a complete first frame, then changes, with null for people who have left.
 * Pure functions.
 */

import { byName, named } from "../by_name.js";

const MARK_EVERY = 50; // steps; going back costs the changes since then

export class Chunk {
  /** @param {{first: number, last: number, frames: Object}} response of /frames/ */
  constructor(response) {
    this.first = response.first;
    this.last = response.last;
    this.changes = response.frames;
    this.marks = new Map([[response.first, named(response.frames[response.first])]]); // some of the whole frames
    this.latest = []; // [step, frame]: those returned last, because a scene has two
  }

  /** Appends the frames that follow; the first of them is complete. @param {Object} response of /frames/ */
  append(response) {
    const whole = named(response.frames[response.first]);
    Object.assign(this.changes, response.frames);
    this.marks.set(response.first, whole);
    this.last = response.last;
  }

  /** The whole frame of a step. Costs what has changed since the last step that was asked for, or since a mark. */
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
    this.latest = [this.latest.at(-1), [step, frame]].filter(Boolean);
    return frame;
  }
}

/** The frame after a change. */
export function changed(frame, change) {
  if (!change || !Object.keys(change).length) return frame;
  return byName(Object.entries({ ...frame, ...change }).filter(([, record]) => record));
}

/** Where a person is between two tiles; a jump of more than one tile is not walked. */
export function positionBetween(from, to, fraction) {
  if (Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1]) > 1) return fraction > 0 ? to : from;
  return [from[0] + (to[0] - from[0]) * fraction, from[1] + (to[1] - from[1]) * fraction];
}

/** Direction of a move from one tile to another; null if it stays on the tile. */
export function direction(from, to) {
  const across = to[0] - from[0];
  const down = to[1] - from[1];
  if (!across && !down) return null;
  if (Math.abs(across) >= Math.abs(down)) return across > 0 ? "right" : "left";
  return down > 0 ? "down" : "up";
}

const SEPARATOR = " @ ";

/** Splits `task (subtask) @ world:sector:arena:object`. The task may contain " @ " itself. */
export function parseDescription(description) {
  const cut = description.lastIndexOf(SEPARATOR);
  const doing = cut < 0 ? description : description.slice(0, cut);
  const address = cut < 0 ? "" : description.slice(cut + SEPARATOR.length);
  const parts = /^(.*?) \((.*)\)$/s.exec(doing);
  return { doing: parts ? parts[2] : doing, task: parts ? parts[1] : null, place: parseAddress(address) };
}

/** Parses an address into {sector, arena, object}, {withPersona}, or {} while waiting. */
export function parseAddress(address) {
  if (address.startsWith("<persona> ")) return { withPersona: address.slice("<persona> ".length) };
  if (address.startsWith("<waiting>")) return {};
  const [, sector = "", arena = "", object = ""] = address.split(":").map((part) => part.trim());
  return { sector, arena: arena === sector ? "" : arena, object: object.startsWith("<") ? "" : object };
}

/** Whether a persona sleeps, judged by its description. */
export function isAsleep(record) {
  return /^(sleeping|asleep)\b/i.test(record.description);
}
