/**
 * Paints square pieces of a map pixel by pixel. A piece of level 1 shows twice as much of the map at half its size, and so
 * on: its tiles are scaled down before they are painted, so that every piece costs the same.
 */

import { cutTile, halved, paintTile } from "./pixels.js";
import { PIECE, readCell, tileRect, tilesetOf } from "./tiled.js";
/** @import { Picture } from "./pixels.js" */
/** @import { Layer, Tileset } from "./tiled.js" */

const MOST_PIXELS = 6_000_000; // of the tiles that are kept, 4 bytes each

/**
 * @typedef {Tileset & {picture: ?Picture}} PaintedTileset
 * @typedef {{opacity: number, level: number, tiles: Map<number, ?Picture>}} KnownTiles  by their data
 * @typedef {{level: number, column: number, row: number}} PiecePlace
 */

export class PiecePainter {
  /** @param {{tilesets: PaintedTileset[], tile: number, columns: number, rows: number}} map */
  constructor({ tilesets, tile, columns, rows }) {
    this.tilesets = tilesets;
    this.tile = tile;
    this.columns = columns;
    this.rows = rows;
    const sizes = tilesets.flatMap(({ picture, tilewidth, tileheight }) => (picture ? [tilewidth, tileheight] : []));
    this.reach = Math.max(tile, ...sizes) - tile; // how far the largest tile extends beyond its cell
    this.levels = levelsOf([tile, ...sizes]);
    this.brush = newBrush();
    /** @type {Map<string, KnownTiles>} */
    this.known = new Map();
    this.kept = 0; // pixels of these
  }

  /**
   * Paints one piece; null if there is nothing. Large tiles of neighbouring cells may extend into it.
   * @param {Layer[]} layers  @param {PiecePlace} place
   */
  paint(layers, { level, column, row }) {
    const image = new ImageData(PIECE, PIECE);
    const picture = { width: PIECE, height: PIECE, pixels: new Uint32Array(image.data.buffer) };
    const [tile, reach] = [this.tile / 2 ** level, this.reach / 2 ** level];
    const [left, top] = [column * PIECE, row * PIECE];
    const columns = span(left - reach, left + PIECE, tile).map((edge) => clamp(edge, this.columns));
    const rows = span(top, top + PIECE + reach, tile).map((edge) => clamp(edge, this.rows));
    let painted = false;
    for (const layer of layers) {
      const known = this.#known(layer.opacity, level);
      for (let down = rows[0]; down < rows[1]; down += 1) {
        for (let across = columns[0]; across < columns[1]; across += 1) {
          const raw = layer.cells[down * this.columns + across];
          const shown = raw && this.#tileOf(raw, known);
          if (!shown) continue;
          paintTile(picture, shown, across * tile - left, (down + 1) * tile - shown.height - top);
          painted = true;
        }
      }
    }
    if (painted) this.brush.putImageData(image, 0, 0);
    return painted ? this.brush : null;
  }

  /**
   * The tiles that are kept of an opacity and a level; none if there are too many by now.
   * @param {number} opacity  @param {number} level  @returns {KnownTiles}
   */
  #known(opacity, level) {
    if (this.kept > MOST_PIXELS) {
      this.known.clear();
      this.kept = 0;
    }
    const key = `${opacity} ${level}`;
    if (!this.known.has(key)) this.known.set(key, { opacity, level, tiles: new Map() });
    return this.known.get(key);
  }

  /**
   * Returns the pixels of a cell at the size of a level; null if its tileset is missing.
   * @param {number} raw  @param {KnownTiles} known  @returns {?Picture}
   */
  #tileOf(raw, { opacity, level, tiles }) {
    const found = tiles.get(raw);
    if (found !== undefined) return found;
    const { gid, ...flips } = readCell(raw);
    const tileset = tilesetOf(this.tilesets, gid);
    let shown = tileset?.picture ? cutTile(tileset.picture, tileRect(tileset, gid), { ...flips, opacity }) : null;
    for (let step = 0; shown && step < level; step += 1) shown = halved(shown);
    tiles.set(raw, shown);
    this.kept += shown?.pixels.length ?? 0;
    return shown;
  }
}

/** How often all sizes can be halved, and once more: the number of levels. Pure. @param {number[]} sizes */
export function levelsOf(sizes) {
  let levels = 1;
  while (levels < 5 && sizes.every((size) => size % 2 ** levels === 0)) levels += 1;
  return levels;
}

/**
 * Adds the pixels of a tileset's picture; null if there is none, or it is broken.
 * @param {Tileset & {blob: ?Blob}} tileset  @returns {Promise<PaintedTileset>}
 */
export async function withPixels({ blob, ...tileset }) {
  if (!blob) return { ...tileset, picture: null };
  try {
    const bitmap = await createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
    const { width, height } = bitmap;
    const brush = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    brush.drawImage(bitmap, 0, 0);
    const { data } = brush.getImageData(0, 0, width, height);
    return { ...tileset, picture: { width, height, pixels: new Uint32Array(data.buffer) } };
  } catch {
    return { ...tileset, picture: null };
  }
}

export function newBrush() {
  return new OffscreenCanvas(PIECE, PIECE).getContext("2d", { willReadFrequently: true });
}

/** The cells that a stretch of pixels touches. @param {number} first  @param {number} end  @param {number} tile */
function span(first, end, tile) {
  return [Math.floor(first / tile), Math.ceil(end / tile)];
}

/** @param {number} number  @param {number} size */
function clamp(number, size) {
  return Math.max(0, Math.min(size, number));
}
