/** How people are drawn: the frames of their sprite sheets, their size, and their places on a tile they share. Pure. */

/** @import { Tile } from "../acting/places.js" */
/** @import { Frame } from "../playback/frames.js" */

export const SIZE = 32; // pixels of a frame in the sprite sheet
export const STAND = 1; // column of the sheet
const ROWS = { down: 0, left: 1, right: 2, up: 3 };
const WALK = [0, 1, 2, 1];
const MIN_SIZE = 24; // screen pixels of a figure when zoomed out
const SPACING = 0.36; // tiles between people on the same tile
const MAX_SPREAD = 0.8; // tiles that all people on one tile may take

/** @typedef {keyof typeof ROWS} Facing */

/** Number of the frame of somebody who stands. @param {Facing} facing */
export function standing(facing) {
  return ROWS[facing] * 3 + STAND;
}

/** Number of the frame of somebody who walks, at a place between two tiles. @param {Facing} facing  @param {Tile} place */
export function walking(facing, place) {
  const stride = Math.floor(3 * (place[0] + place[1])) % WALK.length;
  return ROWS[facing] * 3 + WALK[stride];
}

/**
 * Scale of a figure at a zoom (device pixels per town pixel).
 * @param {number} zoom  @param {{tile: number, density: number}} sizes
 */
export function figureScale(zoom, { tile, density }) {
  return Math.max(tile / SIZE, (MIN_SIZE * density) / (SIZE * zoom));
}

/**
 * Returns offsets by name, in tiles, so that people on the same tile are all visible. Pure.
 * @param {Frame} frame  @returns {Map<string, number>}
 */
export function tileOffsets(frame) {
  /** @type {Map<string, string[]>} */
  const tiles = new Map();
  for (const [name, { movement }] of Object.entries(frame)) {
    const key = movement.join();
    if (tiles.has(key)) tiles.get(key).push(name);
    else tiles.set(key, [name]);
  }
  return new Map(
    [...tiles.values()].flatMap((names) => {
      const step = Math.min(SPACING, MAX_SPREAD / names.length);
      return names.map((name, place) => /** @type {[string, number]} */ ([name, (place - (names.length - 1) / 2) * step]));
    }),
  );
}
