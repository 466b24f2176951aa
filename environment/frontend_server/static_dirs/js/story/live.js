/**
 * Follows a running simulation, step by step: asks what everybody does, reports where that leads, lets them walk there.
 * The report goes out before the walk: it says nothing that the answer did not say, and the backend need not wait for it.
 * Where the page has fallen behind (a reload, a closed lid, another page that was quicker), it goes on where the town is.
 */

import { Refused, get, patience, pause, post } from "../server.js";

const WAIT = 4; // seconds the server may hold a question until the answer is there
const BREATH = 200; // milliseconds between two questions without an answer
const CONFLICT = 409;
const LAG = 30; // steps behind from which on they are not walked one by one

export class Live {
  /** @param {Object} state as /live/ answers: sim_code, step, positions, frame, maze_name */
  constructor(state, { walkTime }) {
    this.simulation = state.sim_code;
    this.maze = state.maze_name;
    this.walkTime = walkTime; // milliseconds for one tile
    this.fault = null; // why the server could not be asked, until it can
    this.walking = false;
    this.onStep = () => {};
    this.onDamage = () => {};
    this.newest = 0; // the backend's step, as far as is known
    this.#adopt(state);
    document.addEventListener("visibilitychange", () => document.hidden && this.#arrive());
  }

  /** Never ends. */
  async follow() {
    for (let failures = 0; ; ) {
      try {
        if (!(await this.#oneStep())) await Promise.all([this.resume(), pause(BREATH)]);
        else if (this.newest > this.step + LAG) await this.resume();
        this.fault = null;
        failures = 0;
      } catch (fault) {
        if (!(fault instanceof Error)) throw fault;
        this.fault = fault; // shown to the reader; asked again until there is an answer
        this.reporting = null; // said again, lest it was lost: that is welcome
        failures += 1;
        await pause(patience(failures));
      }
    }
  }

  /** Goes on where the town is now. */
  async resume() {
    const state = await get(`/live/${this.simulation}/`);
    if (state.damage?.length) this.onDamage(state.damage);
    if (state.step !== this.step) this.#adopt(state);
  }

  tick(passed) {
    if (!this.walking) return;
    this.scene.fraction = Math.min(1, this.scene.fraction + passed / this.walkTime);
    if (this.scene.fraction === 1) this.#arrive();
  }

  /** Whether there was a step to walk. */
  async #oneStep() {
    const { step, simulation } = this;
    this.#report();
    const question = post("/update_environment/", { step, sim_code: simulation, wait: WAIT });
    const [response] = await Promise.all([question, this.reporting]);
    const answer = await response.json();
    if (answer["<step>"] !== step) return false;
    const walked = this.#walk(answer.persona);
    this.step = step + 1;
    this.reporting = null;
    this.#report();
    await walked;
    this.onStep(step);
    return true;
  }

  #walk(frame) {
    const before = this.scene.after;
    this.scene = { before, after: { ...before, ...frame }, fraction: 0 };
    this.shown = this.step;
    this.walking = true;
    const still = Object.entries(frame).every(
      ([name, { movement }]) => movement.join() === before[name]?.movement.join(),
    );
    return new Promise((done) => {
      this.done = done;
      if (still || document.hidden) this.#arrive(); // nothing to see, or nobody to see it
    });
  }

  #arrive() {
    this.scene.fraction = 1;
    this.walking = false;
    this.done?.();
  }

  /** Says once where everybody stands before the step that is to come; whoever asks for that step awaits it. */
  #report() {
    this.reporting ??= this.#deliver(this.step, this.scene.after);
    this.reporting.catch(() => {}); // heard of by who awaits it
  }

  async #deliver(step, frame) {
    const { simulation, maze } = this;
    const places = Object.entries(frame).map(([name, { movement }]) => [
      name,
      { maze, x: movement[0], y: movement[1] },
    ]);
    try {
      await post("/process_environment/", { step, sim_code: simulation, environment: Object.fromEntries(places) });
    } catch (fault) {
      if (!(fault instanceof Refused && fault.status === CONFLICT)) throw fault; // else another page was quicker
    }
  }

  #adopt(state) {
    this.step = state.step;
    this.reporting = state.reported ? Promise.resolve() : null; // null: not said yet
    this.shown = Math.max(0, state.step - 1);
    const records = Object.entries(state.positions).map(([name, movement]) => [
      name,
      { ...BLANK, ...state.frame[name], movement },
    ]);
    const frame = Object.fromEntries(records);
    this.scene = { before: frame, after: frame, fraction: 1 };
  }
}

const BLANK = { pronunciatio: "", description: "", chat: null };
