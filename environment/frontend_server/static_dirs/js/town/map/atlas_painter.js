/**
 * A worker that keeps a large map, and paints the pieces of it that are asked for: the page never reads the map itself.
 *
 * Gets {url, collisions}; answers with {levels}, or {fault, isUnreachable}. Then gets pieces {level, column, row}; answers
 * each with itself and two bitmaps, `ground` and `above` the people, null where there is nothing.
 */

import { Unreachable, get } from "../../server.js";
import { PiecePainter, withPixels } from "./piece_painter.js";
import { readLayers, usedTilesets } from "./tiled.js";
import { fetchTileset } from "./tileset_files.js";
/** @import { PiecePlace } from "./piece_painter.js" */
/** @import { Layer, Tileset } from "./tiled.js" */

const MERGED = 2; // the level from which on people are dots, and nothing is above them

/** @type {?{painter: PiecePainter, layers: Layer[]}} */
let opened = null;

addEventListener("message", async ({ data }) => {
  if (data.url) await open(data);
  else paint(data);
});

/** @param {{url: string, collisions: boolean}} map */
async function open({ url, collisions }) {
  try {
    const map = await get(url, { isLarge: true });
    const layers = await readLayers(map, { collisions });
    const tilesets = usedTilesets(map.tilesets, layers).map((/** @type {Tileset} */ tileset) => fetchTileset(tileset, new URL(url)).then(withPixels));
    const painter = new PiecePainter({ tilesets: await Promise.all(tilesets), tile: map.tilewidth, columns: map.width, rows: map.height });
    opened = { painter, layers };
    postMessage({ levels: painter.levels });
  } catch (fault) {
    postMessage({ fault: fault instanceof Error ? fault.message : String(fault), isUnreachable: fault instanceof Unreachable });
  }
}

/** @param {PiecePlace} place */
function paint(place) {
  const { layers } = opened;
  const isMerged = place.level >= MERGED;
  const ground = painted(layers.filter(({ above }) => isMerged || !above), place);
  const above = isMerged ? null : painted(layers.filter((layer) => layer.above), place);
  postMessage({ ...place, ground, above }, { transfer: [ground, above].filter(Boolean) });
}

/** @param {Layer[]} layers  @param {PiecePlace} place  @returns {?ImageBitmap} */
function painted(layers, place) {
  const { canvas } = opened.painter.paint(layers, place) ?? {};
  return canvas?.transferToImageBitmap() ?? null;
}
