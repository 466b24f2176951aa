/** Measures how fast game time passes. Pure. */

const WINDOW = 8000; // milliseconds
const SHORTEST = 1500; // milliseconds from which on a measurement counts

export class Pace {
  /** @param {number} secondsPerStep  of game time */
  constructor(secondsPerStep) {
    this.secondsPerStep = secondsPerStep;
    /** @type {Array<{step: number, time: number}>} */
    this.samples = [];
  }

  /**
   * Notes the step at a time in milliseconds; only steps of a run that is in progress count.
   * @param {number} step  @param {number} time  @param {boolean} running
   */
  note(step, time, running) {
    const last = this.samples.at(-1);
    if (!running || (last && step < last.step)) this.samples = [];
    if (running) this.samples.push({ step, time });
    while (this.samples.length > 2 && this.samples[1].time < time - WINDOW) this.samples.shift();
  }

  /** Game seconds per second; null while that is unknown. */
  get reached() {
    if (this.samples.length < 2) return null;
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    const passed = last.time - first.time;
    return passed < SHORTEST ? null : ((last.step - first.step) * this.secondsPerStep * 1000) / passed;
  }
}
