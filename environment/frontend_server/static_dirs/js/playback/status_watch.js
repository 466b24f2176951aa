/** Asks the server again and again what the backend does, and passes it on to all who want to know. */

import { errorText, get, retryDelay, sleep } from "../server.js";

/**
 * @typedef {{fate: "saved"|"goes on"|"paused"|"other models"|"stopped", name: string, step: number, until: number, place: number,
 *   models: string}} Restart  what
 *   became of the run when another engine took over from one that had crashed
 * @typedef {{state: "none"|"idle"|"opening"|"open", sim_code?: ?string, fault?: string, restarted?: ?Restart, models?: string,
 *   copying?: number}} EngineStatus
 * @typedef {{calls: number, dollars: ?number, limit: ?number}} Cost
 * @typedef {{kind: string, where: string, words: string, until: ?number}} Lasting  a state of an object, or an event, that
 *   goes on
 */

/**
 * @typedef {Object} Status  response of /status/; what is missing is so because nothing is open
 * @property {"running"|"paused"|"waiting"|"stopped"|"none"} backend
 * @property {"yes"|"no"|"sign in"} act  whether this user may change anything
 * @property {EngineStatus} [engine]
 * @property {string} [sim_code]
 * @property {number} [step]
 * @property {?number} [until_step]
 * @property {boolean} [until_talk]
 * @property {number|"max"} [speed]
 * @property {string[]} [busy]  who thinks
 * @property {string} [curr_time]
 * @property {?string} [asleep_until]
 * @property {string} [browser]
 * @property {string} [waiting_for]
 * @property {?string} [ended]
 * @property {string} [fault]
 * @property {?Cost} [cost]
 * @property {?{name: string, turn: boolean, with: ?string, waiting: boolean}} [visit]
 * @property {string} [models]
 * @property {Lasting[]} [lasting]
 */

export class StatusWatch {
  /** @param {number} interval  milliseconds between requests */
  constructor(interval) {
    this.interval = interval;
    /** @type {?Status} */
    this.latest = null; // last response of /status/
    this.asked = 0; // number of requests: an answer that comes after a later one is stale
    /** @type {Array<(status: Status) => void>} */
    this.listeners = [];
  }

  /**
   * Calls a function with every response of /status/, the latest at once.
   * @param {(status: Status) => void} listener
   */
  subscribe(listener) {
    this.listeners.push(listener);
    if (this.latest) listener(this.latest);
  }

  /** Never ends. @param {(text: string) => void} onError  gets a message if the server does not respond */
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
