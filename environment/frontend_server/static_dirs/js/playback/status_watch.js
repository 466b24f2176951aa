/** Asks the server again and again what the backend does, and passes it on to all who want to know. */

import { errorText, get, retryDelay, sleep } from "../server.js";

export class StatusWatch {
  /** @param {number} interval  milliseconds between requests */
  constructor(interval) {
    this.interval = interval;
    this.latest = null; // last response of /status/
    this.asked = 0; // number of requests: an answer that comes after a later one is stale
    this.listeners = [];
  }

  /** Calls a function with every response of /status/, the latest at once. @param {function(Object)} listener */
  subscribe(listener) {
    this.listeners.push(listener);
    if (this.latest) listener(this.latest);
  }

  /** Never ends. @param {function(string)} onError  gets a message if the server does not respond */
  async run(onError = () => {}) {
    for (let failures = 0; ; ) {
      try {
        await this.#ask();
        failures = 0;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        onError(errorText(error));
        failures += 1;
      }
      await sleep(failures ? retryDelay(failures) : this.interval);
    }
  }

  /** Asks at once, after something was done. An error is left to the next regular request. */
  async refresh() {
    try {
      await this.#ask();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }

  async #ask() {
    const number = (this.asked += 1);
    const status = await get("/status/");
    if (number < this.asked) return;
    this.latest = status;
    for (const listener of this.listeners) listener(status);
  }
}
