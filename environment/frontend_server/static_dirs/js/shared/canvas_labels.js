/** Names and words on the canvas of a shared file: bubbles above people, and the names of places. */

import { SIZE } from "../town/person_figure.js";
import { isCrowded, placeBubble } from "../town/bubbles/bubble_layout.js";
import { namesAt, opacityAt, wordLines } from "../town/map/name_layout.js";
/** @import { Point, View } from "../town/camera.js" */
/** @import { BubbleBox } from "../town/bubbles/bubble_layout.js" */
/** @import { Label } from "../town/map/name_layout.js" */
/** @import { Talk } from "../playback/talks.js" */
/** @import { Figure } from "./canvas_town.js" */
/** @import { SharedPlace, ToldRun } from "./told_run.js" */

const TEXT = '"Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", "Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji", sans-serif';
const TITLE = '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, "Noto Serif", "DejaVu Serif", serif';
/** Sizes are screen pixels. @type {Record<string, {font: string, line: number, width: number, colour: string}>} */
const PLACES = {
  sector: { font: `600 13px ${TITLE}`, line: 15, width: 150, colour: "#fffaf0" },
  home: { font: `600 12px ${TITLE}`, line: 14, width: 116, colour: "#fffaf0" },
  arena: { font: `italic 600 12px ${TITLE}`, line: 14, width: 120, colour: "#fff1cf" },
};
const EDGE = { style: "rgb(43 35 51 / 62%)", width: 3 };
const WALL = 0.6; // tiles above a room at which its name is written
const PAPER = "#fffaf0";
const INK = "#2b2333";
const SUN = "#ffe49a";
const LABEL = { height: 22, padding: 6, font: `600 12px ${TEXT}` };
const WORDS = { font: `13px ${TEXT}`, name: `600 11px ${TEXT}`, line: 17, width: 210, padding: 9 };
const TAIL = 6;
const EDGES = 14; // of a bubble, where its tail cannot be
const MOST_MOVED = { label: 60, words: 240 }; // how far a bubble may be from its place
const NAMES_FROM = 0.75; // zoom (screen pixels per town pixel) from which names are written instead of initials

/** @typedef {BubbleBox & {name: string, tip: Point, lines: string[], title: string, isChosen: boolean}} Bubble */

export class CanvasLabels {
  /** @param {ToldRun} told  @param {number} tile */
  constructor(told, tile) {
    this.told = told;
    this.tile = tile;
    /** @type {?Array<Label & {lines: Array<{text: string, width: number}>}>} */
    this.places = null;
    /** @type {Bubble[]} */
    this.bubbles = [];
  }

  /**
   * Draws everything in device pixels.
   * @param {CanvasRenderingContext2D} brush  @param {Figure[]} figures
   * @param {{view: View, density: number, chosen: ?string, talks: Talk[], covered: BubbleBox[]}} moment  `covered`: where
   *   no bubble can be seen
   */
  draw(brush, figures, { view, density, chosen, talks, covered }) {
    this.#drawPlaces(brush, view, density);
    this.density = density;
    this.bubbles = this.#laidOut(brush, figures, { view, density, chosen, talks, covered });
    for (const bubble of this.bubbles.toReversed()) drawBubble(brush, bubble, density);
  }

  /** The name of the person whose bubble is at a point, in device pixels; null if there is none. @param {Point} point  @returns {?string} */
  at([x, y]) {
    const under = (/** @type {Bubble} */ { x: middle, bottom, width, height }) => Math.abs(x - middle) <= width / 2 && y <= bottom && y >= bottom - height;
    return this.bubbles.find(under)?.name ?? null;
  }

  /**
   * The bubbles that have room: that of the chosen person first, then of those who speak.
   * @param {CanvasRenderingContext2D} brush  @param {Figure[]} figures
   * @param {{view: View, density: number, chosen: ?string, talks: Talk[], covered: BubbleBox[]}} moment  @returns {Bubble[]}
   */
  #laidOut(brush, figures, { view, density, chosen, talks, covered }) {
    const said = new Map(talks.filter(({ speaker }) => speaker).map(({ speaker, words }) => [speaker, words]));
    const tips = new Map(figures.map(({ name, x, y, scale }) => [name, /** @type {Point} */ ([(x - view.scrollX) * view.zoom, (y - (SIZE - 3) * scale - view.scrollY) * view.zoom])]));
    const spots = [...tips.values()];
    const weight = (/** @type {Figure} */ { name }) => Number(name === chosen) * 2 + Number(said.has(name));
    /** @type {BubbleBox[]} */
    const placed = [...covered];
    return figures
      .filter(({ name }) => isIn(tips.get(name), view))
      .sort((one, other) => weight(other) - weight(one))
      .flatMap((figure) => {
        const { name, record } = figure;
        const tip = tips.get(name);
        const isChosen = name === chosen;
        const isFar = view.zoom / density < NAMES_FROM || isCrowded(tip, spots, density);
        const persona = this.told.personas.find((one) => one.name === name);
        const title = isFar && !isChosen ? persona.initials : name.split(" ")[0];
        const bubble = measured(brush, said.get(name) ?? "", `${record.pronunciatio} ${title}`.trim(), density);
        const slide = bubble.lines.length ? bubble.width / 2 - EDGES * density : 0;
        const most = (bubble.lines.length ? MOST_MOVED.words : MOST_MOVED.label) * density;
        const box = { x: tip[0], bottom: tip[1] - TAIL * density, ...bubble, tail: TAIL * density, slide, most };
        const move = placeBubble(placed, box, view);
        return move ? [{ ...box, x: box.x + move[0], bottom: box.bottom - move[1], name, tip, isChosen }] : [];
      });
  }

  /** @param {CanvasRenderingContext2D} brush  @param {View} view  @param {number} density */
  #drawPlaces(brush, view, density) {
    this.places ??= inOrder(this.told.shared.places).map((place) => placeLabel(brush, place, this.tile));
    const zoom = view.zoom / density;
    Object.assign(brush, { textAlign: "center", textBaseline: "middle", lineJoin: "round", strokeStyle: EDGE.style });
    for (const { kind, x, y, lines } of namesAt(this.places, zoom)) {
      const { font, line, colour } = PLACES[kind];
      brush.setTransform(density, 0, 0, density, (x - view.scrollX) * view.zoom, (y - view.scrollY) * view.zoom);
      Object.assign(brush, { font, fillStyle: colour, lineWidth: EDGE.width, globalAlpha: opacityAt(kind, zoom) });
      for (const action of /** @type {const} */ (["strokeText", "fillText"]))
        lines.forEach(({ text }, number) => brush[action](text, 0, (number - (lines.length - 1) / 2) * line));
    }
    brush.globalAlpha = 1;
    brush.setTransform(1, 0, 0, 1, 0, 0);
  }
}

/** @param {Point} tip  @param {View} view */
function isIn([x, y], { width, height }) {
  return x >= 0 && y >= 0 && x <= width && y <= height;
}

/** Large places before small ones, rooms last; a room that is named as its house is left out. @param {SharedPlace[]} places */
function inOrder(places) {
  const order = ["sector", "home", "arena"];
  const area = (/** @type {SharedPlace} */ { box: [left, top, right, bottom] }) => (right - left + 1) * (bottom - top + 1);
  return places
    .filter(({ kind, name, sector }) => kind !== "arena" || !sector.toLowerCase().includes(name.toLowerCase()))
    .sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || area(other) - area(one));
}

/** @param {CanvasRenderingContext2D} brush  @param {SharedPlace} place  @param {number} tile */
function placeLabel(brush, { kind, name, box: [left, top, right, bottom] }, tile) {
  const { font, line, width } = PLACES[kind];
  brush.font = font;
  const lines = wordLines(name[0].toLocaleUpperCase() + name.slice(1), width, (words) => brush.measureText(words).width);
  const y = kind === "arena" ? top - WALL : bottom + 0.5;
  const columns = right - left + 1;
  return { kind, lines, x: (left + columns / 2) * tile, y: y * tile, width: Math.max(...lines.map((each) => each.width)), height: lines.length * line, room: columns * tile };
}

/**
 * The size of a bubble in device pixels, and what is written in it.
 * @param {CanvasRenderingContext2D} brush  @param {string} words  @param {string} title  @param {number} density
 */
function measured(brush, words, title, density) {
  brush.font = words ? WORDS.name : LABEL.font;
  const wide = brush.measureText(title).width;
  if (!words) return { lines: /** @type {string[]} */ ([]), title, width: Math.ceil((wide + 2 * LABEL.padding) * density), height: LABEL.height * density };
  brush.font = WORDS.font;
  const lines = wordLines(words, WORDS.width, (text) => brush.measureText(text).width);
  const width = Math.max(wide, ...lines.map((line) => line.width)) + 2 * WORDS.padding;
  return { lines: lines.map(({ text }) => text), title, width: Math.ceil(width * density), height: ((lines.length + 1) * WORDS.line + WORDS.padding) * density };
}

/** @param {CanvasRenderingContext2D} brush  @param {Bubble} bubble  @param {number} density */
function drawBubble(brush, { x, bottom, width, height, tip, lines, title, isChosen }, density) {
  const [left, top] = [x - width / 2, bottom - height];
  const foot = Math.max(left + 9 * density, Math.min(left + width - 9 * density, tip[0]));
  brush.beginPath();
  brush.roundRect(left, top, width, height, 9 * density);
  brush.moveTo(foot - 5 * density, bottom);
  brush.lineTo(tip[0], tip[1]);
  brush.lineTo(foot + 5 * density, bottom);
  Object.assign(brush, { fillStyle: isChosen ? SUN : PAPER, shadowColor: "rgb(40 26 8 / 35%)", shadowBlur: 3 * density, shadowOffsetY: density });
  brush.fill();
  Object.assign(brush, { shadowColor: "transparent", fillStyle: INK, textAlign: "left", textBaseline: "middle" });
  brush.setTransform(density, 0, 0, density, left, top);
  if (!lines.length) {
    brush.font = LABEL.font;
    brush.fillText(title, LABEL.padding, LABEL.height / 2 + 0.5);
  } else {
    brush.font = WORDS.name;
    brush.fillText(title, WORDS.padding, WORDS.line / 2 + 4);
    brush.font = WORDS.font;
    lines.forEach((line, number) => brush.fillText(line, WORDS.padding, (number + 1.5) * WORDS.line + 3));
  }
  brush.setTransform(1, 0, 0, 1, 0, 0);
}
