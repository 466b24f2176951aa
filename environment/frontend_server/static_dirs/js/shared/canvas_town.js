/** The town of a shared file, on a canvas: its picture below and above the people, their bubbles, the light of the hour. */

import { Camera } from "../town/camera.js";
import { SIZE, figureScale, standing, tileOffsets, walking } from "../town/person_figure.js";
import { paintSky, skyAt } from "../town/sky.js";
import { direction, isAsleep, positionBetween } from "../playback/frames.js";
import { CanvasLabels } from "./canvas_labels.js";
/** @import { BubbleBox } from "../town/bubbles/bubble_layout.js" */
/** @import { Point, View } from "../town/camera.js" */
/** @import { Facing } from "../town/person_figure.js" */
/** @import { Frame, PersonaRecord } from "../playback/frames.js" */
/** @import { Scene } from "../playback/player.js" */
/** @import { Talk } from "../playback/talks.js" */
/** @import { ToldRun } from "./told_run.js" */

const LEVELS = 3; // sizes of the picture: whole, half, a quarter
const COLUMNS = 16; // sprite sheets in a row of the picture of people
const [SHEET_WIDTH, SHEET_HEIGHT] = [96, 128];
const RING = "#ffd34d";
const TOGETHER = 400; // town pixels; the view shows both partners if they are nearer
const CLICK_RADIUS = 22; // screen pixels around a figure

/**
 * @typedef {{name: string, x: number, y: number, scale: number, frame: number, sheet: Point, record: PersonaRecord}} Figure
 *   x, y: where its feet are, in town pixels
 * @typedef {{hour: number, chosen: ?string, talks: Talk[], passed: number}} Moment
 */

export class CanvasTown {
  /**
   * @param {HTMLElement} box
   * @param {ToldRun} told
   * @param {{below: HTMLImageElement, above: HTMLImageElement, people: HTMLImageElement, tile: number}} pictures
   */
  constructor(box, told, { below, above, people, tile }) {
    this.box = box;
    this.tile = tile;
    this.people = people;
    this.sheets = new Map(told.personas.map(({ name }, place) => /** @type {[string, Point]} */ ([name, [(place % COLUMNS) * SHEET_WIDTH, Math.floor(place / COLUMNS) * SHEET_HEIGHT]])));
    this.canvas = document.createElement("canvas");
    box.prepend(this.canvas);
    this.brush = this.canvas.getContext("2d");
    this.size = { width: below.naturalWidth, height: below.naturalHeight, columns: below.naturalWidth / tile, rows: below.naturalHeight / tile };
    this.levels = [below, above].map(smaller);
    this.view = makeView();
    const scene = /** @type {Phaser.Scene} */ (/** @type {unknown} */ ({ cameras: { main: this.view } }));
    this.camera = new Camera(scene, /** @type {any} */ (this.size), box);
    this.labels = new CanvasLabels(told, tile);
    this.night = Object.assign(document.createElement("canvas"), { width: this.size.columns, height: this.size.rows });
    /** @type {Map<string, Facing>} */
    this.facing = new Map();
    /** @type {Figure[]} */
    this.figures = [];
    this.density = 1;
    new ResizeObserver(() => this.#resize()).observe(box);
    this.#resize();
    this.camera.overview({ zoom: this.camera.fillZoom, at: "once" });
  }

  #resize() {
    const { clientWidth, clientHeight } = this.box;
    this.density = this.camera.density = devicePixelRatio || 1;
    [this.canvas.width, this.canvas.height] = [Math.round(clientWidth * this.density), Math.round(clientHeight * this.density)];
    this.canvas.style.width = `${clientWidth}px`;
    this.canvas.style.height = `${clientHeight}px`;
    [this.view.width, this.view.height] = [this.canvas.width, this.canvas.height];
  }

  /** @param {Scene<Frame>} scene  @param {Moment} moment */
  draw(scene, { hour, chosen, talks, passed }) {
    this.figures = this.#placed(scene);
    this.camera.update(passed);
    const { brush, view } = this;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.clearRect(0, 0, view.width, view.height); // around the map, the page is seen
    brush.setTransform(view.zoom, 0, 0, view.zoom, -view.scrollX * view.zoom, -view.scrollY * view.zoom);
    const level = Math.min(LEVELS - 1, Math.max(0, Math.floor(Math.log2(1 / view.zoom) + 0.01)));
    this.#drawPicture(this.levels[0][level], level);
    for (const figure of this.figures) this.#drawFigure(figure, figure.name === chosen);
    this.#drawPicture(this.levels[1][level], level);
    this.#drawSky(hour);
    brush.setTransform(1, 0, 0, 1, 0, 0);
    this.labels.draw(brush, this.figures, { view, density: this.density, chosen, talks, covered: this.#covered() });
  }

  /** What lies over the town: the buttons of the view, in device pixels. @returns {BubbleBox[]} */
  #covered() {
    const { left, top } = this.canvas.getBoundingClientRect();
    return [...this.box.querySelectorAll(".zoom-buttons")].map((buttons) => {
      const { x, bottom, width, height } = buttons.getBoundingClientRect();
      return { x: (x + width / 2 - left) * this.density, bottom: (bottom - top) * this.density, width: width * this.density, height: height * this.density };
    });
  }

  /** Where a figure is drawn, in town pixels; null if it is not in town. @param {string} name  @returns {?Point} */
  spotOf(name) {
    const found = this.figures.find((figure) => figure.name === name);
    return found ? [found.x, found.y - this.tile / 2] : null;
  }

  /** The middle of a person and the others who are near, in town pixels; null if not in town. @param {string[]} names  @returns {?Point} */
  middleOf([name, ...others]) {
    const first = this.spotOf(name);
    if (!first) return null;
    const near = others.map((other) => this.spotOf(other)).filter((spot) => spot && Math.hypot(spot[0] - first[0], spot[1] - first[1]) < TOGETHER);
    const spots = [first, ...near];
    return [spots.reduce((sum, [x]) => sum + x, 0) / spots.length, spots.reduce((sum, [, y]) => sum + y, 0) / spots.length];
  }

  /** The name of the person at a point of the box, in screen pixels; null if there is none. @param {Point} point */
  at([x, y]) {
    const { zoom, scrollX, scrollY } = this.view;
    let found = this.labels.at([x * this.density, y * this.density]);
    let least = CLICK_RADIUS * this.density;
    for (const figure of found ? [] : this.figures) {
      const [across, down] = [(figure.x - scrollX) * zoom - x * this.density, (figure.y - this.tile / 2 - scrollY) * zoom - y * this.density];
      const away = Math.hypot(across, down);
      if (away < least) [found, least] = [figure.name, away];
    }
    return found;
  }

  /** How far a person is from the middle of the view, and whether in it. @param {string} name */
  viewOf(name) {
    const spot = this.spotOf(name);
    if (!spot) return { distance: Infinity, isInView: false };
    const { zoom, scrollX, scrollY, width, height } = this.view;
    const [across, down] = [spot[0] - scrollX - width / 2 / zoom, spot[1] - scrollY - height / 2 / zoom];
    return { distance: Math.hypot(across, down), isInView: Math.abs(across) * 2 * zoom < width && Math.abs(down) * 2 * zoom < height };
  }

  /** Everyone in town, those in front last. @param {Scene<Frame>} scene  @returns {Figure[]} */
  #placed({ before, after, fraction }) {
    const offsets = tileOffsets(after);
    const scale = figureScale(this.view.zoom, this);
    const found = Object.entries(after).map(([name, record]) => {
      const from = before[name]?.movement ?? record.movement;
      const place = positionBetween(from, record.movement, fraction);
      this.facing.set(name, direction(from, record.movement) ?? this.facing.get(name) ?? "down");
      const isWalking = fraction < 1 && from.join() !== record.movement.join();
      const frame = isWalking ? walking(this.facing.get(name), place) : standing(this.facing.get(name));
      const [x, y] = [(place[0] + 0.5 + offsets.get(name)) * this.tile, (place[1] + 1) * this.tile];
      return { name, x, y, scale, frame, sheet: this.sheets.get(name), record };
    });
    return found.sort((one, other) => one.y - other.y || one.x - other.x);
  }

  /** @param {CanvasImageSource & {width: number, height: number}} picture  @param {number} level */
  #drawPicture(picture, level) {
    const { brush, view } = this;
    const size = 2 ** level;
    const seen = [view.scrollX, view.scrollY, view.scrollX + view.width / view.zoom, view.scrollY + view.height / view.zoom];
    const [left, top] = [Math.max(0, Math.floor(seen[0] / size)), Math.max(0, Math.floor(seen[1] / size))];
    const [right, bottom] = [Math.min(picture.width, Math.ceil(seen[2] / size)), Math.min(picture.height, Math.ceil(seen[3] / size))];
    if (right <= left || bottom <= top) return;
    brush.imageSmoothingEnabled = view.zoom * size < 1;
    brush.drawImage(picture, left, top, right - left, bottom - top, left * size, top * size, (right - left) * size, (bottom - top) * size);
  }

  /** @param {Figure} figure  @param {boolean} isChosen */
  #drawFigure({ x, y, scale, frame, sheet }, isChosen) {
    const { brush, view } = this;
    if (isChosen) {
      brush.beginPath();
      brush.ellipse(x, y - 2 * scale, 15 * scale, 7 * scale, 0, 0, 2 * Math.PI);
      Object.assign(brush, { strokeStyle: RING, lineWidth: 2.5 * scale, fillStyle: `${RING}59` });
      brush.fill();
      brush.stroke();
    }
    const size = SIZE * scale;
    brush.imageSmoothingEnabled = scale * view.zoom < 1;
    brush.drawImage(this.people, sheet[0] + (frame % 3) * SIZE, sheet[1] + Math.floor(frame / 3) * SIZE, SIZE, SIZE, x - size / 2, y - size, size, size);
  }

  /** @param {number} hour */
  #drawSky(hour) {
    const sky = skyAt(hour);
    if (sky.every((part) => part === 255)) return;
    const awake = this.figures.filter(({ record }) => !isAsleep(record)).map(({ record }) => record.movement);
    paintSky(this.night.getContext("2d"), this.size, sky, awake);
    const { brush } = this;
    brush.globalCompositeOperation = "multiply";
    brush.imageSmoothingEnabled = true;
    brush.drawImage(this.night, 0, 0, this.size.width, this.size.height);
    brush.globalCompositeOperation = "source-over";
  }
}

/** The part of a camera of Phaser that ours needs. @returns {View} */
function makeView() {
  const view = { width: 1, height: 1, zoom: 1, scrollX: 0, scrollY: 0, setOrigin: () => view, setZoom: (/** @type {number} */ zoom) => Object.assign(view, { zoom }) };
  return /** @type {View} */ (/** @type {unknown} */ (view));
}

/** A picture in all its sizes: zooming out stays sharp and fast. @param {HTMLImageElement} whole */
function smaller(whole) {
  /** @type {Array<HTMLImageElement|HTMLCanvasElement>} */
  const sizes = [whole];
  for (let level = 1; level < LEVELS; level += 1) {
    const canvas = Object.assign(document.createElement("canvas"), { width: whole.naturalWidth >> level, height: whole.naturalHeight >> level });
    const brush = canvas.getContext("2d");
    brush.imageSmoothingQuality = "high";
    brush.drawImage(sizes.at(-1), 0, 0, canvas.width, canvas.height);
    sizes.push(canvas);
  }
  return sizes;
}
