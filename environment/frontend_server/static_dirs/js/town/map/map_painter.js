/**
 * A worker that paints the map: all layers at once, into square pieces, one set below the people and one above them,
 * each also at half and at a quarter of the size. The page goes on meanwhile.
 *
 * Gets {layers, tilesets, tile, columns, rows}; answers with {above, level, column, row, bitmap} for each piece that is
 * not empty, null for an empty one, and {done: true}.
 */

import { cutTile, paintTile } from "./pixels.js";
import { PIECE, LEVELS, readCell, tileRect, tilesetOf } from "./tiled.js";
/** @import { Point } from "../camera.js" */
/** @import { Picture } from "./pixels.js" */
/** @import { Layer, Tileset } from "./tiled.js" */

addEventListener("message", async ({ data }) => {
  const tilesets = await Promise.all(data.tilesets.map(withPixels));
  const painter = new MapPainter({ ...data, tilesets });
  for (const above of [false, true]) painter.paint(above);
  postMessage({ done: true });
});

/**
 * @typedef {Map<string, {column: number, row: number, brush: OffscreenCanvasRenderingContext2D}>} Halves
 * @typedef {Tileset & {picture: ?Picture}} PaintedTileset
 * @typedef {Layer & {tiles?: Map<number, ?Picture>}} PaintedLayer  with the pixels of its cells, by their data
 */

class MapPainter {
  /** @param {{layers: PaintedLayer[], tilesets: PaintedTileset[], tile: number, columns: number, rows: number}} map */
  constructor({ layers, tilesets, tile, columns, rows }) {
    this.layers = layers;
    this.tilesets = tilesets;
    this.tile = tile;
    this.columns = columns;
    this.rows = rows;
    const sizes = tilesets.flatMap(({ picture, tilewidth, tileheight }) => (picture ? [tilewidth, tileheight] : []));
    this.reach = Math.max(tile, ...sizes) - tile; // how far the largest tile extends beyond its cell
    this.brush = newBrush();
  }

  /** Paints and sends all pieces of all sizes. @param {boolean} above */
  paint(above) {
    const layers = this.layers.filter((layer) => layer.above === above);
    /** @type {Halves} */
    let halves = new Map();
    for (let row = 0; row * PIECE < this.rows * this.tile; row += 1) {
      for (let column = 0; column * PIECE < this.columns * this.tile; column += 1) {
        if (this.#paintPiece(layers, column * PIECE, row * PIECE)) {
          addHalf(halves, column, row, this.brush.canvas);
          send(this.brush, { above, level: 0, column, row });
        } else postMessage(null);
      }
    }
    for (let level = 1; level < LEVELS; level += 1) {
      /** @type {Halves} */
      const next = new Map();
      for (const { column, row, brush } of halves.values()) {
        addHalf(next, column, row, brush.canvas);
        send(brush, { above, level, column, row });
      }
      halves = next;
    }
  }

  /**
   * Paints one piece; returns whether there is anything. Large tiles of neighbouring cells may extend into it.
   * @param {PaintedLayer[]} layers  @param {number} left  @param {number} top
   */
  #paintPiece(layers, left, top) {
    const image = new ImageData(PIECE, PIECE);
    const picture = { width: PIECE, height: PIECE, pixels: new Uint32Array(image.data.buffer) };
    const { reach } = this;
    const columns = [left - reach, left + PIECE].map((edge) => clamp(Math.floor(edge / this.tile), this.columns));
    const rows = [top, top + PIECE + reach].map((edge) => clamp(Math.ceil(edge / this.tile), this.rows));
    let painted = false;
    for (const layer of layers) {
      for (let row = rows[0]; row < rows[1]; row += 1) {
        for (let column = columns[0]; column < columns[1]; column += 1) {
          const raw = layer.cells[row * this.columns + column];
          const tile = raw && this.#tileOf(raw, layer);
          if (!tile) continue;
          paintTile(picture, tile, column * this.tile - left, (row + 1) * this.tile - tile.height - top);
          painted = true;
        }
      }
    }
    if (painted) this.brush.putImageData(image, 0, 0);
    return painted;
  }

  /**
   * Returns the pixels of a cell, cached per layer; null if its tileset is missing.
   * @param {number} raw  @param {PaintedLayer} layer  @returns {?Picture}
   */
  #tileOf(raw, layer) {
    layer.tiles ??= new Map();
    if (!layer.tiles.has(raw)) {
      const { gid, ...flips } = readCell(raw);
      const tileset = tilesetOf(this.tilesets, gid);
      const shown = tileset?.picture;
      layer.tiles.set(raw, shown ? cutTile(shown, tileRect(tileset, gid), { ...flips, opacity: layer.opacity }) : null);
    }
    return layer.tiles.get(raw);
  }
}

/**
 * Adds the pixels of a tileset's picture; null if there is none, or it is broken.
 * @param {Tileset & {blob: ?Blob}} tileset  @returns {Promise<PaintedTileset>}
 */
async function withPixels({ blob, ...tileset }) {
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

/**
 * Paints a piece into that of the next smaller size: four become one.
 * @param {Halves} halves  @param {number} column  @param {number} row  @param {OffscreenCanvas} canvas
 */
function addHalf(halves, column, row, canvas) {
  const place = { column: column >> 1, row: row >> 1 };
  const key = `${place.column} ${place.row}`;
  if (!halves.has(key)) halves.set(key, { ...place, brush: newBrush() });
  /** @type {Point} */
  const corner = [((column & 1) * PIECE) / 2, ((row & 1) * PIECE) / 2];
  halves.get(key).brush.drawImage(canvas, ...corner, PIECE / 2, PIECE / 2);
}

/**
 * Sends what was painted; the canvas is empty afterwards.
 * @param {OffscreenCanvasRenderingContext2D} brush
 * @param {{above: boolean, level: number, column: number, row: number}} piece
 */
function send({ canvas }, piece) {
  const bitmap = canvas.transferToImageBitmap();
  postMessage({ ...piece, bitmap }, { transfer: [bitmap] });
}

function newBrush() {
  return new OffscreenCanvas(PIECE, PIECE).getContext("2d", { willReadFrequently: true });
}

/** @param {number} number  @param {number} size */
function clamp(number, size) {
  return Math.max(0, Math.min(size, number));
}
