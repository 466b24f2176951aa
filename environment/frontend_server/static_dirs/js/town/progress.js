/** The bar that shows how much of the town has been loaded: first until it can be used, then until it is sharp. */

export class Progress {
  /** @param {HTMLElement} element of the town, with the bar from the template */
  constructor(element) {
    this.box = element.querySelector("[data-part=loading]");
    this.bar = this.box.querySelector("progress");
    this.expected = 0;
    this.arrived = 0;
  }

  /**
   * Counts a promise: the bar moves when it is fulfilled.
   * @template T
   * @param {Promise<T>} promise  @returns {Promise<T>} the same
   */
  async count(promise, weight = 1) {
    this.expected += weight;
    const result = await promise;
    this.advance(weight);
    return result;
  }

  /** @param {number} weight */
  expect(weight) {
    this.expected += weight;
  }

  advance(weight = 1) {
    this.arrived += weight;
    this.bar.value = Math.min(1, this.arrived / this.expected);
  }

  /** Begins anew, as a thin line that covers nothing. */
  becomeThin() {
    this.box.classList.add("thin");
    this.bar.removeAttribute("value");
    [this.expected, this.arrived] = [0, 0];
  }

  end() {
    this.box.hidden = true;
  }
}
