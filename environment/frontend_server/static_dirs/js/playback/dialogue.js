/**
 * When the lines of a conversation are said. Movement files have the whole conversation in each of its steps, so the
 * lines are spread over the steps by their length. A position is a number of steps: 7.5 is halfway from step 7 to 8.
 * Pure functions.
 */

const BREATH = 25; // characters that a pause between two lines counts
const CHARACTERS_PER_MINUTE = 8 * 30; // as the backend reckons how long a conversation takes
const SENTENCE_END = /(?<=[.!?…]["”»’)]?)\s+/u;
const CLAUSE_END = /(?<=[,;:—–])\s+/u;

/**
 * @typedef {[string, string]} Line  who says what
 * @typedef {{first: number, last: number}} Span  the first and the last step of a conversation
 */

/**
 * Returns the positions at which the lines begin: the first one as the first step begins, none after the last step.
 * @param {Line[]} chat  @param {Span} span
 */
export function lineStarts(chat, { first, last }) {
  const weights = chat.map(([, words]) => words.length + BREATH);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  return weights.map((weight) => {
    const start = first - 1 + ((last - first + 1) * before) / whole;
    before += weight;
    return start;
  });
}

/**
 * Returns how many lines have begun at a position, at least one.
 * @param {Line[]} chat  @param {Span} span  @param {number} position
 */
export function linesSaid(chat, span, position) {
  const later = lineStarts(chat, span).findIndex((start) => start >= position);
  return later < 0 ? chat.length : Math.max(1, later);
}

/**
 * Returns what is being said at a position: the part of the current line that fits into a bubble.
 * @param {Line[]} chat  @param {Span} span  @param {number} position  @param {number} most characters of a part
 * @returns {{line: number, speaker: string, words: string}}
 */
export function spokenAt(chat, span, position, most) {
  const line = linesSaid(chat, span, position) - 1;
  const starts = [...lineStarts(chat, span), span.last];
  const [speaker, words] = chat[line];
  const parts = partsOf(words, most);
  const share = (position - starts[line]) / (starts[line + 1] - starts[line] || 1);
  const goal = Math.min(1, Math.max(0, share)) * words.length;
  let passed = 0;
  const part = Math.max(0, parts.findIndex((text) => (passed += text.length + 1) > goal));
  return { line, speaker, words: withEllipses(parts, part) };
}

/**
 * Returns the last step of a conversation that has not ended yet, as the backend will probably have it: the minutes
 * that its words take, from the next full minute.
 * @param {Line[]} chat  @param {number} first  @param {number} secondsPerStep
 */
export function expectedLast(chat, first, secondsPerStep) {
  const characters = chat.reduce((sum, [speaker, words]) => sum + speaker.length + words.length + 3, 0);
  const minutes = Math.max(1, Math.ceil(characters / CHARACTERS_PER_MINUTE));
  const begin = Math.ceil((first * secondsPerStep) / 60);
  return Math.max(first, Math.ceil(((begin + minutes) * 60) / secondsPerStep) - 1);
}

/**
 * Splits a text into parts of at most `most` characters: after sentences, else after clauses, else between words.
 * @param {string} words  @param {number} most
 */
export function partsOf(words, most) {
  return [SENTENCE_END, CLAUSE_END, /\s+/u].reduce(
    (parts, border) => parts.flatMap((part) => (part.length > most ? joined(part.split(border), most) : [part])),
    [words.trim()],
  );
}

/** Marks where a part breaks off a sentence, and goes on with it. @param {string[]} parts  @param {number} number */
function withEllipses(parts, number) {
  const isBroken = (/** @type {number} */ place) => place >= 0 && place < parts.length - 1 && !/[.!?…]["”»’)]?$/u.test(parts[place]);
  return `${isBroken(number - 1) ? "… " : ""}${parts[number]}${isBroken(number) ? " …" : ""}`;
}

/** Joins neighbours as long as they fit. @param {string[]} pieces  @param {number} most  @returns {string[]} */
function joined(pieces, most) {
  /** @type {string[]} */
  const parts = [];
  for (const piece of pieces) {
    const longer = parts.length ? `${parts.at(-1)} ${piece}` : piece;
    if (parts.length && longer.length <= most) parts[parts.length - 1] = longer;
    else parts.push(piece);
  }
  return parts;
}
