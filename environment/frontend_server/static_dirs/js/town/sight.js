/** How far somebody in the middle of the view would see: a frame on the map. */

import { DEPTH } from "./map.js";

export const SIGHT = 8; // tiles in each direction, as the engine looks around in path tester mode
const COLOUR = 0xffe49a;

/** The tile that the engine takes a camera to be on. Pure. */
export function tileOf([x, y], tile) {
  return [Math.ceil(x / tile), Math.ceil(y / tile) + 1];
}

/** @returns {{show: function(Camera): number[]}} draws the frame around the middle, answers its tile */
export function frameSight(town) {
  const { tile } = town.map;
  const scene = town.game.scene.scenes[0];
  const box = scene.add.rectangle(0, 0, (2 * SIGHT + 1) * tile, (2 * SIGHT + 1) * tile);
  box.setOrigin(0).setDepth(DEPTH.labels).setFillStyle(COLOUR, 0.12).setStrokeStyle(3, COLOUR);
  const spot = scene.add
    .rectangle(0, 0, tile, tile, COLOUR, 0.55)
    .setOrigin(0)
    .setDepth(DEPTH.labels)
    .setStrokeStyle(2, 0x2b2333);
  return {
    show(camera) {
      const [column, row] = tileOf([camera.x, camera.y], tile);
      box.setPosition((column - SIGHT) * tile, (row - SIGHT) * tile);
      spot.setPosition(column * tile, row * tile);
      return [column, row];
    },
  };
}
