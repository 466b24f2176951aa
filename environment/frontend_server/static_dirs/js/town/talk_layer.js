/** Conversations on the map: partners face each other, a line ties them together, and whoever speaks has its words. */

import { Captions } from "../playback/captions.js";
import { DEPTH } from "./map.js";

const FARTHEST = 12; // tiles between people who are tied together
const HEIGHT = 0.3; // of the line above the ground, in tiles
const LINE = { width: 2, colour: 0xfff3c4, alpha: 0.95 }; // screen pixels
const EDGE = { width: 4.5, colour: 0x2b2333, alpha: 0.4 };

export class TalkLayer {
  /** @param scene Phaser scene  @param {Map<string, PersonSprite>} sprites */
  constructor(scene, sprites, { tile, density }) {
    this.sprites = sprites;
    this.tile = tile;
    this.density = density;
    this.captions = new Captions();
    this.ties = scene.add.graphics().setDepth(DEPTH.people - 0.4);
    this.pairs = []; // [one, other]: sprites of those who are tied together
  }

  /** Shows conversations at a position. @param {Talk[]} talks */
  show(talks, position, passed) {
    this.pairs = [];
    const words = new Map();
    for (const { speaker, ...caption } of this.captions.update(talks, position, passed).values())
      words.set(speaker, caption.words);
    for (const { names, speaker } of talks) {
      const here = names.map((name) => this.sprites.get(name)).filter((person) => person?.place);
      const speaking = here.find(({ name }) => name === speaker) ?? here[0];
      for (const person of here) if (person !== speaking) this.#tie(person, speaking);
    }
    for (const [name, person] of this.sprites) {
      person.saying = words.get(name) ?? "";
      person.partners = talks.find(({ names }) => names.includes(name))?.names ?? [];
    }
  }

  /** Draws the lines. */
  draw(view) {
    this.ties.clear();
    for (const { width, colour, alpha } of this.pairs.length ? [EDGE, LINE] : []) {
      this.ties.lineStyle((width * this.density) / view.zoom, colour, alpha);
      for (const pair of this.pairs)
        this.ties.lineBetween(...pair.flatMap(({ figure }) => [figure.x, figure.y - HEIGHT * this.tile]));
    }
  }

  #tie(one, other) {
    const away = Math.hypot(one.figure.x - other.figure.x, one.figure.y - other.figure.y);
    if (away > FARTHEST * this.tile) return;
    this.pairs.push([one, other]);
    if (one.isStanding) one.face(other);
    if (other.isStanding) other.face(one);
  }
}
