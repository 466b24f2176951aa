/** Moves the playhead over a recording, and returns the scene under it. */

/** Game seconds per second, by speed; in addresses, speeds are numbered from 1. */
export const SPEEDS = [1, 10, 60, 120, 300, 600, 1200, 3600];

/** Milliseconds that a step takes. @param {number} speed its number  @param {number} secondsPerStep */
export function stepTime(speed, secondsPerStep) {
  return (1000 * secondsPerStep) / SPEEDS[speed - 1];
}

/**
 * @template F
 * @typedef {{before: F, after: F, fraction: number}} Scene  two frames, and how far the time between them has passed
 */

/** @template F  what a frame is: that of a run, or a pair of two runs */
export class Player {
  /**
   * @param {{peek: (step: number) => ?F, steps: number, first?: number}} loader
   * @param {{step: number, speed: number, secondsPerStep: number}} start
   */
  constructor(loader, { step, speed, secondsPerStep }) {
    this.loader = loader;
    this.secondsPerStep = secondsPerStep;
    this.position = this.#clamp(step); // in steps: 7.5 is halfway between step 7 and step 8
    this.speed = speed;
    this.playing = false;
    /** @type {?Scene<F>} */
    this.scene = null; // what to draw
  }

  get step() {
    return Math.ceil(this.position);
  }

  get first() {
    return this.loader.first ?? 0;
  }

  get last() {
    return this.loader.steps - 1;
  }

  get ended() {
    return this.position >= this.last;
  }

  play() {
    if (this.ended) this.position = this.first;
    this.playing = true;
  }

  pause() {
    this.playing = false;
    this.position = this.step;
  }

  /** @param {number} step */
  seek(step) {
    this.position = this.#clamp(step);
  }

  /** Moves one step forward or back, and pauses. @param {number} by */
  stepBy(by) {
    this.playing = false;
    this.seek((by > 0 ? Math.floor(this.position) : this.step) + by);
  }

  /**
   * Advances by some milliseconds. Waits while frames are loading.
   * @param {number} passed  @returns {boolean} whether the frames are loaded
   */
  tick(passed) {
    const moved = this.playing ? passed / stepTime(this.speed, this.secondsPerStep) : 0;
    const next = Math.min(this.last, this.position + moved);
    const scene = this.#sceneAt(next);
    if (scene) [this.position, this.scene] = [next, scene];
    if (this.ended) this.playing = false;
    return scene !== null;
  }

  /**
   * Returns the frames before and after a position, and the fraction between them; null while they are loading.
   * @param {number} position  @returns {?Scene<F>}
   */
  #sceneAt(position) {
    const after = this.loader.peek(Math.ceil(position));
    const before = this.loader.peek(Math.floor(position));
    if (!before || !after) return null;
    return { before, after, fraction: Number.isInteger(position) ? 1 : position % 1 };
  }

  /** @param {number} step */
  #clamp(step) {
    return Math.max(this.first, Math.min(this.last, step));
  }
}

/**
 * Returns the first conversation that begins after a step, or null.
 * @template {{first: number}} T
 * @param {T[]} conversations  @param {number} step  @returns {?T}
 */
export function nextConversation(conversations, step) {
  return conversations.find((talk) => talk.first > step) ?? null;
}
