/** People who walk through the painted town of the front page; they stand still for those who want less motion. */

import { prefersReducedMotion } from "../dom.js";
import { direction } from "../playback/frames.js";
/** @import { Point } from "./camera.js" */

const MAP = { width: 140, height: 100 }; // tiles of the painted town
const FIGURE = 24; // screen pixels
const FRAME = 32; // pixels in a sprite sheet
const ROWS = { down: 0, left: 1, right: 2, up: 3 };
const STRIDE = [0, 1, 2, 1];
const PACE = 1.5; // tiles per second
const INTERVAL = 60; // milliseconds between pictures: calm, and cheap
const REST = 3; // seconds at each end of a walk

/** Walks along streets and paths, as corners; there and back again. @type {Array<[string, Point[]]>} */
const WALKS = [
  ["Isabella_Rodriguez", [[75, 27], [77, 27], [77, 34], [51, 34], [51, 33], [46, 33], [46, 34], [45, 34], [45, 58], [46, 58], [46, 59]]],
  ["Klaus_Mueller", [[63, 41], [68, 41], [68, 39], [80, 39], [80, 43], [81, 43], [81, 47], [82, 47], [82, 53], [81, 53], [81, 60]]],
  ["Carmen_Ortiz", [[105, 59], [44, 59], [44, 60], [32, 60]]],
  ["Giorgio_Rossi", [[93, 49], [92, 49], [92, 60], [63, 60], [63, 76]]],
  ["Maria_Lopez", [[121, 38], [116, 38], [116, 39], [112, 39], [112, 40], [108, 40], [108, 42], [104, 42], [104, 60], [76, 60]]],
  ["Wolfgang_Schulz", [[57, 48], [59, 48], [59, 45], [57, 45], [57, 36], [58, 36], [58, 35], [60, 35], [60, 34], [94, 34]]],
  ["Hailey_Johnson", [[71, 52], [71, 50], [70, 50], [70, 53], [65, 53], [65, 54], [63, 54], [63, 55], [57, 55], [57, 59], [44, 59], [44, 76]]],
]; // prettier-ignore

/**
 * @typedef {"left"|"right"|"up"|"down"} Facing
 * @typedef {{corners: Point[], length: number, start: number}} Way  in tiles, and seconds
 */

export class Promenade {
  /** @param {HTMLElement} box  painted with the town, which holds a canvas as large as itself */
  constructor(box) {
    this.canvas = box.querySelector("canvas");
    this.brush = this.canvas.getContext("2d");
    this.walkers = WALKS.map(([sprite, corners], place) => ({
      picture: pictureOf(`${box.dataset.sprites}${sprite}.png`, () => this.#draw()),
      corners,
      length: lengthOf(corners),
      start: place * 17, // seconds: they do not set out together
    }));
    this.seen = true;
    this.drawn = -Infinity;
    new ResizeObserver(() => this.#draw()).observe(this.canvas);
    if (prefersReducedMotion()) return;
    new IntersectionObserver(([{ isIntersecting }]) => (this.seen = isIntersecting)).observe(this.canvas);
    const tick = (/** @type {number} */ time) => {
      if (this.seen && time - this.drawn > INTERVAL) this.#draw(time);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  #draw(time = Math.max(0, this.drawn)) {
    this.drawn = time;
    const { canvas, brush } = this;
    const density = Math.min(2, devicePixelRatio);
    const [width, height] = [canvas.clientWidth * density, canvas.clientHeight * density];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    brush.clearRect(0, 0, width, height);
    brush.imageSmoothingEnabled = false;
    const spots = this.walkers.map((walker) => ({ walker, ...spotOf(walker, time / 1000) }));
    spots.sort((one, other) => one.y - other.y);
    for (const spot of spots) drawFigure(brush, spot, { width, height, size: FIGURE * density });
  }
}

/**
 * Where a walker is in tiles, its direction, and whether it walks. Pure.
 * @param {Way} walker  @param {number} seconds
 */
export function spotOf({ corners, length, start }, seconds) {
  const way = length / PACE;
  const time = (seconds + start) % (2 * (way + REST));
  const back = time >= way + REST;
  const gone = Math.min(length, (back ? time - way - REST : time) * PACE);
  const place = placeAt(corners, back ? length - gone : gone, back);
  return { ...place, walks: gone < length };
}

/**
 * @param {Point[]} corners  @param {number} gone  @param {boolean} back
 * @returns {{x: number, y: number, facing: Facing}}
 */
function placeAt(corners, gone, back) {
  for (let left = gone, place = 1; place < corners.length; place += 1) {
    const [from, to] = [corners[place - 1], corners[place]];
    const leg = distance(from, to);
    if (left <= leg || place === corners.length - 1) {
      const share = Math.min(1, left / leg);
      const facing = back ? direction(to, from) : direction(from, to);
      return { x: from[0] + (to[0] - from[0]) * share, y: from[1] + (to[1] - from[1]) * share, facing };
    }
    left -= leg;
  }
  return { x: corners[0][0], y: corners[0][1], facing: "down" };
}

/**
 * @param {CanvasRenderingContext2D} brush
 * @param {{walker: {picture: HTMLImageElement}, x: number, y: number, facing: Facing, walks: boolean}} spot
 * @param {{width: number, height: number, size: number}} picture
 */
function drawFigure(brush, { walker, x, y, facing, walks }, { width, height, size }) {
  const stride = walks ? STRIDE[Math.floor(3 * (x + y)) % STRIDE.length] : 1;
  const [column, row] = [stride * FRAME, ROWS[walks ? facing : "down"] * FRAME];
  const left = Math.round(((x + 0.5) / MAP.width) * width - size / 2);
  const top = Math.round(((y + 1) / MAP.height) * height - size);
  if (walker.picture.complete && walker.picture.naturalWidth) brush.drawImage(walker.picture, column, row, FRAME, FRAME, left, top, size, size);
}

/** @param {Point} one  @param {Point} other */
function distance([x, y], [toX, toY]) {
  return Math.abs(x - toX) + Math.abs(y - toY);
}

/** @param {Point[]} corners */
function lengthOf(corners) {
  return corners.slice(1).reduce((sum, corner, place) => sum + distance(corners[place], corner), 0);
}

/** @param {string} url  @param {() => void} onLoad */
function pictureOf(url, onLoad) {
  const picture = new Image();
  picture.addEventListener("load", onLoad);
  picture.src = url;
  return picture;
}
