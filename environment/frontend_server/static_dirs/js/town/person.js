/** One of the people on the map: a figure that walks, and its bubble. */

import { heading } from "../story/frames.js";
import { Label } from "./label.js";
import { DEPTH } from "./map.js";

export const SIZE = 32; // pixels of one frame of a sheet
const ROWS = { down: 0, left: 1, right: 2, up: 3 };
const WALK = [0, 1, 2, 1];
const STAND = 1;
const SMALLEST = 24; // screen pixels of a figure seen from afar
const FACE = 0.45; // of a figure's height
const SLIDE = 0.012; // share of the way a bubble moves per millisecond when it makes room
const RING = 0xffd34d;

export class Person {
  /** @param scene Phaser scene  @param {{name, initials, sprite}} persona  @param {number} tile pixels of a tile */
  constructor(scene, persona, { tile, density }) {
    this.name = persona.name;
    this.names = { name: persona.name.split(" ")[0], initials: persona.initials, emoji: "" };
    this.tile = tile;
    this.density = density;
    this.ring = scene.add.ellipse(0, 0, 30, 14).setStrokeStyle(2.5, RING).setFillStyle(RING, 0.35).setVisible(false);
    this.figure = scene.add.sprite(0, 0, `person ${persona.sprite}`, STAND).setOrigin(0.5, 1);
    this.label = new Label(scene, `label ${persona.name}`, density);
    this.emoji = "";
    this.way = "down";
    this.aside = 0; // tiles by which one makes room for others on the same tile
    this.shift = null; // [across, up] of the bubble, to be free of others
    this.place = null; // nobody is seen before it is known where they are
    for (const image of [this.figure, this.label.image]) image.setVisible(false);
  }

  /** Stands still on a tile. */
  stand(place) {
    this.setPlace(place);
    this.figure.setFrame(ROWS[this.way] * 3 + STAND);
  }

  /** Is on the way from one tile to the next; `place` says where. */
  walk(from, to, place) {
    this.way = heading(from, to) ?? this.way;
    this.setPlace(place);
    const stride = Math.floor(3 * (place[0] + place[1])) % WALK.length;
    this.figure.setFrame(ROWS[this.way] * 3 + WALK[stride]);
  }

  setPlace(place) {
    if (!this.place) for (const image of [this.figure, this.label.image]) image.setVisible(true);
    this.place = place;
    this.figure.setPosition((place[0] + 0.5 + this.aside) * this.tile, (place[1] + 1) * this.tile);
  }

  /** The tile under the feet, read from where the figure is drawn. */
  get spot() {
    return [Math.round(this.figure.x / this.tile - 0.5), Math.round(this.figure.y / this.tile - 1)];
  }

  /** The middle of the figure in town pixels. */
  get middle() {
    return [this.figure.x, this.figure.y - this.tile / 2];
  }

  /** Fits figure and bubble to a zoom (device pixels per town pixel). */
  suit(zoom, { chosen, detail }) {
    const size = Math.max(this.tile / SIZE, (SMALLEST * this.density) / (SIZE * zoom));
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
    this.label.write(this.emoji, this.names[chosen ? "name" : detail], chosen);
  }

  /** Where the bubble would like to be: its lower middle, in device pixels of the view. */
  anchor(view) {
    const top = this.figure.y - this.figure.displayHeight + 2 * this.figure.scaleY;
    return [(this.figure.x - view.scrollX) * view.zoom, (top - view.scrollY) * view.zoom];
  }

  /** The box of the face below an anchor, in device pixels of the view. */
  face([x, y], view) {
    const size = FACE * this.figure.displayHeight * view.zoom;
    return { x, bottom: y + size, width: size, height: size };
  }

  /** Lets the bubble move towards where there is room; without room it is not shown. */
  slide(goal, passed) {
    this.label.image.setVisible(goal !== null);
    if (!goal) {
      this.shift = null;
      return;
    }
    const share = this.shift ? Math.min(1, SLIDE * passed) : 1;
    this.shift = goal.map((part, axis) => (this.shift?.[axis] ?? 0) * (1 - share) + part * share);
  }

  /** Hangs the bubble at a place of the view, in device pixels, moved by its shift. */
  hangLabel([anchorX, anchorY], view, depth) {
    const { image } = this.label;
    if (!this.shift) return;
    const [x, y] = [anchorX + this.shift[0], anchorY - this.shift[1]];
    image.setPosition(Math.round(x) / view.zoom + view.scrollX, Math.round(y) / view.zoom + view.scrollY);
    image.setScale(1 / view.zoom).setDepth(DEPTH.labels + depth);
  }
}
