/** Looks back on a live run: the run goes on, while the page shows an earlier step or plays on from there. */

import { FrameLoader } from "./frame_loader.js";
import { Player } from "./player.js";
/** @import { Frame } from "./frames.js" */
/** @import { LiveRun } from "./live_run.js" */
/** @import { Scene } from "./player.js" */

const SPEED = 3; // number of the speed at which the past is played

export class Past {
  /**
   * @param {{sim_code: string, sec_per_step?: number}} page
   * @param {LiveRun} live
   */
  constructor(page, live) {
    this.page = page;
    this.live = live;
    this.first = 0; // first step that can be shown
    /** @type {?Player<Frame>} */
    this.player = null; // null: live
    /** @type {?FrameLoader} */
    this.loader = null; // of the past, once it was looked at
    this.onChange = () => {}; // called when looking back begins or ends
  }

  get isLooking() {
    return this.player !== null;
  }

  /** The newest step on screen or computed. */
  get newest() {
    return Math.max(0, this.live.step - 1);
  }

  /** The step that is looked at. */
  get step() {
    return this.player ? this.player.step : this.live.shown;
  }

  /** Looks at a step; at the newest one, and whatever lies after it, the page is live again. @param {number} step */
  seek(step) {
    if (step >= this.newest) {
      this.goLive();
      return;
    }
    if (!this.player) this.#begin(step);
    this.player.pause();
    this.player.seek(step);
  }

  /** @param {number} by */
  stepBy(by) {
    this.seek(this.step + by);
  }

  /** Plays on from the step that is looked at, or stops doing so. */
  toggle() {
    if (this.player.playing) this.player.pause();
    else this.player.play();
  }

  goLive() {
    if (!this.player) return;
    this.player = null;
    this.live.isShown = true;
    this.onChange();
  }

  /**
   * Advances by some milliseconds.
   * @param {number} passed
   * @returns {?{scene: Scene<Frame>, step: number}} what to show; null while it is loading
   */
  tick(passed) {
    this.live.tick(passed);
    if (!this.player) return { scene: this.live.scene, step: this.live.shown };
    this.loader.steps = this.newest + 1;
    this.player.tick(passed);
    if (this.player.ended) {
      this.goLive();
      return { scene: this.live.scene, step: this.live.shown };
    }
    return this.player.scene && { scene: this.player.scene, step: this.player.step };
  }

  /** @param {number} step */
  #begin(step) {
    const range = { first: this.first, steps: this.newest + 1, store: "saved" };
    this.loader ??= new FrameLoader(this.page.sim_code, range);
    Object.assign(this.loader, range);
    this.player = new Player(this.loader, { step, speed: SPEED, secondsPerStep: this.page.sec_per_step });
    this.live.isShown = false;
    this.onChange();
  }
}
