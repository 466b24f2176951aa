/** A person on the map: a walking figure and its speech bubble. */

import { direction, positionBetween } from "../playback/frames.js";
import { SpeechBubble } from "./bubbles/speech_bubble.js";
import { WordsBubble } from "./bubbles/words_bubble.js";
import { STAND, figureScale, standing, walking } from "./person_figure.js";
import { DEPTH } from "./map/map.js";
/** @import { Tile } from "../acting/places.js" */
/** @import { Persona } from "../dom.js" */
/** @import { Point, View } from "./camera.js" */

const FACE = 0.45; // height of the face as a fraction of the figure
const SLIDE = 0.012; // fraction of the remaining way that a bubble moves per millisecond
const RING = 0xffd34d;

export class PersonSprite {
  /** @param {Phaser.Scene} scene  @param {Persona} persona  @param {{tile: number, density: number}} sizes */
  constructor(scene, persona, { tile, density }) {
    this.scene = scene;
    this.name = persona.name;
    this.names = { name: persona.name.split(" ")[0], initials: persona.initials, emoji: "" };
    this.sheet = persona.sprite;
    this.tile = tile;
    this.density = density;
    /** @type {?Phaser.GameObjects.Sprite} */
    this.figure = null; // what is drawn of this person, once they have been seen from near
    /** @type {?Phaser.GameObjects.Ellipse} */
    this.ring = null;
    /** @type {?SpeechBubble} */
    this.label = null;
    /** @type {?WordsBubble} */
    this.words = null; // the bubble with what this person says, from the first time on
    this.saying = ""; // what it says now
    /** @type {string[]} */
    this.partners = []; // names of those it talks with
    this.speaks = false; // whether the words are to be shown
    this.isSpeaking = false; // whether there is room for the words
    this.emoji = "";
    /** @type {"left"|"right"|"up"|"down"} */
    this.facing = "down";
    this.isStanding = true;
    this.isAwake = false; // whether the figure is shown
    this.offset = 0; // horizontal offset in tiles, to make room for others on the same tile
    /** @type {?Point|undefined} */
    this.goal = undefined; // [across, up] of the bubble in pixels, to avoid others; null: hidden
    /** @type {?Point} */
    this.shift = null; // the same while it glides there
    /** @type {?number} */
    this.filter = null; // of its texture
    this.depth = 0; // of the bubble among others
    /** @type {?Tile} */
    this.place = null; // tile; null: not known yet, so not visible
    /** @type {?Tile} */
    this.from = null;
    /** @type {?Tile} */
    this.to = null; // the tiles between which it is
    this.x = this.y = 0; // between the feet, in town pixels
  }

  /** Makes what is drawn of this person; their sheet of pictures must be there. */
  embody() {
    const { scene } = this;
    this.ring = scene.add.ellipse(0, 0, 30, 14).setStrokeStyle(2.5, RING).setFillStyle(RING, 0.35).setVisible(false);
    this.figure = scene.add.sprite(0, 0, `person ${this.sheet}`, STAND).setOrigin(0.5, 1).setVisible(false);
    this.label = new SpeechBubble(scene, `speech bubble of ${this.name}`, this.density);
    this.label.image.setVisible(false);
    this.filter = null;
    this.isAwake = false;
  }

  /** Gives up what is drawn of this person, until they are seen again. */
  disembody() {
    for (const part of [this.ring, this.figure]) part.destroy();
    for (const bubble of [this.label, this.words]) bubble?.destroy();
    this.ring = this.figure = this.label = this.words = this.shift = null;
    this.isSpeaking = this.isAwake = false;
    this.goal = undefined;
  }

  /** The bubble that is shown: what the person says, else its name. @returns {SpeechBubble|WordsBubble} */
  get bubble() {
    return this.isSpeaking ? this.words : this.label;
  }

  /** Turns to another person while standing. @param {PersonSprite} other */
  face(other) {
    this.facing = direction(this.middle, other.middle) ?? this.facing;
    this.figure?.setFrame(standing(this.facing));
  }

  /** Whether the person goes from one tile to another in this step. */
  get isMoving() {
    return this.from !== this.to && (this.from[0] !== this.to[0] || this.from[1] !== this.to[1]);
  }

  /** Puts the person between the two tiles of a step. @param {number} fraction  of the way that is behind them */
  advance(fraction) {
    this.isStanding = fraction >= 1 || !this.isMoving;
    if (!this.isStanding) this.facing = direction(this.from, this.to) ?? this.facing;
    this.place = this.isStanding ? this.to : positionBetween(this.from, this.to, fraction);
    [this.x, this.y] = [(this.place[0] + 0.5 + this.offset) * this.tile, (this.place[1] + 1) * this.tile];
    if (this.isAwake) this.#pose();
  }

  #pose() {
    const frame = this.isStanding ? standing(this.facing) : walking(this.facing, this.place);
    this.figure.setVisible(true).setPosition(this.x, this.y).setFrame(frame);
  }

  /** Hides a persona who is not in town. */
  hide() {
    if (!this.place) return;
    this.place = null;
    this.rest();
  }

  /** Hides what is drawn of somebody who is out of view, or shown as a dot. */
  rest() {
    if (!this.isAwake) return;
    this.isAwake = false;
    this.shift = null;
    this.goal = undefined;
    this.bubble.setVisible(false);
    for (const image of [this.figure, this.ring]) image.setVisible(false);
  }

  /** Shows it again. */
  wake() {
    if (this.isAwake) return;
    this.isAwake = true;
    this.#pose();
  }

  /** The tile where the figure is drawn. @returns {Tile} */
  get spot() {
    return [Math.round(this.x / this.tile - 0.5), Math.round(this.y / this.tile - 1)];
  }

  /** The middle of the figure in town pixels. @returns {Point} */
  get middle() {
    return [this.x, this.y - this.tile / 2];
  }

  /** Scales the figure to a zoom (device pixels per town pixel). @param {number} zoom  @param {boolean} chosen */
  setZoom(zoom, chosen) {
    const size = figureScale(zoom, this);
    this.figure.setScale(size);
    this.figure.setDepth(DEPTH.people + this.place[1] + this.place[0] / 1000 + (chosen ? 0.5 : 0));
    const smooth = size * zoom < 1;
    const filter = smooth ? Phaser.Textures.FilterMode.LINEAR : Phaser.Textures.FilterMode.NEAREST;
    if (this.filter !== filter) this.figure.texture.setFilter(filter);
    this.filter = filter;
    this.ring
      .setVisible(chosen)
      .setPosition(this.figure.x, this.figure.y - 2 * size)
      .setScale(size);
    this.ring.setDepth(DEPTH.people - 0.5);
  }

  /**
   * Writes what is said or the label, and shows that.
   * @param {"words"|"label"} shown  @param {{chosen: boolean, detail: "name"|"initials"|"emoji"}} look
   */
  write(shown, { chosen, detail }) {
    const isSpeaking = shown === "words";
    if (isSpeaking) this.words ??= new WordsBubble(this.scene, `words of ${this.name}`, this.density);
    if (isSpeaking !== this.isSpeaking) this.bubble.setVisible(false);
    this.isSpeaking = isSpeaking;
    if (isSpeaking) this.words.write(this.names.name, this.saying, chosen);
    else this.label.write(this.emoji, this.names[chosen ? "name" : detail], chosen);
  }

  /**
   * The point above the head where the bubble's tail should end, in device pixels of the view.
   * @param {View} view  @returns {Point}
   */
  anchor(view) {
    const top = this.figure.y - this.figure.displayHeight + 2 * this.figure.scaleY;
    return [(this.figure.x - view.scrollX) * view.zoom, (top - view.scrollY) * view.zoom];
  }

  /**
   * Returns the box of the face below an anchor, in device pixels of the view.
   * @param {Point} anchor  @param {View} view
   */
  faceBox([x, y], view) {
    const size = FACE * this.figure.displayHeight * view.zoom;
    return { x, bottom: y + size, width: size, height: size };
  }

  /** Moves the bubble towards its place; hides it if there is none. @param {number} passed */
  moveBubble(passed) {
    this.bubble.setVisible(this.goal !== null);
    if (!this.goal) {
      this.shift = null;
      return;
    }
    const share = this.shift ? Math.min(1, SLIDE * passed) : 1;
    const moved = this.goal.map((part, axis) => (this.shift?.[axis] ?? 0) * (1 - share) + part * share);
    this.shift = /** @type {Point} */ (moved);
  }

  /**
   * Draws the bubble at an anchor in the view (device pixels), moved by its shift.
   * @param {Point} anchor  @param {View} view
   */
  drawBubble([anchorX, anchorY], view) {
    if (!this.shift) return;
    /** @type {Point} */
    const end = [anchorX + this.shift[0], anchorY - this.shift[1]];
    this.bubble.draw(end, [anchorX, anchorY], view, DEPTH.labels + this.depth);
  }
}
