/**
 * A worker that paints a whole map: all layers at once, into square pieces, one set below the people and one above them,
 * each also at half and at a quarter of the size. The page goes on meanwhile.
 *
 * Gets {layers, tilesets, tile, columns, rows}; answers with {above, level, column, row, bitmap} for each piece that is
 * not empty, null for an empty one, and {done: true}.
 */

import { PiecePainter, newBrush, withPixels } from "./piece_painter.js";
import { PIECE, LEVELS } from "./tiled.js";
/** @import { Point } from "../camera.js" */
/** @import { Layer } from "./tiled.js" */

addEventListener("message", async ({ data }) => {
  const tilesets = await Promise.all(data.tilesets.map(withPixels));
  const painter = new PiecePainter({ ...data, tilesets });
  for (const above of [false, true]) paintAll(painter, data.layers.filter((/** @type {Layer} */ layer) => layer.above === above), above);
  postMessage({ done: true });
});

/** @typedef {Map<string, {column: number, row: number, brush: OffscreenCanvasRenderingContext2D}>} Halves */

/**
 * Paints and sends all pieces of all sizes.
 * @param {PiecePainter} painter  @param {Layer[]} layers  @param {boolean} above
 */
function paintAll(painter, layers, above) {
  /** @type {Halves} */
  let halves = new Map();
  for (let row = 0; row * PIECE < painter.rows * painter.tile; row += 1) {
    for (let column = 0; column * PIECE < painter.columns * painter.tile; column += 1) {
      const brush = painter.paint(layers, { level: 0, column, row });
      if (brush) {
        addHalf(halves, column, row, brush.canvas);
        send(brush, { above, level: 0, column, row });
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
