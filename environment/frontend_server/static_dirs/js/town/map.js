/**
 * The ground of the town. All layers of the map are painted once, into square pieces: one set below the people, one
 * above them, and each again at half and at a quarter of the size, so that a view from afar is as sharp as a near one
 * and costs no more.
 */

import { cutOf, readCell, readLayers, tilesetOf } from "./tiled.js";

const PIECE = 512; // pixels
const LEVELS = 3;
export const DEPTH = { ground: 0, people: 1, foreground: 1_000_000, light: 1_000_001, labels: 1_000_002 };

export class TownMap {
  /** Fetches a map with the pictures of its tilesets. @param {string} url of the Tiled JSON */
  static async fetch(url, options) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
    const map = await response.json();
    const tilesets = await Promise.all(map.tilesets.map((tileset) => fetchTileset(tileset, url)));
    return new TownMap(map, tilesets.filter(Boolean), await readLayers(map, options));
  }

  constructor(map, tilesets, layers) {
    this.tile = map.tilewidth;
    this.columns = map.width;
    this.rows = map.height;
    this.width = map.width * map.tilewidth;
    this.height = map.height * map.tileheight;
    this.tilesets = tilesets;
    this.layers = layers;
    this.cuts = new Map();
  }

  /** Puts the painted pieces into a scene. */
  paint(scene) {
    this.levels = [];
    for (const above of [false, true]) {
      let pieces = this.#paintPieces(above);
      for (let level = 0; level < LEVELS; level += 1) {
        if (level) pieces = halve(pieces);
        this.levels[level] = [...(this.levels[level] ?? []), ...hang(scene, pieces, level, above)];
      }
    }
    this.layers = null; // painted; what remains is pictures
  }

  /** Shows the pieces whose size fits a zoom: with 0.25, those painted at a quarter. */
  suit(zoom) {
    const level = Math.min(LEVELS - 1, Math.max(0, Math.floor(Math.log2(1 / zoom) + 0.01)));
    this.levels.forEach((images, number) => images.forEach((image) => image.setVisible(number === level)));
    const filter = zoom * 2 ** level >= 1 ? Phaser.Textures.FilterMode.NEAREST : Phaser.Textures.FilterMode.LINEAR;
    if (this.filter !== filter) this.levels.flat().forEach((image) => image.texture.setFilter(filter));
    this.filter = filter;
  }

  #paintPieces(above) {
    const pieces = new Map();
    const layers = this.layers.filter((layer) => layer.above === above);
    for (let y = 0; y < this.height; y += PIECE) {
      for (let x = 0; x < this.width; x += PIECE) {
        const canvas = this.#paintPiece(layers, x, y);
        if (canvas) pieces.set(`${x / PIECE} ${y / PIECE}`, canvas);
      }
    }
    return pieces;
  }

  /** One piece, or null if nothing is drawn on it. */
  #paintPiece(layers, left, top) {
    const canvas = newCanvas();
    const brush = canvas.getContext("2d");
    const [first, last] = [left, left + PIECE].map((edge) => Math.floor(edge / this.tile));
    const [upper, lower] = [top, top + PIECE].map((edge) => Math.floor(edge / this.tile));
    let painted = false;
    for (const layer of layers) {
      brush.globalAlpha = layer.opacity;
      for (let row = upper; row < Math.min(lower + 2, this.rows); row += 1) {
        for (let column = Math.max(0, first - 1); column < Math.min(last + 1, this.columns); column += 1) {
          const raw = layer.cells[row * this.columns + column];
          if (raw) painted = this.#paintTile(brush, raw, column * this.tile - left, (row + 1) * this.tile - top) || painted;
        }
      }
    }
    return painted ? canvas : null;
  }

  /** One tile with its lower left corner at a place, as Tiled does with tiles of any size. */
  #paintTile(brush, raw, x, bottom) {
    const { gid, across, down, diagonal } = readCell(raw);
    const cut = this.#cut(gid);
    if (!cut) return false;
    const { picture, from, width, height } = cut;
    if (!across && !down && !diagonal) {
      brush.drawImage(picture, ...from, width, height, x, bottom - height, width, height);
      return true;
    }
    brush.save();
    brush.translate(x + width / 2, bottom - height / 2);
    if (across) brush.scale(-1, 1);
    if (down) brush.scale(1, -1);
    if (diagonal) brush.transform(0, 1, 1, 0, 0, 0);
    brush.drawImage(picture, ...from, width, height, -width / 2, -height / 2, width, height);
    brush.restore();
    return true;
  }

  #cut(gid) {
    if (!this.cuts.has(gid)) {
      const tileset = tilesetOf(this.tilesets, gid);
      const size = tileset && { width: tileset.tilewidth, height: tileset.tileheight };
      this.cuts.set(gid, tileset?.picture ? { picture: tileset.picture, from: cutOf(tileset, gid), ...size } : null);
    }
    return this.cuts.get(gid);
  }
}

async function fetchTileset(tileset, mapUrl) {
  let described = tileset;
  let base = new URL(mapUrl, location.href);
  if (tileset.source) {
    base = new URL(tileset.source, base);
    const response = await fetch(base);
    if (!response.ok || !base.pathname.endsWith("json")) return missing(base.pathname);
    described = { ...(await response.json()), firstgid: tileset.firstgid };
  }
  if (!described.image) return missing(described.name);
  const picture = new Image();
  picture.src = new URL(described.image, base).href;
  try {
    await picture.decode();
  } catch {
    return missing(picture.src);
  }
  return { ...described, picture };
}

/** A town with holes is better than none; what is missing is named where a map maker looks. */
function missing(what) {
  console.warn(`The map's tileset ${what} cannot be shown: tilesets are embedded or JSON, with one picture each.`);
  return null;
}

function newCanvas() {
  const canvas = document.createElement("canvas");
  canvas.width = PIECE;
  canvas.height = PIECE;
  return canvas;
}

/** Four pieces become one of half the scale. */
function halve(pieces) {
  const halved = new Map();
  for (const [place, piece] of pieces) {
    const [column, row] = place.split(" ").map(Number);
    const target = `${column >> 1} ${row >> 1}`;
    if (!halved.has(target)) halved.set(target, newCanvas());
    const brush = halved.get(target).getContext("2d");
    brush.imageSmoothingQuality = "high";
    brush.drawImage(piece, ((column & 1) * PIECE) / 2, ((row & 1) * PIECE) / 2, PIECE / 2, PIECE / 2);
  }
  return halved;
}

function hang(scene, pieces, level, above) {
  return [...pieces].map(([place, canvas]) => {
    const key = `town ${above} ${level} ${place}`;
    scene.textures.addCanvas(key, canvas);
    const [column, row] = place.split(" ").map(Number);
    const image = scene.add.image(column * PIECE * 2 ** level, row * PIECE * 2 ** level, key);
    return image.setOrigin(0).setScale(2 ** level).setDepth(above ? DEPTH.foreground : DEPTH.ground);
  });
}
