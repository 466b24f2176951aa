/** The names of places on the map: of buildings and parks from afar, of rooms from near. */

import { DEPTH } from "./map.js";
import { namesAt, opacityAt, wordLines } from "./name_layout.js";
/** @import { Arena, Sector } from "../../acting/places.js" */
/** @import { Gazetteer } from "../gazetteer.js" */
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
    this.zoom = null;
  }

  /** Shows the names for a zoom (device pixels per town pixel). @param {number} zoom */
  setZoom(zoom) {
    if (zoom === this.zoom) return;
    this.zoom = zoom;
    const scale = zoom / this.density;
    const shown = new Set(namesAt(this.labels, scale));
    for (const label of this.labels) {
      label.image?.setVisible(shown.has(label));
      if (!shown.has(label)) continue;
      label.image ??= this.#write(label);
      label.image.setPosition(Math.round(label.x * zoom) / zoom, Math.round(label.y * zoom) / zoom);
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
