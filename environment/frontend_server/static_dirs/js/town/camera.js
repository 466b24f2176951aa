/** The eye over the town: moved by keys, mouse and fingers, or following somebody. Screen pixels are device pixels. */

import { wantsStillness } from "../dom.js";

const STEP = 1 / 64; // zoom goes in these, so that the pieces of the map meet on whole pixels
const CLOSEST = 4;
const MUCH = 1.5; // times the zoom that shows everything
const GLIDE = 0.012; // share of the way per millisecond
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KEY_SPEED = 0.7; // screen pixels per millisecond, times the density of the screen

/** The zoom nearest to a wish that keeps to whole steps. Pure. */
export function steadyZoom(zoom, least) {
  return Math.max(STEP, Math.round(Math.min(CLOSEST, Math.max(least, zoom)) / STEP) * STEP);
}

/** Where the middle of the view may be, so that no more than needed beyond the town is seen. Pure. */
export function heldInside(middle, seen, size) {
  return seen >= size ? size / 2 : Math.min(size - seen / 2, Math.max(seen / 2, middle));
}

export class Camera {
  /** @param scene Phaser scene  @param {TownMap} map  @param {HTMLElement} stage that has the focus for keys */
  constructor(scene, map, stage) {
    this.view = scene.cameras.main.setOrigin(0, 0);
    this.map = map;
    this.density = 1;
    this.x = this.wishX = map.width / 2;
    this.y = this.wishY = map.height / 2;
    this.zoom = this.wishZoom = 1;
    this.followed = null; // () => [x, y] in town pixels
    this.held = new Set();
    this.fingers = new Map();
    this.#listen(stage);
  }

  get least() {
    const whole = Math.min(this.view.width / this.map.width, this.view.height / this.map.height);
    return Math.max(STEP, Math.floor(whole / STEP) * STEP);
  }

  /** The zoom that leaves no margin, if that hides but little of the town. */
  get filling() {
    const full =
      Math.ceil(Math.max(this.view.width / this.map.width, this.view.height / this.map.height) / STEP) * STEP;
    return full / this.least < MUCH ? full : this.least;
  }

  /** Follows whoever `place` tells the whereabouts of; null lets go. */
  follow(place) {
    this.followed = place;
  }

  /** Looks at a place from now on, at once where `at` says so. */
  look(x, y, { zoom = this.wishZoom, at = "glide" } = {}) {
    [this.wishX, this.wishY] = [x, y];
    this.wishZoom = steadyZoom(zoom, this.least);
    if (at === "once") [this.x, this.y, this.zoom] = [x, y, this.wishZoom];
  }

  /** Comes nearer by a factor, keeping the town under a point of the screen where it is. */
  approach(factor, point = [this.view.width / 2, this.view.height / 2]) {
    const [x, y] = this.#townAt(point, this.wishX, this.wishY, this.wishZoom);
    this.wishZoom = steadyZoom(this.wishZoom * factor, this.least);
    if (this.followed) return;
    this.wishX = x - (point[0] - this.view.width / 2) / this.wishZoom;
    this.wishY = y - (point[1] - this.view.height / 2) / this.wishZoom;
  }

  /** Moves on by some milliseconds. */
  update(passed) {
    this.#walk(passed);
    if (this.followed) [this.wishX, this.wishY] = this.followed();
    this.wishZoom = steadyZoom(this.wishZoom, this.least);
    const share = wantsStillness() ? 1 : 1 - Math.exp(-GLIDE * passed);
    this.zoom += (this.wishZoom - this.zoom) * share;
    if (Math.abs(this.zoom / this.wishZoom - 1) < 0.01) this.zoom = this.wishZoom;
    this.wishX = heldInside(this.wishX, this.view.width / this.wishZoom, this.map.width);
    this.wishY = heldInside(this.wishY, this.view.height / this.wishZoom, this.map.height);
    this.x += (this.wishX - this.x) * share;
    this.y += (this.wishY - this.y) * share;
    this.#point();
  }

  #point() {
    const zoom = steadyZoom(this.zoom, this.least);
    const x = heldInside(this.x, this.view.width / zoom, this.map.width);
    const y = heldInside(this.y, this.view.height / zoom, this.map.height);
    this.view.setZoom(zoom);
    this.view.scrollX = Math.round(x * zoom - this.view.width / 2) / zoom;
    this.view.scrollY = Math.round(y * zoom - this.view.height / 2) / zoom;
  }

  #townAt([screenX, screenY], x = this.x, y = this.y, zoom = this.zoom) {
    return [x + (screenX - this.view.width / 2) / zoom, y + (screenY - this.view.height / 2) / zoom];
  }

  #drag(across, down) {
    this.followed = null;
    this.wishX -= across / this.zoom;
    this.wishY -= down / this.zoom;
    [this.x, this.y] = [this.wishX, this.wishY];
  }

  #walk(passed) {
    for (const key of this.held) {
      this.followed = null;
      this.wishX += (KEYS[key][0] * KEY_SPEED * this.density * passed) / this.zoom;
      this.wishY += (KEYS[key][1] * KEY_SPEED * this.density * passed) / this.zoom;
    }
  }

  #listen(stage) {
    stage.addEventListener("keydown", (event) => this.#keyDown(event));
    addEventListener("keyup", (event) => this.held.delete(event.key));
    addEventListener("blur", () => this.held.clear());
    stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    stage.addEventListener("pointerdown", (event) => this.#pointer(event, stage));
    stage.addEventListener("pointermove", (event) => this.#pointerMove(event));
    for (const end of ["pointerup", "pointercancel"])
      stage.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
  }

  #keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in KEYS) this.held.add(event.key);
    else if (event.key === "+" || event.key === "=") this.approach(1.5);
    else if (event.key === "-") this.approach(1 / 1.5);
    else if (event.key === "0") this.overview();
    else return;
    event.preventDefault();
  }

  /** The whole town. */
  overview({ zoom = this.least, at = "glide" } = {}) {
    this.followed = null;
    this.look(this.map.width / 2, this.map.height / 2, { zoom, at });
  }

  #wheel(event) {
    event.preventDefault();
    const turns = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY / 3 : event.deltaY / 100;
    this.approach(1.25 ** -Math.max(-3, Math.min(3, turns)), this.#spot(event));
  }

  #spot(event) {
    const frame = event.currentTarget.getBoundingClientRect();
    return [(event.clientX - frame.left) * this.density, (event.clientY - frame.top) * this.density];
  }

  #pointer(event, stage) {
    if (event.target.closest("button, a, input")) return;
    this.fingers.set(event.pointerId, this.#spot(event));
    stage.setPointerCapture(event.pointerId);
  }

  #pointerMove(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = this.#spot(event);
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, spot]) => spot);
    if (others.length) this.#pinch(before, now, others[0]);
    else this.#drag(now[0] - before[0], now[1] - before[1]);
    this.fingers.set(event.pointerId, now);
  }

  #pinch(before, now, other) {
    const apart = (spot) => Math.hypot(spot[0] - other[0], spot[1] - other[1]) || 1;
    this.approach(apart(now) / apart(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    if (!this.followed) this.#drag((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
  }
}
