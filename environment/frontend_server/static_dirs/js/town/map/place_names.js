/** The names of places on the map: of buildings and parks from afar, of rooms from near. */

import { boundsOf } from "../cells.js";
import { DEPTH } from "./map.js";
import { namesAt, opacityAt, wordLines } from "./name_layout.js";
/** @import { Arena, Sector } from "../../acting/places.js" */
/** @import { Gazetteer } from "../gazetteer.js" */
/** @import { View } from "../camera.js" */
/** @import { Bounds } from "../cells.js" */
/** @import { Label } from "./name_layout.js" */

const TITLE = 'EmojiFirst, "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, "Noto Serif", "DejaVu Serif", serif';
const STYLES = {
  sector: { font: `600 13px ${TITLE}`, line: 15, width: 150, colour: "#fffaf0" }, // sizes are screen pixels
  home: { font: `600 12px ${TITLE}`, line: 14, width: 116, colour: "#fffaf0" },
  arena: { font: `italic 600 12px ${TITLE}`, line: 14, width: 120, colour: "#fff1cf" },
};
const EDGE = "rgb(43 35 51 / 62%)";
const EDGE_WIDTH = 3;
const MARGIN = 4; // around the text, for its edge
const MOST_LAID_OUT = 400; // names; of more, only those around the view
const WALL = 0.6; // tiles above a room at which its name is written

/**
 * @typedef {Label & {kind: Kind, key: string, lines: Array<{text: string, width: number}>, image: ?Phaser.GameObjects.Image}} PlaceLabel
 */
/** @typedef {"sector"|"home"|"arena"} Kind */

export class PlaceNames {
  /** @param {Phaser.Scene} scene  @param {{tile: number, density: number}} sizes */
  constructor(scene, { tile, density }) {
    this.scene = scene;
    this.tile = tile;
    this.density = density;
    /** @type {PlaceLabel[]} */
    this.labels = [];
    /** @type {Set<PlaceLabel>} */
    this.shown = new Set();
    /** @type {?Bounds} */
    this.bounds = null; // for which the names were laid out
    /** @type {?number} */
    this.zoom = null;
  }

  /** Takes over the places of the map, large ones before small ones. @param {Gazetteer} places */
  set({ bySize, arenas, homes }) {
    for (const { image } of this.labels) image?.destroy();
    const large = bySize.toReversed();
    /** @param {Kind} kind  @param {Array<Sector|Arena>} places */
    const named = (kind, places) => places.map((place) => this.#label(kind, place));
    const [sectors, houses] = [false, true].map((isHome) => large.filter(({ name }) => homes.has(name) === isHome));
    const rooms = arenas.filter(({ name, sector }) => !sector.toLowerCase().includes(name.toLowerCase())).toReversed();
    this.labels = [...named("sector", sectors), ...named("home", houses), ...named("arena", rooms)];
    this.shown = new Set();
    this.zoom = null;
  }

  /** Shows the names in a view; of a map with few places, all of them. @param {View} view */
  setView(view) {
    const { zoom } = view;
    const isMany = this.labels.length > MOST_LAID_OUT;
    if (zoom === this.zoom && (!isMany || contains(this.bounds, boundsOf(view)))) return;
    this.zoom = zoom;
    const bounds = (this.bounds = boundsOf(view, Math.max(view.width, view.height) / 2));
    const scale = zoom / this.density;
    const inView = isMany ? this.labels.filter(({ x, y }) => contains(bounds, [x, y, x, y])) : this.labels;
    const shown = new Set(namesAt(inView, scale));
    for (const label of this.shown) if (!shown.has(label)) label.image.setVisible(false);
    this.shown = shown;
    for (const label of shown) {
      label.image ??= this.#write(label);
      label.image.setVisible(true).setPosition(Math.round(label.x * zoom) / zoom, Math.round(label.y * zoom) / zoom);
      label.image.setScale(1 / zoom).setAlpha(opacityAt(label.kind, scale));
    }
  }

  /** @param {Kind} kind  @param {Sector|Arena} place  @returns {PlaceLabel} */
  #label(kind, { name, box: [left, top, width, height] }) {
    const lines = wrapped(name[0].toLocaleUpperCase() + name.slice(1), STYLES[kind]);
    const y = kind === "arena" ? top - WALL : top + height - 0.5;
    const size = { width: Math.max(...lines.map((line) => line.width)), height: lines.length * STYLES[kind].line };
    return { kind, key: `name ${kind} ${name} ${left} ${top}`, lines, x: (left + width / 2) * this.tile, y: y * this.tile, ...size, room: width * this.tile, image: null };
  }

  /** Paints a name, when it is shown for the first time. @param {PlaceLabel} label */
  #write({ kind, key, lines, width, height }) {
    const { density, scene } = this;
    const { font, line, colour } = STYLES[kind];
    const size = [Math.ceil(width) + 2 * MARGIN, height + 2 * MARGIN];
    if (scene.textures.exists(key)) scene.textures.remove(key);
    const texture = scene.textures.createCanvas(key, size[0] * density, size[1] * density);
    const context = texture.getContext();
    context.setTransform(density, 0, 0, density, 0, 0);
    Object.assign(context, { font, textAlign: "center", textBaseline: "middle", lineJoin: "round" });
    Object.assign(context, { strokeStyle: EDGE, lineWidth: EDGE_WIDTH, fillStyle: colour });
    for (const action of /** @type {const} */ (["strokeText", "fillText"]))
      lines.forEach(({ text }, number) => context[action](text, size[0] / 2, MARGIN + (number + 0.5) * line));
    texture.refresh();
    return scene.add.image(0, 0, key).setDepth(DEPTH.light + 0.2);
  }
}

/** @param {Bounds} outer  @param {Bounds} inner */
function contains([left, top, right, bottom], inner) {
  return inner[0] >= left && inner[1] >= top && inner[2] <= right && inner[3] <= bottom;
}

/** @type {?CanvasRenderingContext2D} */
let pen = null;

/**
 * Breaks a name into lines that are not much wider than a style allows.
 * @param {string} name  @param {{font: string, width: number}} style
 */
function wrapped(name, { font, width }) {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = font;
  return wordLines(name, width, (words) => pen.measureText(words).width);
}
