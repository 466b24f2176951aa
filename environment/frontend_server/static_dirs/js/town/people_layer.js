/** All people on the map: their positions, the layout of their bubbles, and the chosen one. */

import { byName } from "../by_name.js";
import { positionBetween } from "../playback/frames.js";
import { placeBubble, isCrowded } from "./bubble_layout.js";
import { DEPTH } from "./map.js";
import { PersonSprite } from "./person_sprite.js";
import { TalkLayer } from "./talk_layer.js";

const NAME_ZOOM = 0.7; // lowest zoom with first names
const INITIALS_ZOOM = 0.17; // lowest zoom with initials; below, only emoji
const SPACING = 0.36; // tiles between people on the same tile
const MAX_SPREAD = 0.8; // tiles that all people on one tile may take
const TOGETHER = 400; // town pixels; the camera shows both partners if they are nearer
const INK = 0x2b2333;
const LINE_WIDTH = 1.25; // screen pixels of the line from a moved bubble to its person
const LINE_END = 4; // screen pixels above the end of a bubble's tail
const LAYOUT_INTERVAL = 80; // milliseconds; bubbles glide in between
const CLICK_RADIUS = 22; // screen pixels around a figure

export class PeopleLayer {
  constructor(scene, personas, { tile, density }) {
    this.density = density;
    this.sprites = new Map();
    this.add = (persona) => this.sprites.set(persona.name, new PersonSprite(scene, persona, { tile, density }));
    personas.forEach(this.add);
    this.talks = new TalkLayer(scene, this.sprites, { tile, density });
    this.lines = scene.add.graphics().setDepth(DEPTH.light + 0.5);
    this.chosen = null;
    this.sinceLayout = 0;
  }

  /** Draws everyone at their position between two frames; those who are not in the second have left. */
  show(before, after, fraction) {
    const offsets = tileOffsets(after);
    for (const [name, person] of this.sprites) {
      const record = after[name];
      if (!record) {
        person.hide();
        continue;
      }
      const from = before[name]?.movement ?? record.movement;
      const place = positionBetween(from, record.movement, fraction);
      person.offset = offsets.get(name);
      if (fraction < 1 && from.join() !== record.movement.join()) person.walk(from, record.movement, place);
      else person.stand(record.movement);
      person.emoji = record.pronunciatio;
    }
  }

  /** Tiles as drawn: {name: [x, y]}. */
  get positions() {
    return byName(
      [...this.sprites].flatMap(([name, person]) => (person.place ? [[name, person.spot]] : [])),
    );
  }

  /** How far somebody is from the middle of the view, in town pixels, and whether they are in it. */
  viewOf(name, view) {
    const person = this.sprites.get(name);
    if (!person?.place) return { distance: Infinity, isInView: false };
    const [across, down] = person.middle.map((part, axis) => {
      const [scroll, size] = axis ? [view.scrollY, view.height] : [view.scrollX, view.width];
      return part - scroll - size / view.zoom / 2;
    });
    const isInView = Math.abs(across) * 2 < view.width / view.zoom && Math.abs(down) * 2 < view.height / view.zoom;
    return { distance: Math.hypot(across, down), isInView };
  }

  /** Returns the middle, in town pixels, of the first person and the others who are near; null if not in town. */
  middleOf([name, ...others]) {
    if (!this.sprites.get(name).place) return null;
    const first = this.sprites.get(name).middle;
    const spots = others.flatMap((other) => (this.sprites.get(other)?.place ? [this.sprites.get(other).middle] : []));
    const near = spots.filter(([x, y]) => Math.hypot(x - first[0], y - first[1]) < TOGETHER);
    return [0, 1].map((axis) => [first, ...near].reduce((sum, spot) => sum + spot[axis], 0) / (near.length + 1));
  }

  /** Lays out figures and bubbles. Bubbles never overlap: in a crowd some are hidden, but not the chosen person's. */
  layOut(view, passed) {
    this.sinceLayout += passed;
    const here = [...this.sprites.values()].filter((person) => person.place);
    const isDue = this.sinceLayout >= LAYOUT_INTERVAL || view.zoom !== this.zoom;
    if (isDue || here.some((person) => person.goal === undefined)) this.#placeBubbles(here, view);
    this.lines.clear().lineStyle(LINE_WIDTH * (this.density / view.zoom), INK, 0.6);
    for (const person of here) {
      person.setZoom(view.zoom, person.name === this.chosen);
      const anchor = person.anchor(view);
      person.moveBubble(passed);
      person.drawBubble(anchor, view);
      this.#drawLine(person, anchor, view);
    }
    this.talks.draw(view);
  }

  /** Finds room for all bubbles: first of the chosen person, then of those who speak, then from front to back. */
  #placeBubbles(here, view) {
    [this.sinceLayout, this.zoom] = [0, view.zoom];
    const zoom = view.zoom / this.density;
    const detail = zoom >= NAME_ZOOM ? "name" : zoom >= INITIALS_ZOOM ? "initials" : "emoji";
    const rank = (person) => 2 * (person.name === this.chosen) + Boolean(person.saying);
    const order = here.toSorted(
      (one, other) => rank(other) - rank(one) || other.figure.y - one.figure.y || other.figure.x - one.figure.x,
    );
    const spots = order.map((person) => person.anchor(view));
    const faces = order.map((person, number) => person.faceBox(spots[number], view));
    const placed = [];
    order.forEach((person, number) => {
      const crowded = detail === "initials" && isCrowded(spots[number], spots, this.density);
      const isChosen = person.name === this.chosen;
      person.depth = order.length - number;
      for (const shown of person.saying ? ["words", "label"] : ["label"]) {
        person.write(shown, { chosen: isChosen, detail: crowded ? "emoji" : detail });
        person.goal = this.#roomFor(person, spots[number], { placed, faces, view });
        if (person.goal) break;
      }
    });
  }

  /** Draws a line to a bubble that is not right above its person. */
  #drawLine({ bubble, shift }, [x, y], view) {
    if (!shift) return;
    const slide = bubble.slide * this.density;
    const across = shift[0] - Math.max(-slide, Math.min(slide, shift[0]));
    if (Math.hypot(across, shift[1]) < bubble.tailHeight * this.density) return;
    const [toX, toY] = [x + across, y - shift[1] - LINE_END * this.density];
    this.lines.lineBetween(...[[x, y], [toX, toY]].flatMap((spot) => townSpot(spot, view)));
  }

  /** Returns the offset [across, up] of a bubble, or null. Keeps it below the upper edge if its figure is visible. */
  #roomFor({ bubble }, [x, y], { placed, faces, view }) {
    const sizes = [bubble.width, bubble.height, bubble.tailHeight, bubble.slide];
    const [width, height, tail, slide] = sizes.map((size) => size * this.density);
    const bottom = y > 0 ? Math.max(y - tail, height) : y - tail;
    const move = placeBubble(placed, { x, bottom, width, height, tail, slide }, view, faces);
    return move && [move[0], move[1] + (y - tail - bottom)];
  }

  /** Returns the name of the person at a point of the view (device pixels), or null. */
  at([x, y], view) {
    let found = null;
    let least = CLICK_RADIUS * this.density;
    for (const person of this.sprites.values()) {
      if (!person.place) continue;
      const [left, top] = person.anchor(view);
      const half = (person.bubble.width * this.density) / 2;
      const [across, up] = person.shift ?? [0, 0];
      const above = top - up - y;
      const height = (person.bubble.height + person.bubble.tailHeight) * this.density;
      const isOnBubble = Math.abs(x - left - across) <= half && above >= 0 && above <= height;
      const [middleX, middleY] = person.middle;
      const away = Math.hypot((middleX - view.scrollX) * view.zoom - x, (middleY - view.scrollY) * view.zoom - y);
      const distance = isOnBubble ? 0 : away;
      if (distance < least) [found, least] = [person.name, distance];
    }
    return found;
  }
}

function townSpot([x, y], { zoom, scrollX, scrollY }) {
  return [x / zoom + scrollX, y / zoom + scrollY];
}

/** Returns offsets by name, in tiles, so that people on the same tile are all visible. Pure. */
export function tileOffsets(frame) {
  const tiles = new Map();
  for (const [name, { movement }] of Object.entries(frame)) {
    const key = movement.join();
    tiles.set(key, [...(tiles.get(key) ?? []), name]);
  }
  return new Map(
    [...tiles.values()].flatMap((names) => {
      const step = Math.min(SPACING, MAX_SPREAD / names.length);
      return names.map((name, place) => [name, (place - (names.length - 1) / 2) * step]);
    }),
  );
}
