/** Draws the field of vision around the middle of the view. */

import { DEPTH } from "./map/map.js";
/** @import { Tile } from "../acting/places.js" */
/** @import { Camera, Point } from "./camera.js" */
/** @import { Town } from "./town.js" */

export const VISION_RADIUS = 8; // tiles in each direction, as in the backend's path tester mode
const COLOUR = 0xffe49a;

/**
 * Returns the tile that the backend assumes for a camera position. Pure.
 * @param {Point} position  @param {number} tile  its size  @returns {Tile}
 */
export function tileOf([x, y], tile) {
  return [Math.ceil(x / tile), Math.ceil(y / tile) + 1];
}

/**
 * @param {Town} town
 * @returns {{show: (camera: Camera) => Tile}} `show` draws the frame around the camera and returns its tile
 */
export function drawVision(town) {
  const { tile } = town.map;
  const scene = town.game.scene.scenes[0];
  const box = scene.add.rectangle(0, 0, (2 * VISION_RADIUS + 1) * tile, (2 * VISION_RADIUS + 1) * tile);
  box.setOrigin(0).setDepth(DEPTH.labels).setFillStyle(COLOUR, 0.12).setStrokeStyle(3, COLOUR);
  const spot = scene.add
    .rectangle(0, 0, tile, tile, COLOUR, 0.55)
    .setOrigin(0)
    .setDepth(DEPTH.labels)
    .setStrokeStyle(2, 0x2b2333);
  return {
    show(camera) {
      const [column, row] = tileOf([camera.x, camera.y], tile);
      box.setPosition((column - VISION_RADIUS) * tile, (row - VISION_RADIUS) * tile);
      spot.setPosition(column * tile, row * tile);
      return [column, row];
    },
  };
}
