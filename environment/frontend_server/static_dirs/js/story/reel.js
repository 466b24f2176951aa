/** A recording, fetched in pieces: those near the playhead are kept, the next one is fetched before it is needed. */

import { get, patience } from "../server.js";
import { Piece } from "./frames.js";

const LENGTH = 500; // steps in a piece: what the server gives at once
const KEPT = 24;

export class Reel {
  /** @param {string} simulation  @param {{steps: number, store: string}} recording how long it is and on which shelf */
  constructor(simulation, { steps, store }) {
    this.simulation = simulation;
    this.steps = steps;
    this.store = store;
    this.pieces = new Map();
    this.fault = null; // why the last piece did not come, until one comes
    this.failures = 0; // in a row
    this.onDamage = () => {};
  }

  /** The frame of a step if it is here, else null; asks for it and for what follows. */
  peek(step) {
    const number = Math.floor(step / LENGTH);
    const piece = this.pieces.get(number);
    this.#want(number).catch(() => {}); // asked for again later; until then nothing is shown anew
    if ((number + 1) * LENGTH < this.steps) this.#want(number + 1).catch(() => {});
    return piece instanceof Piece ? piece.at(step) : null;
  }

  /** Waits until the frame of a step is here. */
  async at(step) {
    const number = Math.floor(step / LENGTH);
    await this.#want(number);
    return this.pieces.get(number).at(step);
  }

  #want(number) {
    const here = this.pieces.get(number);
    if (here) {
      this.pieces.delete(number); // the newest stands last
      this.pieces.set(number, here);
      return here instanceof Piece ? Promise.resolve() : here;
    }
    const coming = this.#fetch(number);
    this.pieces.set(number, coming);
    if (this.pieces.size > KEPT) this.pieces.delete(this.pieces.keys().next().value);
    return coming;
  }

  async #fetch(number) {
    const first = number * LENGTH;
    const last = Math.min(first + LENGTH, this.steps) - 1;
    try {
      const piece = new Piece(await this.#ask(first, last));
      while (piece.last < last) piece.join(await this.#ask(piece.last + 1, last)); // the server sends a megabyte at once
      this.pieces.set(number, piece);
      [this.fault, this.failures] = [null, 0];
    } catch (fault) {
      this.fault = fault;
      this.failures += 1;
      setTimeout(() => this.pieces.delete(number), patience(this.failures));
      throw fault;
    }
  }

  async #ask(first, last) {
    const answer = await get(`/frames/${this.simulation}/${first}/${last}/?store=${this.store}`);
    if (answer.damage?.length) this.onDamage(answer.damage);
    return answer;
  }
}
