/**
 * What was said in a visit: earlier conversations, the present one as the frames tell it, and own words that are not in
 * it yet. Pure.
 */

/** @import { Line } from "../playback/dialogue.js" */










const MOST = 200; // lines that are kept

export class Heard {
  /**
   * @param {string} name of the visitor  @param {?{past: Array<?Line>, current: Line[]}} kept  what `toJSON` returned
   */
  constructor(name, kept = null) {
    this.name = name;
    this.past = kept?.past ?? []; // [speaker, words] of conversations that are over; null between two of them
    this.current = kept?.current ?? [];
    /** @type {Array<{words: string}>} */
    this.pending = []; // words that were sent
  }

  /**
   * Takes the conversation of a frame; null if there is none.
   * @param {Line[]} chat  @returns {boolean} whether something is new
   */
  hear(chat) {
    const lines = chat ?? [];
    if (JSON.stringify(lines) === JSON.stringify(this.current)) return false;
    if (!continues(this.current, lines)) {
      this.past = [...this.past, ...this.current, null].slice(-MOST);
    }
    this.current = lines;
    const own = lines.filter(([speaker]) => speaker === this.name).map(([, words]) => words);
    this.pending = this.pending.filter(({ words }) => !own.slice(-2).some((said) => said.includes(oneLine(words))));
    return true;
  }

  /** Whether a conversation is the present one, perhaps with more lines. @param {Line[]} chat */
  goesOn(chat) {
    return this.current.length > 0 && continues(this.current, chat);
  }

  /** Notes words that were sent. @param {string} words  @returns {{words: string}} to be given to `refused` */
  sent(words) {
    const line = { words };
    this.pending.push(line);
    return line;
  }

  /** @param {{words: string}} line */
  refused(line) {
    this.pending = this.pending.filter((one) => one !== line);
  }

  /** All lines: {speaker, words, sent: whether it is not heard yet}; null between conversations. */
  get lines() {
    const said = (/** @type {?Line} */ line) => line && { speaker: line[0], words: line[1], sent: false };
    const past = this.current.length ? this.past : trimmed(this.past);
    return [
      ...[...past, ...this.current].map(said),
      ...this.pending.map(({ words }) => ({ speaker: this.name, words, sent: true })),
    ];
  }

  toJSON() {
    return { past: this.past, current: this.current };
  }
}

/**
 * Whether a conversation is an earlier state of another: the last line of a visitor may have grown.
 * @param {Line[]} before  @param {Line[]} after
 */
function continues(before, after) {
  if (!before.length) return true;
  if (after.length < before.length) return false;
  return before.every(([speaker, words], place) => after[place][0] === speaker && after[place][1].startsWith(words));
}

/** @param {Array<?Line>} lines */
function trimmed(lines) {
  return lines.at(-1) === null ? lines.slice(0, -1) : lines;
}

/** @param {string} text */
function oneLine(text) {
  return text.replace(/\s+/g, " ").trim();
}
