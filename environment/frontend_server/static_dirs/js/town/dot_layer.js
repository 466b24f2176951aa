/** People seen from afar: a dot each, in the colours of the small map; a disc with their number where many are close. */

import { FONT, INK, pin } from "./bubbles/bubble_box.js";
import { crowdsOf } from "./crowds.js";
import { DEPTH } from "./map/map.js";
/** @import { Crowd } from "./crowds.js" */
/** @import { Point, View } from "./camera.js" */
/** @import { PersonSprite } from "./person_sprite.js" */

export const COLOURS = { person: "#ffffff", talking: "#ffd34d", chosen: "#e2502c", edge: "#2b2333" };
const RADIUS = 3.2; // of a dot; all sizes are screen pixels
const EDGE = 1.25;
const PAPER = "#fffaf0";
const DISC = { least: 11, most: 19, slope: 1.15 }; // radius, which grows with the root of the number
const INTERVAL = 250; // milliseconds between changes of the discs
const LEAST = 8; // people who get a disc
const CELL = 56; // side of a square whose people may share a disc
const FACE = 14; // half of a face
const SPARE = 1; // around a drawing

/** @typedef {Crowd<PersonSprite> & {image: Phaser.GameObjects.Image, radius: number}} Disc */

export class DotLayer {
  /** @param {Phaser.Scene} scene  @param {{density: number}} sizes */
  constructor(scene, { density }) {
    this.scene = scene;
    this.density = density;
    /** @type {Phaser.GameObjects.Image[]} */
    this.images = []; // of dots; those that are not needed are hidden
    /** @type {Disc[]} */
    this.discs = [];
    /** @type {Set<PersonSprite>} */
    this.gathered = new Set(); // those who are in a disc
    this.since = INTERVAL;
    /** @type {?number} */
    this.zoom = null;
  }

  /**
   * Shows people as dots, and as discs where many are close, if that is wanted.
   * @param {PersonSprite[]} people
   * @param {{chosen: ?string, marked: PersonSprite[], view: View, passed: number, mayGather: boolean}} now  `marked`: those with a
   *   face, which no disc covers
   */
  show(people, { chosen, marked, view, passed, mayGather }) {
    this.since += passed;
    if (this.since >= INTERVAL || view.zoom !== this.zoom || !mayGather) this.#gather(mayGather ? people : [], marked, view);
    let used = 0;
    for (const person of people) {
      if (this.gathered.has(person)) continue;
      const image = (this.images[used] ??= this.scene.add.image(0, 0, this.#dot("person")).setDepth(DEPTH.light + 0.3));
      used += 1;
      const kind = person.name === chosen ? "chosen" : person.partners.length ? "talking" : "person";
      image.setTexture(this.#dot(kind)).setVisible(true);
      image.setPosition(...person.middle).setScale(1 / view.zoom);
    }
    for (let spare = used; spare < this.images.length && this.images[spare].visible; spare += 1) this.images[spare].setVisible(false);
    for (const { image, spot } of this.discs) pin(image, inView(spot, view), view).setDepth(DEPTH.light + 0.4);
  }

  /** The disc at a point of the view (device pixels), or null. @param {Point} point  @param {View} view  @returns {?Disc} */
  at([x, y], view) {
    const found = this.discs.find(({ spot, radius }) => {
      const [left, top] = inView(spot, view);
      return Math.hypot(left - x, top - y) <= (radius + 2) * this.density;
    });
    return found ?? null;
  }

  /** @param {PersonSprite[]} people  @param {PersonSprite[]} marked  @param {View} view */
  #gather(people, marked, view) {
    [this.since, this.zoom] = [0, view.zoom];
    const scale = this.density / view.zoom; // town pixels per screen pixel
    const apart = (/** @type {number} */ one, /** @type {number} */ other) => (radiusOf(one) + radiusOf(other)) * scale;
    const all = crowdsOf(people, { spotOf: ({ middle }) => middle, cell: CELL * scale, least: LEAST, apart });
    const covers = (/** @type {Crowd<PersonSprite>} */ { people: { length }, spot }, /** @type {PersonSprite} */ { middle }) =>
      Math.hypot(spot[0] - middle[0], spot[1] - middle[1]) < (radiusOf(length) + FACE) * scale;
    const crowds = all.filter((crowd) => !marked.some((person) => covers(crowd, person)));
    for (const { image } of this.discs) image.destroy();
    this.gathered = new Set(crowds.flatMap((crowd) => crowd.people));
    this.discs = crowds.map((crowd) => {
      const radius = radiusOf(crowd.people.length);
      return { ...crowd, radius, image: this.scene.add.image(0, 0, this.#disc(crowd.people.length)) };
    });
  }

  /** Name of the texture of a dot. @param {"person"|"talking"|"chosen"} kind */
  #dot(kind) {
    const radius = kind === "chosen" ? RADIUS * 1.5 : RADIUS;
    return this.#drawn(`dot ${kind}`, radius, (brush) => circle(brush, radius, COLOURS[kind]));
  }

  /** Name of the texture of a disc with a number. @param {number} count */
  #disc(count) {
    const radius = radiusOf(count);
    return this.#drawn(`disc ${count}`, radius, (brush) => {
      circle(brush, radius, PAPER);
      Object.assign(brush, { fillStyle: INK, font: `700 11.5px ${FONT}`, textAlign: "center", textBaseline: "middle" });
      brush.fillText(String(count), 0, 0.75);
    });
  }

  /** @param {string} key  @param {number} radius  @param {(brush: CanvasRenderingContext2D) => void} draw */
  #drawn(key, radius, draw) {
    const { textures } = this.scene;
    if (textures.exists(key)) return key;
    const side = 2 * Math.ceil((radius + EDGE + SPARE) * this.density);
    const texture = textures.createCanvas(key, side, side);
    const brush = texture.getContext();
    brush.setTransform(this.density, 0, 0, this.density, side / 2, side / 2);
    draw(brush);
    texture.refresh();
    return key;
  }
}

/** A spot of the town in device pixels of the view. @param {Point} spot  @param {View} view  @returns {Point} */
function inView([x, y], { zoom, scrollX, scrollY }) {
  return [(x - scrollX) * zoom, (y - scrollY) * zoom];
}

/** @param {number} count */
function radiusOf(count) {
  return Math.min(DISC.most, DISC.least + DISC.slope * Math.sqrt(Math.max(0, count - LEAST)));
}

/** @param {CanvasRenderingContext2D} brush  @param {number} radius  @param {string} colour */
function circle(brush, radius, colour) {
  brush.beginPath();
  brush.arc(0, 0, radius, 0, 2 * Math.PI);
  Object.assign(brush, { fillStyle: colour, strokeStyle: COLOURS.edge, lineWidth: EDGE });
  brush.fill();
  brush.stroke();
}
