/** When people differ: spans of steps {first, last, how} by person. Pure functions. */

const NEAR = 60; // steps; people who begin to differ within this time are one difference

/** How people differ, from little to much; the numbers are those of the server. */
export const HOW = { place: 1, doing: 2, talk: 3, absent: 4 };

/**
 * Returns how a persona differs in a step; 0 if not.
 * @typedef {{first: number, last: number, how: number}} DifferentSpan
 * @param {DifferentSpan[]} spans  @param {number} step
 */
export function howAt(spans, step) {
  let [low, high] = [0, spans.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const { first, last, how } = spans[middle];
    if (step < first) high = middle - 1;
    else if (step > last) low = middle + 1;
    else return how;
  }
  return 0;
}

/**
 * Returns when people begin to differ after having been equal, by step.
 * @typedef {{step: number, names: string[]}} Onset
 * @param {Record<string, DifferentSpan[]>} people  @returns {Onset[]}
 */
export function onsets(people) {
  const begins = Object.entries(people).flatMap(([name, spans]) =>
    spans.filter(({ first }, place) => !place || spans[place - 1].last < first - NEAR).map(({ first }) => ({ step: first, name })),
  );
  begins.sort((one, other) => one.step - other.step);
  /** @type {Onset[]} */
  const found = [];
  for (const { step, name } of begins) {
    const last = found.at(-1);
    if (!last || step - last.step > NEAR) found.push({ step, names: [name] });
    else if (!last.names.includes(name)) last.names.push(name);
  }
  return found;
}

/**
 * Returns the next onset after a step, or before it; null if there is none.
 * @param {Onset[]} found  @param {number} step  @param {1|-1} direction
 */
export function neighbour(found, step, direction) {
  return (direction > 0 ? found.find((each) => each.step > step) : found.findLast((each) => each.step < step)) ?? null;
}
