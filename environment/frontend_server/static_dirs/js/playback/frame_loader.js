/** Loads the frames of a recording in chunks: keeps those near the playhead and prefetches the next one. */

import { get, retryDelay } from "../server.js";
import { Chunk } from "./frames.js";

const CHUNK_STEPS = 500; // as many as the server sends at once
const MAX_CHUNKS = 24;

export class FrameLoader {
  /** @param {string} simulation  @param {{steps: number, store: string}} recording its length, and whether it is saved or compressed */
  constructor(simulation, { steps, store }) {
    this.simulation = simulation;
    this.steps = steps;
    this.store = store;
    this.chunks = new Map();
    this.error = null; // why the last request failed; null after a success
    this.failures = 0; // in a row
    this.onDamage = () => {};
  }

  /** Returns the frame of a step if it is loaded, else null. Requests it and the next chunk. */
  peek(step) {
    const number = Math.floor(step / CHUNK_STEPS);
    const chunk = this.chunks.get(number);
    this.#load(number).catch(() => {}); // retried later
    if ((number + 1) * CHUNK_STEPS < this.steps) this.#load(number + 1).catch(() => {});
    return chunk instanceof Chunk ? chunk.at(step) : null;
  }

  #load(number) {
    const known = this.chunks.get(number);
    if (known) {
      this.chunks.delete(number); // the most recently used comes last
      this.chunks.set(number, known);
      return known instanceof Chunk ? Promise.resolve() : known;
    }
    const loading = this.#fetch(number);
    this.chunks.set(number, loading);
    if (this.chunks.size > MAX_CHUNKS) this.chunks.delete(this.chunks.keys().next().value);
    return loading;
  }

  async #fetch(number) {
    const first = number * CHUNK_STEPS;
    const last = Math.min(first + CHUNK_STEPS, this.steps) - 1;
    try {
      const chunk = new Chunk(await this.#request(first, last));
      while (chunk.last < last) chunk.append(await this.#request(chunk.last + 1, last)); // a response has at most a megabyte
      this.chunks.set(number, chunk);
      [this.error, this.failures] = [null, 0];
    } catch (error) {
      this.error = error;
      this.failures += 1;
      setTimeout(() => this.chunks.delete(number), retryDelay(this.failures));
      throw error;
    }
  }

  async #request(first, last) {
    const response = await get(`/frames/${this.simulation}/${first}/${last}/?store=${this.store}`);
    if (response.damage?.length) this.onDamage(response.damage);
    return response;
  }
}
