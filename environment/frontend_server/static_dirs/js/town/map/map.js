/**
 * The map of the town: at first a small picture of it, then pieces that a worker paints from the map's tiles, below and
 * above the people, in several sizes, so that zooming out stays sharp and fast.
 */

import { Unreachable, get } from "../../server.js";
import { newCanvas } from "./pictures.js";
import { LEVELS, PIECE, readLayers, usedTilesets } from "./tiled.js";
import { fetchTileset } from "./tileset_files.js";
/** @import { View } from "../camera.js" */
/** @import { Layer, TiledMap, Tileset } from "./tiled.js" */
/** @import { Progress } from "../progress.js" */
/** @import { Town } from "../town.js" */

export const DEPTH = { ground: 0, people: 1, foreground: 1_000_000, light: 1_000_001, labels: 1_000_002 };

/**
 * @typedef {{above: boolean, level: number, column: number, row: number}} Piece  of the painted map
 * @typedef {Piece & {image: Phaser.GameObjects.Image}} ShownPiece
 */

export class TownMap {
  /**
   * Loads a map without its pictures.
   * @param {string} url of the Tiled JSON  @param {{collisions?: boolean}} options
   */
  static async fetch(url, options) {
    try {
      const map = await get(url);
      return new TownMap(url, map, await readLayers(map, options));
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      throw fault instanceof Unreachable ? fault : new Error(`${url}: ${fault.message}`, { cause: fault });
    }
  }

  /** @param {string} url  @param {TiledMap} map  @param {Layer[]} layers */
  constructor(url, map, layers) {
    this.url = url;
    this.tile = map.tilewidth;
    this.columns = map.width;
    this.rows = map.height;
    this.width = map.width * map.tilewidth;
    this.height = map.height * map.tileheight;
    this.layers = layers;
    this.tilesets = usedTilesets(map.tilesets, layers);
    this.levels = Array.from({ length: LEVELS }, () => /** @type {Phaser.GameObjects.Image[]} */ ([]));
    this.isPainted = false;
    /** @type {?number} */
    this.filter = null; // of its textures
    this.stretched = null; // the small picture
  }

  /**
   * Shows a small picture of the whole map until it is painted.
   * @param {Phaser.Scene} scene  @param {HTMLImageElement} picture
   */
  showSmall(scene, picture) {
    scene.textures.addImage("small town", picture).setFilter(Phaser.Textures.FilterMode.LINEAR);
    this.stretched = scene.add.image(0, 0, "small town").setOrigin(0).setDepth(DEPTH.ground);
    this.stretched.setDisplaySize(this.width, this.height);
  }

  /**
   * Fetches the tilesets and has the map painted. Can be repeated after a failure.
   * @param {Phaser.Scene} scene  @param {Progress} progress
   */
  async paint(scene, progress) {
    const tilesets = this.tilesets.map((tileset) => progress.count(fetchTileset(tileset, new URL(this.url, location.href))));
    const pieces = await this.#paintPieces(scene, await Promise.all(tilesets), progress);
    pieces.forEach(({ level, image }) => this.levels[level].push(image));
    this.isPainted = true;
    this.stretched?.destroy();
    this.layers = this.tilesets = null; // no longer needed
  }

  /** Shows the pieces of another town's map, once it is painted. @param {Phaser.Scene} scene  @param {Town} twin */
  async copy(scene, twin) {
    await twin.painted;
    for (const [level, images] of /** @type {TownMap} */ (twin.map).levels.entries())
      for (const { texture, x, y, scale, depth } of images) {
        if (!scene.textures.exists(texture.key)) scene.textures.addImage(texture.key, /** @type {HTMLCanvasElement} */ (texture.getSourceImage()));
        const image = scene.add.image(x, y, texture.key).setOrigin(0).setScale(scale).setDepth(depth);
        this.levels[level].push(image.setVisible(false));
      }
    this.isPainted = true;
    this.stretched?.destroy();
    this.layers = this.tilesets = null;
  }

  /** Shows the pieces for a zoom: at 0.25, those painted at a quarter of the size. @param {View} view */
  setView({ zoom }) {
    const level = Math.min(LEVELS - 1, Math.max(0, Math.floor(Math.log2(1 / zoom) + 0.01)));
    this.levels.forEach((images, number) => images.forEach((image) => image.setVisible(number === level)));
    const filter = zoom * 2 ** level >= 1 ? Phaser.Textures.FilterMode.NEAREST : Phaser.Textures.FilterMode.LINEAR;
    if (this.isPainted && this.filter !== filter) {
      this.levels.flat().forEach((image) => image.texture.setFilter(filter));
      this.filter = filter;
    }
  }

  /**
   * Draws the painted map, scaled down; returns whether it is painted.
   * @param {CanvasRenderingContext2D} context  @param {number} scale
   */
  drawSmall(context, scale) {
    for (const image of this.levels.at(-1)) {
      const source = /** @type {HTMLCanvasElement} */ (image.texture.getSourceImage());
      const [width, height] = [source.width, source.height].map((part) => part * image.scaleX * scale);
      context.drawImage(source, image.x * scale, image.y * scale, width, height);
    }
    return this.levels.at(-1).length > 0;
  }

  /**
   * Returns the images of all pieces, still invisible.
   * @param {Phaser.Scene} scene  @param {Array<Tileset & {blob: ?Blob}>} tilesets  @param {Progress} progress
   * @returns {Promise<ShownPiece[]>}
   */
  #paintPieces(scene, tilesets, progress) {
    const { layers, tile, columns, rows } = this;
    progress.expect(2 * Math.ceil(this.width / PIECE) * Math.ceil(this.height / PIECE));
    const painter = new Worker(new URL("map_painter.js", import.meta.url), { type: "module" });
    /** @type {ShownPiece[]} */
    const pieces = [];
    const painted = new Promise((done, fail) => {
      painter.addEventListener("error", (event) => {
        event.preventDefault();
        pieces.forEach(({ image }) => remove(image));
        fail(new Error(event.message || "map_painter.js"));
      });
      painter.addEventListener("message", ({ data: piece }) => {
        if (piece?.done) return done(pieces);
        if (piece) pieces.push({ ...piece, image: addPiece(scene, piece) });
        if (!piece?.level) progress.advance();
      });
    });
    painter.postMessage({ layers, tilesets, tile, columns, rows });
    return painted.finally(() => painter.terminate());
  }
}

/** @param {Phaser.Scene} scene  @param {Piece & {bitmap: ImageBitmap}} piece */
function addPiece(scene, { above, level, column, row, bitmap }) {
  const canvas = newCanvas(PIECE, PIECE);
  canvas.getContext("2d", { willReadFrequently: true }).drawImage(bitmap, 0, 0);
  bitmap.close();
  const key = `town ${above} ${level} ${column} ${row}`;
  scene.textures.addImage(key, canvas);
  const image = scene.add.image(column * PIECE * 2 ** level, row * PIECE * 2 ** level, key).setVisible(false);
  return image
    .setOrigin(0)
    .setScale(2 ** level)
    .setDepth(above ? DEPTH.foreground : DEPTH.ground);
}

/** @param {Phaser.GameObjects.Image} image */
function remove(image) {
  const { texture } = image;
  image.destroy();
  texture.destroy();
}
