/** Marks on the map over objects that are not as usual: a glow, and a picture of what is wrong. */

import { prefersReducedMotion } from "../dom.js";
import { DEPTH } from "./map/map.js";
import { FONT } from "./bubbles/bubble_box.js";
/** @import { Tile } from "../acting/places.js" */

const GLOW = 0xff8a3d;
const LEAST = 20; // screen pixels of a picture when zoomed out
const SIZE = 64; // pixels of the text that a picture is drawn from
const BEAT = 420; // milliseconds of a flicker

/** @typedef {{address: string, picture: string, spots: Tile[]}} Mark  of an object; spots in tiles */

export class LastingMarks {
  /** @param {Phaser.Scene} scene  @param {{tile: number, density: number}} sizes */
  constructor(scene, { tile, density }) {
    this.scene = scene;
    this.tile = tile;
    this.density = density;
    this.glow = scene.add.graphics().setDepth(DEPTH.light + 0.2);
    /** @type {Map<string, {picture: string, spots: Tile[], images: Phaser.GameObjects.Text[]}>} */
    this.marks = new Map(); // by address
  }

  /** @param {Mark[]} marks  all there are */
  show(marks) {
    const wanted = new Map(marks.map((mark) => [mark.address, mark]));
    for (const [address, { images, picture }] of this.marks) {
      if (wanted.get(address)?.picture === picture) continue;
      images.forEach((image) => image.destroy());
      this.marks.delete(address);
    }
    for (const mark of marks) if (!this.marks.has(mark.address)) this.marks.set(mark.address, this.#made(mark));
    this.#drawGlow();
  }

  /**
   * Scales the pictures to a zoom (device pixels per town pixel): close by, one on each tile.
   * @param {{zoom: number}} view  @param {boolean} visible
   */
  layOut({ zoom }, visible) {
    this.glow.setVisible(visible);
    const close = this.tile * zoom >= LEAST * this.density;
    const least = (LEAST * this.density) / zoom;
    const still = prefersReducedMotion();
    for (const { images } of this.marks.values())
      images.forEach((image, place) => {
        const beat = still ? 1 : 1 + 0.08 * Math.sin(performance.now() / BEAT + 2 * place);
        image.setVisible(visible && (close || place === 0)).setScale((Math.max(this.tile, least) / SIZE) * beat);
      });
  }

  /** @param {Mark} mark */
  #made({ picture, spots }) {
    const middle = [0, 1].map((axis) => spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length);
    const nearest = [...spots].sort((one, other) => apart(one, middle) - apart(other, middle));
    const images = nearest.map(([x, y]) =>
      this.scene.add
        .text(x * this.tile, y * this.tile, picture, { fontFamily: FONT, fontSize: `${SIZE * 0.8}px` })
        .setOrigin(0.5)
        .setDepth(DEPTH.light + 0.3),
    );
    return { picture, spots, images };
  }

  #drawGlow() {
    this.glow.clear().fillStyle(GLOW, 0.3);
    for (const { spots } of this.marks.values())
      for (const [x, y] of spots) this.glow.fillCircle(x * this.tile, y * this.tile, this.tile * 0.75);
  }
}

/** @param {number[]} one  @param {number[]} other */
function apart(one, other) {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}
