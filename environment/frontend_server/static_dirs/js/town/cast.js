/** All people of the town: who stands where, which bubble is over which, who is chosen. */

import { between } from "../story/frames.js";
import { findRoom, isCrowded } from "./arrange.js";
import { DEPTH } from "./map.js";
import { Person } from "./person.js";

const NEAR = 0.7; // zoom from which first names are written out
const FAR = 0.17; // zoom below which there is room for emoji only
const APART = 0.36; // tiles between two on one tile
const WIDEST = 0.8; // tiles that all of them take
const TOGETHER = 400; // town pixels between two who are looked at together
const INK = 0x2b2333;
const THREAD = 1.25; // screen pixels a thread is thick
const TIED = 4; // screen pixels above the lower end of a bubble's tail
const REACH = 22; // screen pixels around a figure that belong to it

export class Cast {
  constructor(scene, personas, { tile, density }) {
    this.density = density;
    this.people = new Map(personas.map((persona) => [persona.name, new Person(scene, persona, { tile, density })]));
    this.threads = scene.add.graphics().setDepth(DEPTH.light + 0.5);
    this.chosen = null;
  }

  /** Everybody where a frame leads, or on the way there from the frame before. */
  show(before, after, fraction) {
    const company = asides(after);
    for (const [name, person] of this.people) {
      const record = after[name];
      if (!record) continue;
      const from = before[name]?.movement ?? record.movement;
      const place = between(from, record.movement, fraction);
      person.aside = company.get(name);
      if (fraction < 1 && from.join() !== record.movement.join()) person.walk(from, record.movement, place);
      else person.stand(record.movement);
      person.emoji = record.pronunciatio;
    }
  }

  /** {name: [x, y]} as drawn. */
  get positions() {
    return Object.fromEntries(
      [...this.people].flatMap(([name, person]) => (person.place ? [[name, person.spot]] : [])),
    );
  }

  /** The middle, in town pixels, of the first and of those others who are near. */
  middleOf([name, ...others]) {
    const first = this.people.get(name).middle;
    const spots = others.flatMap((other) => (this.people.has(other) ? [this.people.get(other).middle] : []));
    const near = spots.filter(([x, y]) => Math.hypot(x - first[0], y - first[1]) < TOGETHER);
    return [0, 1].map((axis) => [first, ...near].reduce((sum, spot) => sum + spot[axis], 0) / (near.length + 1));
  }

  /** Fits figures and bubbles to the view. No bubble covers another: in a crowd some are left out, never the chosen one's. */
  suit(view, passed) {
    const zoom = view.zoom / this.density;
    const detail = zoom >= NEAR ? "name" : zoom >= FAR ? "initials" : "emoji";
    const here = [...this.people.values()].filter((person) => person.place);
    const isChosen = (person) => Number(person.name === this.chosen);
    here.sort(
      (one, other) => isChosen(other) - isChosen(one) || other.figure.y - one.figure.y || other.figure.x - one.figure.x,
    );
    const spots = here.map((person) => person.anchor(view));
    const faces = here.map((person, number) => person.face(spots[number], view));
    const others = (number) => faces.filter((_, place) => place !== number);
    const placed = [];
    this.threads.clear().lineStyle(THREAD * (this.density / view.zoom), INK, 0.6);
    here.forEach((person, number) => {
      const crowded = detail === "initials" && isCrowded(spots[number], spots, this.density);
      person.suit(view.zoom, { chosen: isChosen(person) === 1, detail: crowded ? "emoji" : detail });
      person.slide(this.#roomFor(person, spots[number], { placed, faces: others(number), view }), passed);
      person.hangLabel(spots[number], view, placed.length);
      this.#tie(person, spots[number], view);
    });
  }

  /** A bubble that hangs elsewhere than over the head is tied to it. */
  #tie({ label, shift }, [x, y], view) {
    if (!shift || Math.hypot(...shift) < label.tailHeight * this.density) return;
    const [toX, toY] = [x + shift[0], y - shift[1] - TIED * this.density];
    this.threads.lineBetween(...[[x, y], [toX, toY]].flatMap((spot) => townSpot(spot, view)));
  }

  /** How far a bubble moves, [across, up]; near the upper edge it is held inside the view, if the figure is there. */
  #roomFor({ label }, [x, y], { placed, faces, view }) {
    const [width, height, tail] = [label.width, label.height, label.tailHeight].map((size) => size * this.density);
    const bottom = y > 0 ? Math.max(y - tail, height) : y - tail;
    const move = findRoom(placed, { x, bottom, width, height, tail }, view, faces);
    return move && [move[0], move[1] + (y - tail - bottom)];
  }

  /** Who is under a point of the view (device pixels), or null. */
  at([x, y], view) {
    let found = null;
    let least = REACH * this.density;
    for (const person of this.people.values()) {
      if (!person.place) continue;
      const [left, top] = person.anchor(view);
      const half = (person.label.width * this.density) / 2;
      const [across, up] = person.shift ?? [0, 0];
      const above = top - up - y;
      const label =
        Math.abs(x - left - across) <= half && above >= 0 && above <= (person.label.height + person.label.tailHeight) * this.density;
      const [middleX, middleY] = person.middle;
      const away = Math.hypot((middleX - view.scrollX) * view.zoom - x, (middleY - view.scrollY) * view.zoom - y);
      const distance = label ? 0 : away;
      if (distance < least) [found, least] = [person.name, distance];
    }
    return found;
  }
}

function townSpot([x, y], { zoom, scrollX, scrollY }) {
  return [x / zoom + scrollX, y / zoom + scrollY];
}

/** Name to the share of a tile by which somebody stands aside, so that those on one tile are all seen. Pure. */
export function asides(frame) {
  const tiles = new Map();
  for (const [name, { movement }] of Object.entries(frame)) {
    const key = movement.join();
    tiles.set(key, [...(tiles.get(key) ?? []), name]);
  }
  return new Map(
    [...tiles.values()].flatMap((names) => {
      const step = Math.min(APART, WIDEST / names.length);
      return names.map((name, place) => [name, (place - (names.length - 1) / 2) * step]);
    }),
  );
}
