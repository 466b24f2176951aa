/**
 * Follows a running simulation step by step: requests the moves, reports the new positions, animates the walk.
 * Positions are reported before the walk is drawn, so that the backend does not wait for the animation.
 * A page that has fallen behind (reload, sleep, another page that was faster) continues at the current step.
 */

import { byName, named } from "../by_name.js";
import { Refused, get, retryDelay, sleep, post } from "../server.js";
/** @import { Tile } from "../acting/places.js" */
/** @import { Persona } from "../dom.js" */
/** @import { Frame, PersonaRecord } from "./frames.js" */
/** @import { Scene } from "./player.js" */

const LONG_POLL = 4; // seconds that the server may wait before it answers
const POLL_PAUSE = 200; // milliseconds between requests that found no new step
const CONFLICT = 409;
const MAX_LAG = 30; // steps; a page further behind skips to the current step

const SLOWEST_WALK = 4000; // milliseconds per tile
const AT_ONCE = 20; // milliseconds below which a walk is not drawn

/**
 * Milliseconds in which a tile is walked, a little less than a step takes: a page that draws must not hold up the run.
 * @param {number|"max"} speed  of the run, in game seconds per second  @param {number} secondsPerStep
 */
export function walkTime(speed, secondsPerStep) {
  const wanted = speed === "max" || !speed ? 0 : (900 * secondsPerStep) / speed;
  return wanted < AT_ONCE ? 0 : Math.min(SLOWEST_WALK, wanted);
}

/**
 * @typedef {{sim_code: string, maze_name: string, step: number, positions: Record<string, Tile>, frame: Frame,
 *   reported?: boolean, damage?: string[], personas?: Persona[]}} LiveState  response of /live/
 */

export class LiveRun {
  /** @param {LiveState} state  @param {{walkTime: number}} pace */
  constructor(state, pace) {
    this.simulation = state.sim_code;
    this.maze = state.maze_name;
    this.walkTime = pace.walkTime; // milliseconds per tile; 0 draws everyone at the end of their walk at once
    /** @type {?Error} */
    this.error = null; // why the last request failed; null after a success
    this.step = 0;
    this.shown = 0; // the step on screen
    /** @type {?Promise<void>} */
    this.reporting = null; // of the positions before the step
    /** @type {Scene<Frame>} */
    this.scene = { before: {}, after: {}, fraction: 1 };
    this.walking = false;
    this.shows = true; // whether the walk is on screen
    /** @type {(step: number) => void} */
    this.onStep = () => {};
    /** @type {(frame: Frame) => Promise<void>} */
    this.onFrame = async () => {}; // awaited before a step is drawn
    /** @type {(lines: string[]) => void} */
    this.onDamage = () => {};
    this.newest = 0; // last known step of the backend
    this.missed = -1; // the last step that a request did not find
    this.#reset(state);
    document.addEventListener("visibilitychange", () => document.hidden && this.#finishWalk());
  }

  /** Never ends. */
  async follow() {
    for (let failures = 0; ; ) {
      try {
        if (!(await this.#nextStep())) await Promise.all([this.resume(), sleep(POLL_PAUSE)]);
        else if (this.newest > this.step + MAX_LAG) await this.resume();
        this.error = null;
        failures = 0;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        this.error = error; // shown on the page, and retried
        this.reporting = null; // report again: the report may have been lost, and repeating it is harmless
        failures += 1;
        await sleep(retryDelay(failures));
      }
    }
  }

  /** Continues at the simulation's current step. */
  async resume() {
    const state = await get(`/live/${this.simulation}/`);
    if (state.damage?.length) this.onDamage(state.damage);
    if (state.step === this.step || this.#comesNow(state.step)) return;
    await this.onFrame(frameOf(state));
    this.#reset(state);
  }

  /**
   * Whether the step was computed just after a request for it had found nothing: the next request gets it. If that finds
   * nothing either, the step is missing.
   * @param {number} newest
   */
  #comesNow(newest) {
    const asked = this.missed === this.step;
    this.missed = this.step;
    return !asked && newest > this.step && newest <= this.step + MAX_LAG;
  }

  get isShown() {
    return this.shows;
  }

  /** Hides the walk while the page shows an earlier step: the engine does not wait for it then. */
  set isShown(shows) {
    this.shows = shows;
    if (!shows && this.walking) this.#finishWalk();
  }

  /** @param {number} passed */
  tick(passed) {
    if (!this.walking) return;
    this.scene.fraction = Math.min(1, this.scene.fraction + passed / this.walkTime);
    if (this.scene.fraction === 1) this.#finishWalk();
  }

  /** Requests and walks one step. @returns {Promise<boolean>} whether there was one */
  async #nextStep() {
    const { step, simulation } = this;
    this.#report();
    const request = post("/update_environment/", { step, sim_code: simulation, wait: LONG_POLL });
    const [response] = await Promise.all([request, this.reporting]);
    const moves = await response.json();
    if (moves["<step>"] !== step) return false;
    const frame = named(moves.persona);
    await this.onFrame(frame);
    const walked = this.#walk(frame);
    this.step = step + 1;
    this.reporting = null;
    this.#report();
    await walked;
    this.onStep(step);
    return true;
  }

  /** @param {Frame} frame  @returns {Promise<void>} once it is over */
  #walk(frame) {
    const before = this.scene.after;
    this.scene = { before, after: frame, fraction: 0 };
    this.shown = this.step;
    this.walking = true;
    const still = Object.entries(frame).every(
      ([name, { movement }]) => movement.join() === before[name]?.movement.join(),
    );
    return new Promise((done) => {
      this.done = done;
      if (still || document.hidden || !this.shows || !this.walkTime) this.#finishWalk(); // nothing to animate
    });
  }

  #finishWalk() {
    this.scene.fraction = 1;
    this.walking = false;
    this.done?.();
  }

  /** Reports positions before the next step, once. Requests for that step wait for the report. */
  #report() {
    this.reporting ??= this.#sendPositions(this.step, this.scene.after);
    this.reporting.catch(() => {}); // handled where the report is awaited
  }

  /** @param {number} step  @param {Frame} frame */
  async #sendPositions(step, frame) {
    const { simulation, maze } = this;
    const places = Object.entries(frame).map(([name, { movement }]) => [
      name,
      { maze, x: movement[0], y: movement[1] },
    ]);
    try {
      await post("/process_environment/", { step, sim_code: simulation, environment: Object.fromEntries(places) });
    } catch (error) {
      const reportedByOther = error instanceof Refused && error.status === CONFLICT;
      if (!reportedByOther) throw error;
    }
  }

  /** @param {LiveState} state */
  #reset(state) {
    this.step = state.step;
    this.reporting = state.reported ? Promise.resolve() : null; // null: not reported yet
    this.shown = Math.max(0, state.step - 1);
    const frame = frameOf(state);
    this.scene = { before: frame, after: frame, fraction: 1 };
  }
}

/** What everyone shows in a response of /live/. @param {LiveState} state  @returns {Frame} */
function frameOf({ frame, positions }) {
  const known = named(frame);
  return byName(Object.entries(positions).map(([name, movement]) => [name, { ...NO_RECORD, ...known[name], movement }]));
}

/** @type {Omit<PersonaRecord, "movement">} */
const NO_RECORD = { pronunciatio: "", description: "", chat: null };
