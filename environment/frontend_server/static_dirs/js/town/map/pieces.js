/** Which pieces of a large map a view needs, and which of those that were painted are kept. Pure. */

import { PIECE } from "./tiled.js";
/** @import { PiecePlace } from "./piece_painter.js" */
/** @import { View } from "../camera.js" */

/** @typedef {{width: number, height: number}} Size  of a map, in its pixels */

/** The level whose pieces are shown at a zoom: at 0.25, those painted at a quarter of the size. @param {number} zoom */
export function levelAt(zoom) {
  return Math.max(0, Math.floor(Math.log2(1 / zoom) + 0.01));
}

/** @param {PiecePlace} place */
export function keyOf({ level, column, row }) {
  return `${level} ${column} ${row}`;
}

/**
 * Returns the pieces of a level that a view shows, those in its middle first, then a row of neighbours around them.
 * @param {Pick<View, "scrollX"|"scrollY"|"width"|"height"|"zoom">} view  @param {number} level  @param {Size} map
 * @returns {{seen: PiecePlace[], near: PiecePlace[]}}
 */
export function piecesIn(view, level, map) {
  const side = PIECE * 2 ** level;
  const [left, top] = [view.scrollX / side, view.scrollY / side];
  const [right, bottom] = [left + view.width / view.zoom / side, top + view.height / view.zoom / side];
  const last = { column: Math.ceil(map.width / side) - 1, row: Math.ceil(map.height / side) - 1 };
  const away = (/** @type {PiecePlace} */ { column, row }) => Math.hypot(column + 0.5 - (left + right) / 2, row + 0.5 - (top + bottom) / 2);
  const seen = /** @type {PiecePlace[]} */ ([]);
  const near = /** @type {PiecePlace[]} */ ([]);
  for (let row = Math.max(0, Math.floor(top) - 1); row <= Math.min(last.row, Math.ceil(bottom)); row += 1)
    for (let column = Math.max(0, Math.floor(left) - 1); column <= Math.min(last.column, Math.ceil(right)); column += 1) {
      const isSeen = column + 1 > left && column < right && row + 1 > top && row < bottom;
      (isSeen ? seen : near).push({ level, column, row });
    }
  const nearest = (/** @type {PiecePlace} */ one, /** @type {PiecePlace} */ other) => away(one) - away(other);
  return { seen: seen.sort(nearest), near: near.sort(nearest) };
}

/** @template T  what is kept, and how many bytes it takes; what was not used for longest is given up first */
export class Shelf {
  /** @param {number} budget  in bytes  @param {(one: T) => void} giveUp */
  constructor(budget, giveUp) {
    this.budget = budget;
    this.giveUp = giveUp;
    /** @type {Map<string, {one: T, bytes: number}>} */
    this.kept = new Map();
    this.bytes = 0;
  }

  /** @param {string} key  @param {T} one  @param {number} bytes */
  add(key, one, bytes) {
    this.kept.set(key, { one, bytes });
    this.bytes += bytes;
  }

  /** @param {string} key */
  has(key) {
    return this.kept.has(key);
  }

  /** What is kept under a key, which is now the one that was used last. @param {string} key  @returns {?T} */
  use(key) {
    const found = this.kept.get(key);
    if (!found) return null;
    this.kept.delete(key);
    this.kept.set(key, found);
    return found.one;
  }

  /** All that is kept. @returns {T[]} */
  get all() {
    return [...this.kept.values()].map(({ one }) => one);
  }

  /** Gives up what is beyond the budget, but nothing that is needed now. @param {Set<string>} needed */
  tidy(needed) {
    for (const [key, { one, bytes }] of this.kept) {
      if (this.bytes <= this.budget) return;
      if (needed.has(key)) continue;
      this.kept.delete(key);
      this.bytes -= bytes;
      this.giveUp(one);
    }
  }
}
