/**
 * Loads the frames of a recording in chunks: keeps those near the playhead and prefetches the next one. A recording may
 * grow: `steps` is set anew, and the last chunk is completed when more of it is wanted.
 */

import { get, retryDelay } from "../server.js";
import { Chunk } from "./frames.js";
/** @import { Frame } from "./frames.js" */

const MOST_STEPS = 500; // as many as the server sends at once
const PEOPLE_STEPS = 25_000; // people times steps of a chunk: of a city, a few steps are as much as hundreds of a town
const MAX_CHUNKS = 24;

export class FrameLoader {
  /**
   * @param {string} simulation
   * @param {{first?: number, steps: number, store: string, people?: number}} recording its first step, the number after its
   *   last one, whether it is saved or compressed, and how many people there are
   */
  constructor(simulation, { first = 0, steps, store, people = 0 }) {
    this.simulation = simulation;
    this.chunkSteps = stepsOfChunk(people);
    this.first = first;
    this.steps = steps;
    this.store = store;
    /** @type {Map<number, Chunk|Promise<void>>} */
    this.chunks = new Map();
    /** @type {?Error} */
    this.error = null; // why the last request failed; null after a success
    this.failures = 0; // in a row
    /** @type {(lines: string[]) => void} */
    this.onDamage = () => {};
  }

  /**
   * Returns the frame of a step if it is loaded, else null. Requests it, and then the next chunk.
   * @param {number} step  @returns {?Frame}
   */
  peek(step) {
    const number = Math.floor(step / this.chunkSteps);
    const chunk = this.chunks.get(number);
    this.#load(number, step).catch(() => {}); // retried later
    const next = (number + 1) * this.chunkSteps;
    if (next < this.steps && chunk instanceof Chunk) this.#load(number + 1, next).catch(() => {});
    return chunk instanceof Chunk && step <= chunk.last ? chunk.at(step) : null;
  }

  /** Forgets all frames, because the run has gone back and will go on otherwise. */
  forget() {
    this.chunks.clear();
  }

  /** @param {number} number  @param {number} step */
  #load(number, step) {
    const known = this.chunks.get(number);
    if (known) {
      this.chunks.delete(number); // the most recently used comes last
      this.chunks.set(number, known);
      if (!(known instanceof Chunk)) return known;
      return step <= known.last ? Promise.resolve() : this.#complete(number, known);
    }
    const loading = this.#fetch(number);
    this.chunks.set(number, loading);
    if (this.chunks.size > MAX_CHUNKS) this.chunks.delete(this.chunks.keys().next().value);
    return loading;
  }

  /** @param {number} number */
  async #fetch(number) {
    const first = Math.max(this.first, number * this.chunkSteps);
    const chunk = await this.#try(() => this.#request(first, this.#lastOf(number)).then((response) => new Chunk(response)), number);
    this.chunks.set(number, chunk);
    await this.#complete(number, chunk); // a response has at most a megabyte
  }

  /**
   * Appends what a chunk still lacks, once at a time.
   * @param {number} number  @param {Chunk & {completing?: ?Promise<void>}} chunk  @returns {Promise<void>}
   */
  #complete(number, chunk) {
    chunk.completing ??= this.#try(async () => {
      while (chunk.last < this.#lastOf(number)) chunk.append(await this.#request(chunk.last + 1, this.#lastOf(number)));
    }, number).finally(() => (chunk.completing = null));
    return chunk.completing;
  }

  /** @param {number} number */
  #lastOf(number) {
    return Math.min((number + 1) * this.chunkSteps, this.steps) - 1;
  }

  /**
   * Does something that may fail; the chunk is then loaded anew, after a while.
   * @template T
   * @param {() => Promise<T>} action  @param {number} number  @returns {Promise<T>}
   */
  async #try(action, number) {
    try {
      const result = await action();
      [this.error, this.failures] = [null, 0];
      return result;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.error = error;
      this.failures += 1;
      setTimeout(() => this.chunks.delete(number), retryDelay(this.failures));
      throw error;
    }
  }

  /** @param {number} first  @param {number} last */
  async #request(first, last) {
    const response = await get(`/frames/${this.simulation}/${first}/${last}/?store=${this.store}`);
    if (response.damage?.length) this.onDamage(response.damage);
    return response;
  }
}

/** How many steps are loaded at once. Pure. @param {number} people */
export function stepsOfChunk(people) {
  return Math.max(10, Math.min(MOST_STEPS, Math.floor(PEOPLE_STEPS / Math.max(1, people))));
}
