/** Crowds that are too dense for a bubble each. Pure functions. */

/** @import { Point } from "./camera.js" */



/**
 * Finds people who stand close together, directly or by way of others.
 * @param {Point[]} spots of all people  @param {{reach: number, least: number}} options how near neighbours are, and
 *   the smallest number of people that is a crowd
 * @returns {number[][]} numbers of the spots in each crowd
 */
export function findClusters(spots, { reach, least }) {
  const left = new Set(spots.keys());
  const clusters = [];
  while (left.size) {
    const [start] = left;
    left.delete(start);
    const members = [start];
    for (const member of members) {
      const [x, y] = spots[member];
      const near = [...left].filter((other) => Math.hypot(spots[other][0] - x, spots[other][1] - y) <= reach);
      for (const other of near) left.delete(other);
      members.push(...near);
    }
    if (members.length >= least) clusters.push(members.toSorted((one, other) => one - other));
  }
  return clusters;
}

/** Returns the most frequent signs, each once. @param {string[]} signs  @param {number} most */
export function commonSigns(signs, most) {
  const counts = new Map();
  for (const sign of signs) if (sign) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts.keys()].toSorted((one, other) => counts.get(other) - counts.get(one)).slice(0, most);
}
