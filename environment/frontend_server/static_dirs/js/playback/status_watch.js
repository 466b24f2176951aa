/** Asks the server again and again what the backend does, and passes it on to all who want to know. */

import { get, retryDelay, sleep, errorText } from "../server.js";

export class StatusWatch {
  /** @param {number} interval  milliseconds between requests */
  constructor(interval) {
    this.interval = interval;
    this.latest = null; // last response of /status/
    this.error = ""; // message while the server does not respond
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
        this.latest = await get("/status/");
        [failures, this.error] = [0, ""];
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        this.error = errorText(error);
        onError(this.error);
        await sleep(retryDelay((failures += 1)));
        continue;
      }
      for (const listener of this.listeners) listener(this.latest);
      await sleep(this.interval);
    }
  }
}
