/** All people on the map: their positions, the layout of their bubbles, and the chosen one. */

import { byName } from "../by_name.js";
import { positionBetween } from "../playback/frames.js";
import { BubbleLayer } from "./bubbles/bubble_layer.js";
import { tileOffsets } from "./person_figure.js";
import { PersonSprite } from "./person_sprite.js";
import { TalkLayer } from "./talk_layer.js";
/** @import { Tile } from "../acting/places.js" */
/** @import { Persona } from "../dom.js" */
/** @import { Frame } from "../playback/frames.js" */
/** @import { Point, View } from "./camera.js" */

const TOGETHER = 400; // town pixels; the camera shows both partners if they are nearer
const CLICK_RADIUS = 22; // screen pixels around a figure

export class PeopleLayer {
  /** @param {Phaser.Scene} scene  @param {Persona[]} personas  @param {{tile: number, density: number}} sizes */
  constructor(scene, personas, { tile, density }) {
    this.density = density;
    /** @type {Map<string, PersonSprite>} */
    this.sprites = new Map();
    this.add = (/** @type {Persona} */ persona) => this.sprites.set(persona.name, new PersonSprite(scene, persona, { tile, density }));
    personas.forEach(this.add);
    this.talks = new TalkLayer(scene, this.sprites, { tile, density });
    this.bubbles = new BubbleLayer(scene, { density });
    /** @type {?string} */
    this.chosen = null;
  }

  /**
   * Draws everyone at their position between two frames; those who are not in the second have left.
   * @param {Frame} before  @param {Frame} after  @param {number} fraction
   */
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

  /** Tiles as drawn, by name. @returns {Record<string, Tile>} */
  get positions() {
    return byName(
      [...this.sprites].flatMap(([name, person]) => (person.place ? [/** @type {[string, Tile]} */ ([name, person.spot])] : [])),
    );
  }

  /**
   * How far a person is from the middle of the view, in town pixels, and whether they are in it.
   * @param {string} name  @param {View} view
   */
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

  /**
   * Returns the middle, in town pixels, of the first person and the others who are near; null if not in town.
   * @param {string[]} names  @returns {?Point}
   */
  middleOf([name, ...others]) {
    if (!this.sprites.get(name).place) return null;
    const first = this.sprites.get(name).middle;
    const spots = others.flatMap((other) => (this.sprites.get(other)?.place ? [this.sprites.get(other).middle] : []));
    const near = spots.filter(([x, y]) => Math.hypot(x - first[0], y - first[1]) < TOGETHER);
    const mean = (/** @type {0|1} */ axis) => [first, ...near].reduce((sum, spot) => sum + spot[axis], 0) / (near.length + 1);
    return [mean(0), mean(1)];
  }

  /** Lays out figures and bubbles. @param {View} view  @param {number} passed */
  layOut(view, passed) {
    const here = [...this.sprites.values()].filter((person) => person.place);
    for (const person of here) person.setZoom(view.zoom, person.name === this.chosen);
    this.bubbles.layOut(here, { chosen: this.chosen, view, passed });
    this.talks.draw(view);
  }

  /**
   * Returns the name of the person at a point of the view (device pixels), or null.
   * @param {Point} point  @param {View} view  @returns {?string}
   */
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
