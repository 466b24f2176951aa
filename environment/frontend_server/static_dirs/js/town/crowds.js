/** Which people are so close together, seen from afar, that a disc with their number stands for them. Pure functions. */

/** @import { Point } from "./camera.js" */
/** @import { Bounds } from "./cells.js" */

/**
 * @template T
 * @typedef {{people: T[], spot: Point, box: Bounds}} Crowd  their mean spot, and what encloses them
 */

/**
 * Returns the crowds among people: those in the same square of the town, if there are enough; crowds that would cover
 * each other are one. Squares stay where they are while the view moves, and are halved when it comes near.
 * @template T
 * @param {T[]} people
 * @param {{spotOf: (one: T) => Point, cell: number, least: number, apart: (one: number, other: number) => number}} options
 *   side of a square in town pixels, rounded to a power of two; people of a crowd; least way between two crowds of so many
 * @returns {Array<Crowd<T>>}  the largest first
 */
export function crowdsOf(people, { spotOf, cell, least, apart }) {
  const side = 2 ** Math.round(Math.log2(cell));
  /** @type {Map<string, T[]>} */
  const squares = new Map();
  for (const one of people) {
    const key = spotOf(one).map((part) => Math.floor(part / side)).join();
    if (squares.has(key)) squares.get(key).push(one);
    else squares.set(key, [one]);
  }
  /** @type {Array<Crowd<T>>} */
  const found = [];
  const dense = [...squares.values()].filter(({ length }) => length >= least).sort((one, other) => other.length - one.length);
  for (const members of dense) {
    const crowd = crowdOf(members, spotOf);
    const [x, y] = crowd.spot;
    const near = found.findIndex(({ people: others, spot }) => Math.hypot(spot[0] - x, spot[1] - y) < apart(others.length, members.length));
    if (near < 0) found.push(crowd);
    else found[near] = crowdOf([...found[near].people, ...members], spotOf);
  }
  return found;
}

/**
 * @template T
 * @param {T[]} people  @param {(one: T) => Point} spotOf  @returns {Crowd<T>}
 */
function crowdOf(people, spotOf) {
  const [xs, ys] = [0, 1].map((axis) => people.map((one) => spotOf(one)[axis]));
  const mean = (/** @type {number[]} */ parts) => parts.reduce((sum, part) => sum + part, 0) / parts.length;
  return { people, spot: [mean(xs), mean(ys)], box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] };
}
