/**
 * Turns keys and clicks into walks. A tap of a key is one tile, so that several taps are several; a key that is held
 * walks on until it is released, or until a wall. The keyboard tells the two apart: only a held key repeats. One request is underway at a time, and only the newest goal is sent.
 */

import { distance } from "../acting/places.js";
/** @import { Places, Tile } from "../acting/places.js" */

const AHEAD = 6; // tiles that a held key asks for at a time
const STOP = 2; // tiles ahead at which a released key stops: what is shown is a step or two behind
const NEAR = 3; // tiles before the goal at which a held key asks for more
const TAPPED = 4; // tiles to a goal from which a tap goes on; a farther one is given up

export class Walker {
  /**
   * @param {{places: Places, tileOf: () => ?Tile, send: (tile: Tile) => Promise<void>, onRefused?: (error: Error) => void}} visit
   *   `tileOf` returns where the visitor is
   */
  constructor({ places, tileOf, send, onRefused = () => {} }) {
    this.places = places;
    this.tileOf = tileOf;
    this.send = send;
    this.onRefused = onRefused;
    /** @type {Array<{direction: Tile, isHeld: boolean}>} */
    this.pressed = []; // directions of the pressed keys, the newest first
    /** @type {?Tile} */
    this.goal = null;
    this.underway = false;
  }

  /** Called when a key goes down, and whenever it repeats. @param {[number, number]} direction */
  press(direction) {
    const tile = this.tileOf();
    if (!tile) return;
    const known = this.#pressedKey(direction);
    if (known) {
      known.isHeld = true;
      return;
    }
    this.pressed.unshift({ direction, isHeld: false });
    this.#go(direction, this.goal && distance(tile, this.goal) <= TAPPED ? this.goal : tile, 1);
  }

  /** @param {Tile} direction */
  release(direction) {
    const key = this.#pressedKey(direction);
    if (!key) return;
    this.pressed.splice(this.pressed.indexOf(key), 1);
    if (key.isHeld && !this.pressed.length && this.tileOf()) this.#go(direction, this.tileOf(), STOP);
  }

  /** Lets go of all keys, as when the window loses the focus. */
  releaseAll() {
    this.pressed = [];
  }

  /** Walks to a tile. @param {Tile} tile */
  to(tile) {
    this.pressed = [];
    this.goal = tile;
    this.#sendGoal();
  }

  /** Called on every tick. */
  tick() {
    const tile = this.tileOf();
    if (!tile) return;
    if (this.goal && same(this.goal, tile) && !this.underway) this.goal = null;
    const held = this.pressed.find(({ isHeld }) => isHeld);
    if (!held) return;
    const left = this.goal ? Math.abs(this.goal[0] - tile[0]) + Math.abs(this.goal[1] - tile[1]) : 0;
    const turned = this.goal && !isAhead(tile, this.goal, held.direction);
    if (!this.underway && (left <= NEAR || turned)) this.#go(held.direction, tile, AHEAD);
  }

  /** @param {Tile} direction */
  #pressedKey(direction) {
    return this.pressed.find((one) => same(one.direction, direction));
  }

  /** @param {Tile} direction  @param {Tile} tile  @param {number} most */
  #go(direction, [x, y], most) {
    const reach = this.places.reach([x, y], direction, most);
    /** @type {Tile} */
    const goal = [x + direction[0] * reach, y + direction[1] * reach];
    if (this.goal ? same(goal, this.goal) : reach === 0) return;
    this.goal = goal;
    this.#sendGoal();
  }

  async #sendGoal() {
    if (this.underway) return;
    this.underway = true;
    for (let sent = null; this.goal && !(sent && same(sent, this.goal));) {
      sent = this.goal;
      try {
        await this.send(sent);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (same(sent, this.goal)) this.goal = null;
        this.onRefused(error);
      }
    }
    this.underway = false;
  }
}

/** @param {Tile} one  @param {Tile} other */
function same([x, y], [otherX, otherY]) {
  return x === otherX && y === otherY;
}

/** @param {Tile} tile  @param {Tile} goal  @param {Tile} direction */
function isAhead([x, y], [goalX, goalY], [across, down]) {
  return Math.sign(goalX - x) === across && Math.sign(goalY - y) === down;
}
