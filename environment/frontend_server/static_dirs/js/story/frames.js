/**
 * Frames: what everybody does in a step, {name: {movement, pronunciatio, description, chat}}.
 * The server sends a piece of a recording as changes; the first entry is whole. Pure.
 */

export class Piece {
  /** @param {{first: number, last: number, frames: Object}} answer of /frames/ */
  constructor(answer) {
    this.first = answer.first;
    this.last = answer.last;
    this.changes = answer.frames;
    this.step = answer.first;
    this.frame = answer.frames[answer.first] ?? {};
  }

  /** Takes on what follows. @param {Object} answer of /frames/ that begins where this piece ends */
  join(answer) {
    Object.assign(this.changes, answer.frames);
    this.last = answer.last;
  }

  /** The whole frame of a step. Going forward costs what has changed; going back starts anew from the first entry. */
  at(step) {
    if (step < this.step) {
      this.step = this.first;
      this.frame = this.changes[this.first] ?? {};
    }
    while (this.step < step) {
      this.step += 1;
      const change = this.changes[this.step];
      if (change && Object.keys(change).length) this.frame = { ...this.frame, ...change };
    }
    return this.frame;
  }
}

/** Where a person is between two tiles; a jump of more than one tile is not walked. */
export function between(from, to, fraction) {
  if (Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1]) > 1) return fraction > 0 ? to : from;
  return [from[0] + (to[0] - from[0]) * fraction, from[1] + (to[1] - from[1]) * fraction];
}

/** The way one faces going from one tile to another, null when standing still. */
export function heading(from, to) {
  const across = to[0] - from[0];
  const down = to[1] - from[1];
  if (!across && !down) return null;
  if (Math.abs(across) >= Math.abs(down)) return across > 0 ? "right" : "left";
  return down > 0 ? "down" : "up";
}

const SEPARATOR = " @ ";

/** `task (subtask) @ world:sector:arena:object` in its parts. A task may itself contain the separator. */
export function readDescription(description) {
  const cut = description.lastIndexOf(SEPARATOR);
  const doing = cut < 0 ? description : description.slice(0, cut);
  const address = cut < 0 ? "" : description.slice(cut + SEPARATOR.length);
  const parts = /^(.*?) \((.*)\)$/s.exec(doing);
  return { doing: parts ? parts[2] : doing, task: parts ? parts[1] : null, place: readAddress(address) };
}

/** An address as what a reader sees: {sector, arena, object} or {withPersona} or {} while waiting. */
export function readAddress(address) {
  if (address.startsWith("<persona> ")) return { withPersona: address.slice("<persona> ".length) };
  if (address.startsWith("<waiting>")) return {};
  const [, sector = "", arena = "", object = ""] = address.split(":").map((part) => part.trim());
  return { sector, arena: arena === sector ? "" : arena, object: object.startsWith("<") ? "" : object };
}

/** Whether somebody lies in bed, as far as the recording tells. */
export function isAsleep(record) {
  return /^(sleeping|asleep)\b/i.test(record.description);
}
