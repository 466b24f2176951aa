/**
 * Places speech bubbles so that none covers another, nor a face if possible, and finds crowds too dense for a bubble
 * each. A box is {x (centre), bottom, width,
 * height} in pixels. Pure functions.
 */

import { Cells } from "../cells.js";
/** @import { Point } from "../camera.js" */








const GAP = 2;
const ROWS = 6;
const COLUMNS = [0, -0.55, 0.55, -1.1, 1.1]; // of a bubble's width
const WIDE_ROWS = 16; // of a wide bubble, each a third of its height
const WIDE_COLUMNS = [0, 0.25, 0.5, 0.75, 1, 1.4, 1.9]; // of the way that its tail can slide, to either side
const SLIDING = 0.15; // cost of a move that only slides the tail
const FACE_COST = 10; // how far a bubble moves to leave a face free, in heights of its tail
const CROWD = 4; // more neighbours than this are a crowd
const NEAR = { across: 60, down: 50 };

/**
 * @typedef {{x: number, bottom: number, width: number, height: number}} BubbleBox  centre and lower edge
 * @typedef {BubbleBox & {tail?: number, slide?: number, most?: number}} WishedBox  preferred box, with the height of its
 *   tail; `slide`: how far the tail can be from its middle; `most`: how far the box may be from its place
 * @typedef {{move: Point, effort: number}} Move
 */

/**
 * Finds the free place nearest to a bubble's preferred one, inside the view, and adds it to `placed`.
 * @param {BubbleBox[]} placed  @param {WishedBox} wish  @param {{width: number, height: number}} view size
 * @param {BubbleBox[]} faces boxes to leave free if possible: a bubble over a face would seem to belong to it
 * @returns {?Point} offset [across, up]; null if there is no room nearby
 */
export function placeBubble(placed, wish, view, faces = []) {
  const faceCost = FACE_COST * (wish.tail ?? wish.height / 3);
  const { moves, across, up } = movesOf(wish);
  const reachable = withTail({ ...wish, width: wish.width + 2 * across, height: wish.height + up });
  const [others, covered] = [placed, faces].map((boxes) => boxes.filter((box) => overlaps(box, reachable)));
  /** @type {?Point} */
  let best = null;
  let least = Infinity;
  for (const { move, effort } of moves) {
    if (effort >= least || effort > (wish.most ?? Infinity)) break; // moves are sorted by effort
    const box = moved(wish, move);
    if (!isFree(others, box, view)) continue;
    const reach = effort ? withTail(box) : box;
    const cost = effort + faceCost * covered.filter((face) => overlaps(face, reach)).length;
    if (cost < least) [best, least] = [move, cost];
  }
  if (best) placed.push(moved(wish, best));
  return best;
}

/**
 * Whether too many people are near for names to fit.
 * @param {Point} spot  @param {Point[]} spots of all people  @param {number} density
 */
export function isCrowded([x, y], spots, density) {
  const near = (/** @type {Point} */ spot) => Math.abs(spot[0] - x) < NEAR.across * density && Math.abs(spot[1] - y) < NEAR.down * density;
  return spots.filter(near).length > CROWD; // includes the person at [x, y]
}

/** @type {Map<string, {moves: Move[], across: number, up: number}>} */
const known = new Map();

/** Returns the moves to try, least effort first, and the widest of them; cached by size. @param {WishedBox} wish */
function movesOf({ width, height, slide = 0 }) {
  const key = `${width} ${height} ${slide}`;
  if (!known.has(key)) {
    const columns = slide
      ? WIDE_COLUMNS.flatMap((share) => (share ? [-share * slide, share * slide] : [0]))
      : COLUMNS.map((column) => column * width);
    const [rows, row] = slide ? [WIDE_ROWS, height / 3] : [ROWS, height + GAP];
    const moves = Array.from({ length: rows }, (_, number) => number * row).flatMap((up) =>
      columns.map((across) => ({ move: /** @type {Point} */ ([across, up]), effort: effortOf(across, up, slide) })),
    );
    moves.sort((one, other) => one.effort - other.effort);
    known.set(key, { moves, across: Math.max(...columns), up: (rows - 1) * row });
  }
  return known.get(key);
}

/** @param {number} across  @param {number} up  @param {number} slide */
function effortOf(across, up, slide) {
  const way = Math.abs(across);
  return up + Math.max(0, way - slide) + SLIDING * Math.min(way, slide);
}

/**
 * @template {BubbleBox} T
 * @param {T} box  @param {Point} move  @returns {T}
 */
function moved(box, [across, up]) {
  return { ...box, x: box.x + across, bottom: box.bottom - up };
}

/** @param {WishedBox} box  @returns {BubbleBox} */
function withTail({ tail = 0, ...box }) {
  return { ...box, bottom: box.bottom + tail, height: box.height + tail };
}

/** @param {BubbleBox[]} placed  @param {BubbleBox} box  @param {{width: number}} view */
function isFree(placed, box, view) {
  const outside = box.bottom < box.height || box.x < box.width / 2 || box.x > view.width - box.width / 2;
  return !outside && !placed.some((other) => overlaps(other, box));
}

/** @param {BubbleBox} one  @param {BubbleBox} other */
function overlaps(one, other) {
  const across = Math.abs(one.x - other.x) < (one.width + other.width) / 2 + GAP;
  return across && one.bottom - one.height < other.bottom && other.bottom - other.height < one.bottom;
}

/**
 * Finds people who stand close together, directly or by way of others.
 * @param {Point[]} spots of all people  @param {{reach: number, least: number}} options how near neighbours are, and
 *   the smallest number of people that is a crowd
 * @returns {number[][]} numbers of the spots in each crowd
 */
export function findClusters(spots, { reach, least }) {
  /** @type {Cells<number>} */
  const left = new Cells(reach);
  spots.forEach((spot, number) => left.put(number, spot));
  const clusters = [];
  for (const start of spots.keys()) {
    if (!left.has(start)) continue;
    left.delete(start);
    const members = [start];
    for (const member of members) {
      const [x, y] = spots[member];
      const near = left.within([x - reach, y - reach, x + reach, y + reach]).filter((other) => Math.hypot(spots[other][0] - x, spots[other][1] - y) <= reach);
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
