/**
 * Reads a Tiled map (JSON): tilesets of any size, CSV or base64 data, groups, chunks of infinite maps.
 * Skips marker layers, which have meanings instead of pictures, and hidden layers.
 */

export const PIECE = 576; // pixels of a painted piece; not a power of two: such textures repeat beyond their edges
export const LEVELS = 3; // sizes of pieces
const MARKER_LAYER = /^(collisions?|.* blocks|special blocks registry)\s*$/i;
const ABOVE = /^foreground/i;
const GID = 0x1fffffff;

/**
 * @typedef {{gid: number, across: boolean, down: boolean, diagonal: boolean}} Cell  a tile and its flips
 * @typedef {{firstgid: number, name?: string, source?: string, image?: string, imagewidth?: number, columns?: number,
 *   margin?: number, spacing?: number, tilewidth?: number, tileheight?: number}} Tileset
 * @typedef {{type: string, name: string, visible?: boolean, opacity?: number, layers?: TiledLayer[], data?: number[]|string,
 *   chunks?: Array<{x: number, y: number, width: number, data: number[]|string}>, encoding?: string, compression?: string}} TiledLayer
 * @typedef {{width: number, height: number, tilewidth: number, tileheight: number, layers: TiledLayer[], tilesets: Tileset[]}} TiledMap
 * @typedef {{name: string, above: boolean, opacity: number, cells: Uint32Array}} Layer  to be drawn; cells row by row
 */

/** Reads a cell of layer data: the three highest bits are the flips. @param {number} raw  @returns {Cell} */
export function readCell(raw) {
  return {
    gid: raw & GID,
    across: (raw & 0x80000000) !== 0,
    down: (raw & 0x40000000) !== 0,
    diagonal: (raw & 0x20000000) !== 0,
  };
}

/** Returns the layers to draw, from back to front. @param {TiledMap} map  @returns {Promise<Layer[]>} */
export async function readLayers(map, { collisions = false } = {}) {
  const drawn = flatten(map.layers).filter((layer) => isDrawn(layer, collisions));
  return Promise.all(
    drawn.map(async (layer) => ({
      name: layer.name,
      above: ABOVE.test(layer.name),
      opacity: layer.opacity ?? 1,
      cells: await cellsOf(layer, map),
    })),
  );
}

/**
 * Returns the tileset of a tile: the last one whose first number is not greater.
 * @template {{firstgid: number}} T
 * @param {T[]} tilesets  @param {number} gid  @returns {?T}
 */
export function tilesetOf(tilesets, gid) {
  let found = null;
  for (const tileset of tilesets)
    if (tileset.firstgid <= gid && (!found || tileset.firstgid > found.firstgid)) found = tileset;
  return found;
}

/** Returns the tilesets of which at least one tile is drawn. @param {Tileset[]} tilesets  @param {Layer[]} layers */
export function usedTilesets(tilesets, layers) {
  const numbers = new Set(layers.flatMap(({ cells }) => [...new Set(cells)]));
  return [...new Set([...numbers].map((raw) => raw && tilesetOf(tilesets, readCell(raw).gid)))].filter(Boolean);
}

/**
 * Returns the rectangle of a tile in the picture of its tileset, in pixels.
 * @param {Tileset} tileset  @param {number} gid
 */
export function tileRect(tileset, gid) {
  const number = gid - tileset.firstgid;
  const { margin = 0, spacing = 0, tilewidth, tileheight } = tileset;
  const columns = tileset.columns || Math.floor((tileset.imagewidth - 2 * margin + spacing) / (tilewidth + spacing));
  const row = Math.floor(number / columns);
  const place = { x: margin + (number % columns) * (tilewidth + spacing), y: margin + row * (tileheight + spacing) };
  return { ...place, width: tilewidth, height: tileheight };
}

/** @param {TiledLayer[]} layers  @returns {TiledLayer[]} */
function flatten(layers) {
  return layers.flatMap((layer) => {
    if (layer.type === "group") return layer.visible === false ? [] : flatten(layer.layers);
    return layer.type === "tilelayer" ? [layer] : [];
  });
}

/** @param {TiledLayer} layer  @param {boolean} collisions */
function isDrawn(layer, collisions) {
  if (/^collisions?\s*$/i.test(layer.name)) return collisions;
  return layer.visible !== false && !MARKER_LAYER.test(layer.name);
}

/** @param {TiledLayer} layer  @param {TiledMap} map  @returns {Promise<Uint32Array>} */
async function cellsOf(layer, map) {
  if (!layer.chunks) return decode(layer.data, layer);
  const cells = new Uint32Array(map.width * map.height);
  for (const chunk of layer.chunks) {
    const data = await decode(chunk.data, layer);
    data.forEach((raw, place) => {
      const x = chunk.x + (place % chunk.width);
      const y = chunk.y + Math.floor(place / chunk.width);
      if (x >= 0 && y >= 0 && x < map.width && y < map.height) cells[y * map.width + x] = raw;
    });
  }
  return cells;
}

/** @param {number[]|string} data  @param {TiledLayer} layer  @returns {Promise<Uint32Array>} */
async function decode(data, { encoding, compression }) {
  if (encoding !== "base64") return Uint32Array.from(/** @type {number[]} */ (data));
  const bytes = Uint8Array.from(atob(/** @type {string} */ (data)), (sign) => sign.charCodeAt(0));
  const plain = compression ? await inflate(bytes, compression) : bytes;
  const view = new DataView(plain.buffer);
  return Uint32Array.from({ length: plain.byteLength / 4 }, (_, place) => view.getUint32(4 * place, true));
}

/** @param {Uint8Array<ArrayBuffer>} bytes  @param {string} compression */
async function inflate(bytes, compression) {
  /** @type {Record<string, CompressionFormat>} */
  const formats = { zlib: "deflate", gzip: "gzip" };
  const format = formats[compression];
  if (!format)
    throw new Error(`Layer data compressed with ${compression} cannot be read: save the map with zlib, gzip or CSV.`);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
