/**
 * The map of a city, which is too large to be painted as a whole: a small picture of it, and over that pieces of what is in
 * view, which a worker paints as they are needed.
 */

import { Unreachable } from "../../server.js";
import { DEPTH } from "./map.js";
import { newCanvas } from "./pictures.js";
import { Shelf, keyOf, levelAt, piecesIn } from "./pieces.js";
import { PIECE } from "./tiled.js";
/** @import { View } from "../camera.js" */
/** @import { Progress } from "../progress.js" */
/** @import { Town } from "../town.js" */
/** @import { PiecePlace } from "./piece_painter.js" */

const BUDGET = 160 * 2 ** 20; // bytes of painted pieces that are kept, besides those in view
const BYTES = 4 * PIECE ** 2; // of a picture of a piece
const AT_ONCE = 2; // pieces that are asked for: what is wanted changes while one looks around
const SMALL = "small town";

/**
 * @typedef {{columns: number, rows: number, tile: number}} MapSize  in tiles, and pixels of a tile
 * @typedef {PiecePlace & {images: Phaser.GameObjects.Image[]}} PaintedPiece
 */

export class LargeMap {
  /** @param {string} url of the Tiled JSON  @param {MapSize} size  @param {{collisions?: boolean}} options */
  constructor(url, { columns, rows, tile }, { collisions = false } = {}) {
    this.url = url;
    this.collisions = collisions;
    this.tile = tile;
    this.columns = columns;
    this.rows = rows;
    this.width = columns * tile;
    this.height = rows * tile;
    this.levels = 0; // that can be painted; none until the worker knows the map
    /** @type {?HTMLImageElement} */
    this.small = null;
    /** @type {?Phaser.GameObjects.Image} */
    this.stretched = null; // the small picture on the map
    /** @type {Shelf<PaintedPiece>} */
    this.shelf = new Shelf(BUDGET, giveUp);
    /** @type {Set<string>} */
    this.asked = new Set();
    /** @type {PiecePlace[]} */
    this.coarse = []; // the whole map, as small as it can be painted: shown where nothing better is painted yet
    /** @type {PaintedPiece[]} */
    this.shown = [];
  }

  /** Shows a small picture of the whole map below its pieces. @param {Phaser.Scene} scene  @param {HTMLImageElement} picture */
  showSmall(scene, picture) {
    this.small = picture;
    scene.textures.addImage(SMALL, picture).setFilter(Phaser.Textures.FilterMode.LINEAR);
    this.stretched = scene.add.image(0, 0, SMALL).setOrigin(0).setDepth(DEPTH.ground - 1).setDisplaySize(this.width, this.height);
  }

  /**
   * Has a worker read the map; pieces are painted from then on. Can be repeated after a failure.
   * @param {Phaser.Scene} scene  @param {Progress} progress
   */
  async paint(scene, progress) {
    const painter = new Worker(new URL("atlas_painter.js", import.meta.url), { type: "module" });
    const reading = new Promise((done, fail) => {
      painter.addEventListener("error", (event) => {
        event.preventDefault();
        fail(new Error(event.message || "atlas_painter.js"));
      });
      painter.addEventListener("message", ({ data }) => {
        if (data.fault) fail(data.isUnreachable ? new Unreachable(data.fault) : new Error(`${this.url}: ${data.fault}`));
        else if (data.levels) done(data.levels);
        else this.#take(scene, data);
      });
      painter.postMessage({ url: new URL(this.url, location.href).href, collisions: this.collisions });
    });
    try {
      this.levels = await progress.count(reading);
      const [width, height] = [this.width, this.height];
      this.coarse = piecesIn({ scrollX: 0, scrollY: 0, width, height, zoom: 1 }, this.levels - 1, this).seen;
      this.painter = painter;
    } catch (fault) {
      painter.terminate();
      throw fault;
    }
  }

  /**
   * Another town on the page has the same map; each paints what is in its own view.
   * @param {Phaser.Scene} scene  @param {Town} _twin  @param {Progress} progress
   */
  copy(scene, _twin, progress) {
    return this.paint(scene, progress);
  }

  /** Shows the pieces of a view, and asks for those that are missing. @param {View} view */
  setView(view) {
    if (!this.levels) return;
    const level = levelAt(view.zoom);
    if (level >= this.levels) return this.#show([], false);
    const { seen, near } = piecesIn(view, level, this);
    const pieces = seen.map((place) => this.shelf.use(keyOf(place)));
    const isWhole = pieces.every(Boolean);
    this.#show(isWhole ? pieces : this.#inView(view, level), isWhole);
    const filter = view.zoom * 2 ** level >= 1 ? Phaser.Textures.FilterMode.NEAREST : Phaser.Textures.FilterMode.LINEAR;
    for (const { images } of this.shown) for (const image of images) if (image.texture.source[0].scaleMode !== filter) image.texture.setFilter(filter);
    this.shelf.tidy(new Set(seen.map(keyOf)));
    this.#ask(isWhole ? [...this.coarse, ...near] : seen);
  }

  /** Draws the map, scaled down; returns whether there is a picture. @param {CanvasRenderingContext2D} context  @param {number} scale */
  drawSmall(context, scale) {
    if (this.small) context.drawImage(this.small, 0, 0, this.width * scale, this.height * scale);
    return Boolean(this.small);
  }

  /** Pieces to be shown while some of a level are missing: all that are in view, the finest above. @param {View} view  @param {number} level */
  #inView({ scrollX, scrollY, width, height, zoom }, level) {
    return this.shelf.all.filter((piece) => {
      const side = PIECE * 2 ** piece.level;
      const [left, top] = [piece.column * side, piece.row * side];
      const isSeen = left < scrollX + width / zoom && left + side > scrollX && top < scrollY + height / zoom && top + side > scrollY;
      return isSeen && piece.level >= level - 1;
    });
  }

  /** @param {PaintedPiece[]} pieces  @param {boolean} isWhole  whether they cover the view */
  #show(pieces, isWhole) {
    const now = new Set(pieces);
    for (const { images } of this.shown) images.forEach((image) => image.setVisible(false));
    for (const { images } of now) images.forEach((image) => image.setVisible(true));
    this.shown = pieces;
    this.stretched?.setVisible(!isWhole);
  }

  /** @param {PiecePlace[]} places */
  #ask(places) {
    for (const place of places) {
      if (this.asked.size >= AT_ONCE) return;
      const key = keyOf(place);
      if (this.asked.has(key) || this.shelf.has(key)) continue;
      this.asked.add(key);
      this.painter.postMessage(place);
    }
  }

  /** @param {Phaser.Scene} scene  @param {PiecePlace & {ground: ?ImageBitmap, above: ?ImageBitmap}} painted */
  #take(scene, { ground, above, ...place }) {
    const key = keyOf(place);
    this.asked.delete(key);
    const { level } = place;
    const images = [];
    if (ground) images.push(imageOf(scene, place, { bitmap: ground, key: `ground ${key}`, depth: DEPTH.ground - level / 10 }));
    if (above) images.push(imageOf(scene, place, { bitmap: above, key: `above ${key}`, depth: DEPTH.foreground - level / 10 }));
    this.shelf.add(key, { ...place, images }, BYTES * images.length);
  }
}

/**
 * @param {Phaser.Scene} scene  @param {PiecePlace} place  @param {{bitmap: ImageBitmap, key: string, depth: number}} drawn
 */
function imageOf(scene, { level, column, row }, { bitmap, key, depth }) {
  const canvas = newCanvas(PIECE, PIECE);
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
  scene.textures.addImage(key, /** @type {any} */ (canvas));
  const size = 2 ** level;
  return scene.add.image(column * PIECE * size, row * PIECE * size, key).setOrigin(0).setScale(size).setDepth(depth).setVisible(false);
}

/** @param {PaintedPiece} piece */
function giveUp({ images }) {
  for (const image of images) {
    const { texture } = image;
    image.destroy();
    texture.destroy();
  }
}
