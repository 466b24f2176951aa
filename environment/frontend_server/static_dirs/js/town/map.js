/**
 * The map of the town. All layers are painted once, into square pieces: one set below the people and one above them,
 * each also at half and at a quarter of the size, so that zooming out stays sharp and fast.
 */

import { Unreachable, get } from "../server.js";
import { cutTile, paintTile } from "./pixels.js";
import { tileRect, readCell, readLayers, tilesetOf } from "./tiled.js";

const PIECE = 576; // pixels; not a power of two, because such textures repeat beyond their edges
const LEVELS = 3;
export const DEPTH = { ground: 0, people: 1, foreground: 1_000_000, light: 1_000_001, labels: 1_000_002 };

export class TownMap {
  /** Loads a map and the pictures of its tilesets. @param {string} url of the Tiled JSON */
  static async fetch(url, options) {
    try {
      const map = await get(url);
      const tilesets = await Promise.all(map.tilesets.map((tileset) => fetchTileset(tileset, url)));
      return new TownMap(map, tilesets, await readLayers(map, options));
    } catch (fault) {
      throw fault instanceof Unreachable ? fault : new Error(`${url}: ${fault.message}`, { cause: fault });
    }
  }

  constructor(map, tilesets, layers) {
    this.tile = map.tilewidth;
    this.columns = map.width;
    this.rows = map.height;
    this.width = map.width * map.tilewidth;
    this.height = map.height * map.tileheight;
    this.tilesets = tilesets;
    const sizes = tilesets.flatMap(({ picture, tilewidth, tileheight }) => (picture ? [tilewidth, tileheight] : []));
    this.reach = Math.max(this.tile, ...sizes) - this.tile; // how far the largest tile extends beyond its cell
    this.layers = layers;
  }

  /** Paints the pieces and adds them to a scene. */
  paint(scene) {
    this.levels = [];
    for (const above of [false, true]) {
      let pieces = this.#paintPieces(above);
      for (let level = 0; level < LEVELS; level += 1) {
        if (level) pieces = halve(pieces);
        this.levels[level] = [...(this.levels[level] ?? []), ...addImages(scene, pieces, level, above)];
      }
    }
    this.layers = this.tilesets = null; // no longer needed
  }

  /** Shows the pieces for a zoom: at 0.25, those painted at a quarter of the size. */
  setZoom(zoom) {
    const level = Math.min(LEVELS - 1, Math.max(0, Math.floor(Math.log2(1 / zoom) + 0.01)));
    this.levels.forEach((images, number) => images.forEach((image) => image.setVisible(number === level)));
    const filter = zoom * 2 ** level >= 1 ? Phaser.Textures.FilterMode.NEAREST : Phaser.Textures.FilterMode.LINEAR;
    if (this.filter !== filter) this.levels.flat().forEach((image) => image.texture.setFilter(filter));
    this.filter = filter;
  }

  #paintPieces(above) {
    const pieces = new Map();
    const layers = this.layers.filter((layer) => layer.above === above);
    for (let row = 0; row * PIECE < this.height; row += 1) {
      for (let column = 0; column * PIECE < this.width; column += 1) {
        const canvas = this.#paintPiece(layers, column * PIECE, row * PIECE);
        if (canvas) pieces.set(`${column} ${row}`, canvas);
      }
    }
    return pieces;
  }

  /** Paints one piece; returns null if it is empty. Large tiles of neighbouring cells may extend into it. */
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
    if (!painted) return null;
    const brush = newBrush();
    brush.putImageData(image, 0, 0);
    return brush.canvas;
  }

  /** Returns the pixels of a cell, cached per layer; null if its tileset is missing. */
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

function clamp(number, size) {
  return Math.max(0, Math.min(size, number));
}

async function fetchTileset(tileset, mapUrl) {
  let described = tileset;
  let base = new URL(mapUrl, location.href);
  if (tileset.source) {
    base = new URL(tileset.source, base);
    const response = await fetch(base);
    if (!response.ok || !base.pathname.endsWith("json")) return missing(tileset, base.pathname);
    described = { ...(await response.json()), firstgid: tileset.firstgid };
  }
  if (!described.image) return missing(tileset, described.name);
  const picture = new Image();
  picture.src = new URL(described.image, base).href;
  try {
    await picture.decode();
  } catch {
    return missing(tileset, picture.src);
  }
  return { ...described, picture: pixelsOf(picture) };
}

function pixelsOf(image) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  brush.drawImage(image, 0, 0);
  const { data, width, height } = brush.getImageData(0, 0, canvas.width, canvas.height);
  return { width, height, pixels: new Uint32Array(data.buffer) };
}

/** Skips a tileset, and warns in the console: a town with gaps is better than none. */
function missing({ firstgid }, what) {
  console.warn(`The map's tileset ${what} cannot be shown: tilesets are embedded or JSON, with one picture each.`);
  return { firstgid, picture: null };
}

/** Returns a context on an empty canvas, in main memory because it is read back. */
function newBrush() {
  const canvas = document.createElement("canvas");
  canvas.width = PIECE;
  canvas.height = PIECE;
  return canvas.getContext("2d", { willReadFrequently: true });
}

/** Scales pieces down by half: four become one. */
function halve(pieces) {
  const halved = new Map();
  for (const [place, piece] of pieces) {
    const [column, row] = place.split(" ").map(Number);
    const target = `${column >> 1} ${row >> 1}`;
    if (!halved.has(target)) halved.set(target, newBrush());
    const brush = halved.get(target);
    brush.drawImage(piece, ((column & 1) * PIECE) / 2, ((row & 1) * PIECE) / 2, PIECE / 2, PIECE / 2);
  }
  return new Map([...halved].map(([place, brush]) => [place, brush.canvas]));
}

function addImages(scene, pieces, level, above) {
  return [...pieces].map(([place, canvas]) => {
    const key = `town ${above} ${level} ${place}`;
    scene.textures.addCanvas(key, canvas);
    const [column, row] = place.split(" ").map(Number);
    const image = scene.add.image(column * PIECE * 2 ** level, row * PIECE * 2 ** level, key);
    return image
      .setOrigin(0)
      .setScale(2 ** level)
      .setDepth(above ? DEPTH.foreground : DEPTH.ground);
  });
}
