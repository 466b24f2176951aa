/** Loads the frames of two recordings for one playhead. A frame is {a, b}; the shorter run stays at its last step. */

/** @import { FrameLoader } from "../playback/frame_loader.js" */
/** @import { Frame } from "../playback/frames.js" */










/** @typedef {{a: Frame, b: Frame}} FramePair */

export class PairLoader {
  /** @param {FrameLoader[]} loaders of both recordings */
  constructor(loaders) {
    this.loaders = loaders;
    /** @type {Array<[number, FramePair]>} */
    this.pairs = []; // the latest [step, pair], so that equal steps are equal objects
  }

  get first() {
    return Math.max(...this.loaders.map(({ first }) => first));
  }

  get steps() {
    return Math.max(...this.loaders.map(({ steps }) => steps));
  }

  /** Why the last request failed; null after a success. */
  get error() {
    return this.loaders.find(({ error }) => error)?.error ?? null;
  }

  /** Returns the frames of a step, or null while one of them is loading. @param {number} step  @returns {?FramePair} */
  peek(step) {
    const known = this.pairs.find(([number]) => number === step);
    if (known) return known[1];
    const [a, b] = this.loaders.map((loader) => loader.peek(Math.min(step, loader.steps - 1)));
    if (!a || !b) return null;
    this.pairs = [...this.pairs.slice(-1), [step, { a, b }]];
    return this.pairs.at(-1)[1];
  }
}
