/** How fast steps are computed, from what was seen in the last minutes. Pure. */

const KEPT = 300; // seconds that are looked back
const LEAST = 8; // seconds before anything is said

export class Rate {
  /** @type {Array<[number, number]>} */
  #seen = []; // seconds and steps

  /** @param {number} seconds  @param {number} steps */
  note(seconds, steps) {
    this.#seen.push([seconds, steps]);
    while (this.#seen.length > 2 && seconds - this.#seen[0][0] > KEPT) this.#seen.shift();
  }

  /** @param {number} all steps  @returns {?{rate: number, left: number}} steps a second, and seconds that are left */
  estimate(all) {
    if (!this.#seen.length) return null;
    const [[begin, before], [end, now]] = [this.#seen[0], this.#seen.at(-1)];
    if (end - begin < LEAST || now <= before || now >= all) return null;
    const rate = (now - before) / (end - begin);
    return { rate, left: (all - now) / rate };
  }
}
