/** Conversations on the map: partners face each other, a line ties them together, and the speaker has its words. */

import { Captions } from "../playback/captions.js";
import { DEPTH } from "./map/map.js";
/** @import { Talk } from "../playback/talks.js" */
/** @import { View } from "./camera.js" */
/** @import { PersonSprite } from "./person_sprite.js" */

const FARTHEST = 12; // tiles between people who are tied together
const HEIGHT = 0.3; // of the line above the ground, in tiles
const LINE = { width: 2, colour: 0xfff3c4, alpha: 0.95 }; // screen pixels
const EDGE = { width: 4.5, colour: 0x2b2333, alpha: 0.4 };

export class TalkLayer {
  /**
   * @param {Phaser.Scene} scene  @param {Map<string, PersonSprite>} sprites
   * @param {{tile: number, density: number}} sizes
   */
  constructor(scene, sprites, { tile, density }) {
    this.sprites = sprites;
    this.tile = tile;
    this.density = density;
    this.captions = new Captions();
    this.ties = scene.add.graphics().setDepth(DEPTH.people - 0.4);
    /** @type {Set<PersonSprite>} */
    this.talking = new Set(); // those who take part in a conversation, or whose last words are still shown
    /** @type {Array<[PersonSprite, PersonSprite]>} */
    this.pairs = []; // sprites of those who are tied together
  }

  /** Shows conversations at a position. @param {Talk[]} talks  @param {number} position  @param {number} passed */
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
    for (const person of this.talking) [person.saying, person.partners] = ["", []];
    this.talking.clear();
    for (const { names } of talks) for (const name of names) this.#note(name, names, words);
    for (const name of words.keys()) this.#note(name, [], words);
  }

  /** @param {string} name  @param {string[]} names  of those who talk  @param {Map<string, string>} words */
  #note(name, names, words) {
    const person = this.sprites.get(name);
    if (!person || this.talking.has(person)) return;
    [person.saying, person.partners] = [words.get(name) ?? "", names];
    this.talking.add(person);
  }

  /** Draws the lines. @param {View} view */
  draw(view) {
    this.ties.clear();
    for (const { width, colour, alpha } of this.pairs.length ? [EDGE, LINE] : []) {
      this.ties.lineStyle((width * this.density) / view.zoom, colour, alpha);
      const up = HEIGHT * this.tile;
      for (const [one, other] of this.pairs) this.ties.lineBetween(one.x, one.y - up, other.x, other.y - up);
    }
  }

  /** @param {PersonSprite} one  @param {PersonSprite} other */
  #tie(one, other) {
    const away = Math.hypot(one.x - other.x, one.y - other.y);
    if (away > FARTHEST * this.tile) return;
    this.pairs.push([one, other]);
    if (one.isStanding) one.face(other);
    if (other.isStanding) other.face(one);
  }
}
