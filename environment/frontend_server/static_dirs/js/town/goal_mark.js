/** A ring on the tile to which the visitor of this page walks. */

import { DEPTH } from "./map/map.js";
/** @import { Tile } from "../acting/places.js" */

const COLOUR = 0xffd34d;
const EDGE = 0x2b2333;

export class GoalMark {
  /** @param {Phaser.Scene} scene  @param {number} tile  its size in town pixels */
  constructor(scene, tile) {
    this.tile = tile;
    this.ring = scene.add
      .ellipse(0, 0, tile * 0.8, tile * 0.8)
      .setStrokeStyle(3, COLOUR)
      .setFillStyle(COLOUR, 0.3);
    this.edge = scene.add.ellipse(0, 0, tile * 0.92, tile * 0.92).setStrokeStyle(1, EDGE, 0.8);
    for (const part of [this.ring, this.edge]) part.setDepth(DEPTH.light + 0.1).setVisible(false);
  }

  /** @param {?Tile} tile  null hides it */
  show(tile) {
    for (const part of [this.ring, this.edge]) {
      part.setVisible(tile !== null);
      if (tile) part.setPosition((tile[0] + 0.5) * this.tile, (tile[1] + 0.5) * this.tile);
    }
  }
}
