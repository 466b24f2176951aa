/** What is shown of what people say: words stay long enough to be read, also if the recording plays faster. */

/** @import { Talk } from "./talks.js" */










const LEAST = 1500; // milliseconds that words stay; a conversation that is over sooner is not shown in words
const SMOOTHING = 400; // milliseconds over which the pace is averaged

/** @typedef {{speaker: string, words: string, age: number}} Caption */

export class Captions {
  constructor() {
    this.shown = new Map(); // caption by key of the conversation
    this.position = null;
    this.pace = 0; // steps per millisecond
  }

  /**
   * Advances by some milliseconds.
   * @param {Talk[]} talks at the position  @param {number} position in steps
   * @param {number} passed
   * @returns {Map<string, Caption>}
   */
  update(talks, position, passed) {
    const moved = this.position === null ? 0 : position - this.position;
    this.position = position;
    if (passed) this.pace += (Math.max(0, moved) / passed - this.pace) * Math.min(1, passed / SMOOTHING);
    const readable = talks.filter(({ span }) => span.last - span.first + 1 >= LEAST * this.pace);
    this.shown = new Map(readable.map((talk) => [talk.key, this.#captionOf(talk, moved > 0, passed)]));
    return this.shown;
  }

  /** @param {Talk} talk  @param {boolean} isPlaying  @param {number} passed */
  #captionOf({ key, speaker, words }, isPlaying, passed) {
    const known = this.shown.get(key);
    const age = (known?.age ?? 0) + passed;
    const isSame = known?.words === words && known.speaker === speaker;
    if (known && (isSame || (isPlaying && age < LEAST))) return { ...known, age };
    return { speaker, words, age: 0 };
  }
}
