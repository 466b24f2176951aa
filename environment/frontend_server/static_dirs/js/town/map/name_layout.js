/** Which names of places are shown at a zoom: they fade, and never collide. Pure functions. */

const GAP = 6; // screen pixels between two names
const MOST = 1.7; // of the width of its place that a name may take
/** @type {Record<string, [number, number, number, number]>} */
const FADES = {
  sector: [0, 0, 1.8, 2.6], // zooms at which names begin to appear, are opaque, begin to vanish, are gone
  home: [0.34, 0.46, 1.8, 2.6],
  arena: [1.05, 1.5, Infinity, Infinity],
};

/**
 * @typedef {{kind: string, x: number, y: number, width: number, height: number, room: number}} Label centre and
 *   width of the place in town pixels, size of the name on screen
 */

/** Opacity of a name at a zoom (screen pixels per town pixel), 0 to 1. @param {string} kind  @param {number} zoom */
export function opacityAt(kind, zoom) {
  const [begin, full, fade, end] = FADES[kind];
  if (zoom < full) return Math.max(0, (zoom - begin) / (full - begin));
  return zoom > fade ? Math.max(0, (end - zoom) / (end - fade)) : 1;
}

/**
 * Returns the labels that fit at a zoom, important ones first.
 * @template {Label} T
 * @param {T[]} labels by importance  @param {number} zoom  @returns {T[]}
 */
export function namesAt(labels, zoom) {
  /** @type {T[]} */
  const shown = [];
  for (const label of labels) {
    const fits = opacityAt(label.kind, zoom) > 0 && label.width <= MOST * label.room * zoom;
    if (fits && !shown.some((other) => collide(label, other, zoom))) shown.push(label);
  }
  return shown;
}

/** @param {Label} one  @param {Label} other  @param {number} zoom */
function collide(one, other, zoom) {
  const across = Math.abs(one.x - other.x) * zoom < (one.width + other.width) / 2 + GAP;
  return across && Math.abs(one.y - other.y) * zoom < (one.height + other.height) / 2 + GAP;
}

/**
 * Breaks a text into lines that are not wider than a room, unless a word is.
 * @param {string} text  @param {number} room  @param {(words: string) => number} measure returns the width of some words
 * @returns {Array<{text: string, width: number}>}
 */
export function wordLines(text, room, measure) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && measure(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((words) => ({ text: words, width: measure(words) }));
}
