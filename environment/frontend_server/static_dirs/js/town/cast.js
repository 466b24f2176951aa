/** All people of the town: who stands where, which bubble is over which, who is chosen. */

import { between } from "../story/frames.js";
import { Person } from "./person.js";

const NEAR = 0.7; // zoom from which first names are written out
const GAP = 2; // screen pixels between two bubbles
const SLIDE = 0.02; // share of the way a bubble moves per millisecond when it makes room
const TOGETHER = 400; // town pixels between two who are looked at together
const REACH = 22; // screen pixels around a figure that belong to it

export class Cast {
  constructor(scene, personas, { tile, density }) {
    this.density = density;
    this.people = new Map(personas.map((persona) => [persona.name, new Person(scene, persona, { tile, density })]));
    this.chosen = null;
    this.walking = false;
  }

  /** Everybody where a frame leads, or on the way there from the frame before. */
  show(before, after, fraction) {
    this.walking = fraction < 1;
    for (const [name, person] of this.people) {
      const record = after[name];
      if (!record) continue;
      const from = before[name]?.movement ?? record.movement;
      const place = between(from, record.movement, fraction);
      if (fraction < 1 && from.join() !== record.movement.join()) person.walk(from, record.movement, place);
      else person.stand(record.movement);
      person.emoji = record.pronunciatio;
    }
  }

  /** {name: [x, y]} as drawn. */
  get positions() {
    return Object.fromEntries([...this.people].map(([name, person]) => [name, person.spot]));
  }

  /** The middle, in town pixels, of the first and of those others who are near. */
  middleOf([name, ...others]) {
    const first = this.people.get(name).middle;
    const spots = others.flatMap((other) => (this.people.has(other) ? [this.people.get(other).middle] : []));
    const near = spots.filter(([x, y]) => Math.hypot(x - first[0], y - first[1]) < TOGETHER);
    return [0, 1].map((axis) => [first, ...near].reduce((sum, spot) => sum + spot[axis], 0) / (near.length + 1));
  }

  /** Fits figures and bubbles to the view; bubbles that would overlap are stacked. */
  suit(view, passed) {
    const near = view.zoom / this.density >= NEAR;
    const rows = [...this.people.values()].sort((one, other) => other.figure.y - one.figure.y || other.figure.x - one.figure.x);
    const placed = [];
    for (const person of rows) {
      person.suit(view.zoom, { chosen: person.name === this.chosen, near });
      const [x, y] = person.anchor(view);
      const lift = liftOver(placed, { x, y, width: person.label.width * this.density, height: person.label.height * this.density });
      person.lift += (lift - person.lift) * Math.min(1, SLIDE * passed);
      person.hangLabel([x, y - person.lift], view, placed.length);
    }
  }

  /** Who is under a point of the view (device pixels), or null. */
  at([x, y], view) {
    let found = null;
    let least = REACH * this.density;
    for (const person of this.people.values()) {
      const [left, top] = person.anchor(view);
      const half = (person.label.width * this.density) / 2;
      const label = Math.abs(x - left) <= half && y <= top - person.lift && y >= top - person.lift - 34 * this.density;
      const [middleX, middleY] = person.middle;
      const away = Math.hypot((middleX - view.scrollX) * view.zoom - x, (middleY - view.scrollY) * view.zoom - y);
      const distance = label ? 0 : away;
      if (distance < least) [found, least] = [person.name, distance];
    }
    return found;
  }
}

/** How far a bubble must rise to be free of those placed before; it is then placed itself. Pure but for `placed`. */
export function liftOver(placed, { x, y, width, height }) {
  let bottom = y;
  for (let tries = 0; tries < placed.length; tries += 1) {
    const other = placed.find((box) => overlaps(box, { x, bottom, width, height }));
    if (!other) break;
    bottom = other.bottom - other.height - GAP;
  }
  placed.push({ x, bottom, width, height });
  return y - bottom;
}

function overlaps(one, other) {
  const across = Math.abs(one.x - other.x) < (one.width + other.width) / 2 + GAP;
  return across && one.bottom - one.height < other.bottom && other.bottom - other.height < one.bottom;
}
