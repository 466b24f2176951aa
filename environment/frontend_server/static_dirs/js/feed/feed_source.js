/** Reads the feed of a run: at once, and again while the run goes on. */

import { showDamage } from "../dom.js";
import { get, retry, sleep } from "../server.js";
/** @import { FeedLog } from "./feed_log.js" */

const INTERVAL = 2500; // milliseconds between requests in a live run

export class FeedSource {
  /** @param {FeedLog} log  @param {{simulation: string, store: string}} run */
  constructor(log, { simulation, store }) {
    this.log = log;
    this.address = (from) => `/feed/${simulation}/?from=${from}&store=${store}`;
    this.onNews = () => {};
  }

  /** Reads what has not been read yet. Repeats until the server answers. */
  async read() {
    const response = await retry(
      () => get(this.address(this.log.last + 1)),
      () => {},
    );
    showDamage(response.damage ?? []);
    if (this.log.add(response)) this.onNews();
  }

  /** Never ends. @param {() => number} newest step of the run */
  async follow(newest) {
    for (;;) {
      if (this.log.last !== newest() && !document.hidden) await this.read();
      await sleep(INTERVAL);
    }
  }
}
