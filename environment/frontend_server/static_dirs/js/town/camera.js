/** The camera: moved by keys, mouse and touch, or following a persona. Screen pixels are device pixels. */

import { isControl, prefersReducedMotion } from "../dom.js";
import { registerKey } from "../keys.js";
import { gettext } from "../translation.js";

const ZOOM_STEP = 1 / 64; // keeps the seams between map pieces on whole pixels
const FAR = { below: 1 / 8, step: 1 / 256 }; // so do smaller steps from afar, where pieces show four times as much, or more
const MAX_ZOOM = 4;
const MAX_FILL = 1.5; // the view fills the screen if that takes less than this multiple of minZoom
const GLIDE = 0.012; // fraction of the remaining way per millisecond
const ROOM = 320; // town pixels around what is shown from near
const NEAR = [0.8, 2]; // zooms from which names are legible, and beyond which little is seen
/** @type {Record<string, Point>} */
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KEY_SPEED = 0.7; // screen pixels per millisecond, times the device pixel ratio

/** Rounds a zoom to whole steps within its limits. Pure. @param {number} zoom  @param {number} least */
export function snapZoom(zoom, least) {
  const wanted = Math.min(MAX_ZOOM, Math.max(least, zoom));
  const step = stepAt(wanted);
  return Math.max(step, Math.round(wanted / step) * step);
}

/** The step of zooms. @param {number} zoom */
function stepAt(zoom) {
  return zoom < FAR.below ? FAR.step : ZOOM_STEP;
}

/**
 * Limits the centre of the view along one axis, so that it shows as little as possible beyond the town. Pure.
 * @param {number} middle  @param {number} seen  @param {number} size
 */
export function clampCentre(middle, seen, size) {
  return seen >= size ? size / 2 : Math.min(size - seen / 2, Math.max(seen / 2, middle));
}

/**
 * @typedef {[number, number]} Point  in pixels: of the town, of the screen, or of a device
 * @typedef {Phaser.Cameras.Scene2D.Camera} View
 */

export class Camera {
  /** @param {Phaser.Scene} scene  @param {{width: number, height: number}} map  in pixels  @param {HTMLElement} element that receives keys and pointers */
  constructor(scene, map, element, { hasKeys = true } = {}) {
    this.view = scene.cameras.main.setOrigin(0, 0);
    this.map = map;
    this.density = 1;
    this.x = this.targetX = map.width / 2;
    this.y = this.targetY = map.height / 2;
    this.zoom = this.targetZoom = 1;
    /** @type {?(() => ?Point)} */
    this.followed = null; // () => [x, y] in town pixels
    /** @type {Set<string>} */
    this.pressed = new Set();
    /** @type {Map<number, Point>} */
    this.pointers = new Map();
    this.#addListeners(element);
    if (hasKeys) this.#registerKeys();
  }

  get minZoom() {
    const whole = Math.min(this.view.width / this.map.width, this.view.height / this.map.height);
    const step = stepAt(whole);
    return Math.max(step, Math.floor(whole / step) * step);
  }

  /** The zoom without margins, unless it hides too much of the town. */
  get fillZoom() {
    const filling = Math.max(this.view.width / this.map.width, this.view.height / this.map.height);
    const full = Math.ceil(filling / stepAt(filling)) * stepAt(filling);
    return full / this.minZoom < MAX_FILL ? full : this.minZoom;
  }

  /** Follows the position that a function returns, and rests while that is null. @param {?(() => ?Point)} position */
  follow(position) {
    this.followed = position;
  }

  /** Moves to a position; `at: "once"` jumps there. @param {number} x  @param {number} y */
  look(x, y, { zoom = this.targetZoom, at = "glide" } = {}) {
    [this.targetX, this.targetY] = [x, y];
    this.targetZoom = snapZoom(zoom, this.minZoom);
    if (at === "once") [this.x, this.y, this.zoom] = [x, y, this.targetZoom];
  }

  /**
   * How far from the middle of the view a spot of the town will be, in screen pixels: at an edge the view stops.
   * @param {Point} spot  @returns {Point}
   */
  awayFromMiddle([x, y]) {
    const zoom = this.targetZoom;
    const middle = [clampCentre(this.targetX, this.view.width / zoom, this.map.width), clampCentre(this.targetY, this.view.height / zoom, this.map.height)];
    return [(x - middle[0]) * zoom, (y - middle[1]) * zoom];
  }

  /** Zooms by a factor around a point of the screen. @param {number} factor  @param {Point} point */
  zoomBy(factor, point = [this.view.width / 2, this.view.height / 2]) {
    const [x, y] = this.#toTown(point, this.targetX, this.targetY, this.targetZoom);
    this.targetZoom = snapZoom(this.targetZoom * factor, this.minZoom);
    if (this.followed) return;
    this.targetX = x - (point[0] - this.view.width / 2) / this.targetZoom;
    this.targetY = y - (point[1] - this.view.height / 2) / this.targetZoom;
  }

  /** Advances the animation by some milliseconds. @param {number} passed */
  update(passed) {
    this.#moveByKeys(passed);
    const spot = this.followed?.();
    if (spot) [this.targetX, this.targetY] = spot;
    this.targetZoom = snapZoom(this.targetZoom, this.minZoom);
    const share = prefersReducedMotion() ? 1 : 1 - Math.exp(-GLIDE * passed);
    this.zoom += (this.targetZoom - this.zoom) * share;
    if (Math.abs(this.zoom / this.targetZoom - 1) < 0.01) this.zoom = this.targetZoom;
    this.targetX = clampCentre(this.targetX, this.view.width / this.targetZoom, this.map.width);
    this.targetY = clampCentre(this.targetY, this.view.height / this.targetZoom, this.map.height);
    this.x += (this.targetX - this.x) * share;
    this.y += (this.targetY - this.y) * share;
    this.#applyToView();
  }

  #applyToView() {
    const zoom = snapZoom(this.zoom, this.minZoom);
    const x = clampCentre(this.x, this.view.width / zoom, this.map.width);
    const y = clampCentre(this.y, this.view.height / zoom, this.map.height);
    this.view.setZoom(zoom);
    this.view.scrollX = Math.round(x * zoom - this.view.width / 2) / zoom;
    this.view.scrollY = Math.round(y * zoom - this.view.height / 2) / zoom;
  }

  /** @param {Point} point of the screen  @returns {Point} */
  #toTown([screenX, screenY], x = this.x, y = this.y, zoom = this.zoom) {
    return [x + (screenX - this.view.width / 2) / zoom, y + (screenY - this.view.height / 2) / zoom];
  }

  /** @param {number} across  @param {number} down */
  #drag(across, down) {
    this.followed = null;
    this.targetX -= across / this.zoom;
    this.targetY -= down / this.zoom;
    [this.x, this.y] = [this.targetX, this.targetY];
  }

  /** @param {number} passed */
  #moveByKeys(passed) {
    for (const key of this.pressed) {
      this.followed = null;
      this.targetX += (KEYS[key][0] * KEY_SPEED * this.density * passed) / this.zoom;
      this.targetY += (KEYS[key][1] * KEY_SPEED * this.density * passed) / this.zoom;
    }
  }

  /** @param {HTMLElement} element */
  #addListeners(element) {
    element.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    element.addEventListener("pointerdown", (event) => this.#pointerDown(event, element));
    element.addEventListener("pointermove", (event) => this.#pointerMove(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
      element.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
  }

  #registerKeys() {
    addEventListener("blur", () => this.pressed.clear());
    registerKey(Object.keys(KEYS), gettext("Move the view"), ({ key }) => void this.pressed.add(key), {
      onRelease: ({ key }) => this.pressed.delete(key),
    });
    registerKey(["+", "="], gettext("Zoom in"), () => this.zoomBy(1.5), { shown: "+" });
    registerKey("-", gettext("Zoom out"), () => this.zoomBy(1 / 1.5));
    registerKey("0", gettext("The whole town"), () => this.overview());
  }

  /** Shows the whole town. */
  overview({ zoom = this.minZoom, at = "glide" } = {}) {
    this.followed = null;
    this.look(this.map.width / 2, this.map.height / 2, { zoom, at });
  }

  /**
   * Shows a part of the town from near.
   * @param {[number, number, number, number]} box  left, top, right and bottom in town pixels
   * @param {{least?: number}} options  lowest zoom in screen pixels
   */
  show([left, top, right, bottom], { least = NEAR[0] } = {}) {
    this.followed = null;
    const fitting = Math.min(this.view.width / (right - left + ROOM), this.view.height / (bottom - top + ROOM));
    const near = [least, NEAR[1]].map((zoom) => zoom * this.density);
    this.look((left + right) / 2, (top + bottom) / 2, { zoom: Math.max(near[0], Math.min(near[1], fitting)) });
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const turns = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY / 3 : event.deltaY / 100;
    this.zoomBy(1.25 ** -Math.max(-3, Math.min(3, turns)), this.#positionOf(event));
  }

  /** @param {MouseEvent} event  @returns {Point} */
  #positionOf(event) {
    const frame = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    return [(event.clientX - frame.left) * this.density, (event.clientY - frame.top) * this.density];
  }

  /** @param {PointerEvent} event  @param {HTMLElement} element */
  #pointerDown(event, element) {
    if (isControl(event.target)) return;
    this.pointers.set(event.pointerId, this.#positionOf(event));
    element.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #pointerMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#positionOf(event);
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, spot]) => spot);
    if (others.length) this.#pinch(before, now, others[0]);
    else this.#drag(now[0] - before[0], now[1] - before[1]);
    this.pointers.set(event.pointerId, now);
  }

  /** @param {Point} before  @param {Point} now  @param {Point} other */
  #pinch(before, now, other) {
    const apart = (/** @type {Point} */ spot) => Math.hypot(spot[0] - other[0], spot[1] - other[1]) || 1;
    this.zoomBy(apart(now) / apart(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    if (!this.followed) this.#drag((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
  }
}
