/** An index of spots by square cells, so that looking for those in view costs what is in view, not the whole town. Pure. */

/** @import { Point } from "./camera.js" */
/** @typedef {[number, number, number, number]} Bounds  left, top, right and bottom */

/** @template T */
export class Cells {
  /** @param {number} size of a cell, in the unit of the spots */
  constructor(size) {
    this.size = size;
    /** @type {Map<string, Map<T, Point>>} */
    this.cells = new Map();
    /** @type {Map<T, string>} */
    this.homes = new Map(); // the cell of each
  }

  /** Adds one, or moves it. @param {T} one  @param {Point} spot */
  put(one, spot) {
    const home = this.#cellOf(spot);
    if (this.homes.get(one) !== home) {
      this.delete(one);
      this.homes.set(one, home);
      if (!this.cells.has(home)) this.cells.set(home, new Map());
    }
    this.cells.get(home).set(one, spot);
  }

  /** @param {T} one */
  has(one) {
    return this.homes.has(one);
  }

  /** @param {T} one */
  delete(one) {
    const home = this.homes.get(one);
    if (home === undefined) return;
    this.homes.delete(one);
    const cell = this.cells.get(home);
    cell.delete(one);
    if (!cell.size) this.cells.delete(home);
  }

  /** Those whose spot is inside bounds, edges included. @param {Bounds} bounds  @returns {T[]} */
  within([left, top, right, bottom]) {
    const found = [];
    for (const cell of this.#cellsIn([left, top, right, bottom]))
      for (const [one, [x, y]] of cell) if (x >= left && x <= right && y >= top && y <= bottom) found.push(one);
    return found;
  }

  /** The cells that bounds touch, or all if those are fewer. @param {Bounds} bounds */
  #cellsIn([left, top, right, bottom]) {
    const [first, last, begin, end] = [left, right, top, bottom].map((edge) => Math.floor(edge / this.size));
    if ((last - first + 1) * (end - begin + 1) > this.cells.size) return this.cells.values();
    const touched = [];
    for (let row = begin; row <= end; row += 1)
      for (let column = first; column <= last; column += 1) {
        const cell = this.cells.get(`${column} ${row}`);
        if (cell) touched.push(cell);
      }
    return touched;
  }

  /** @param {Point} spot */
  #cellOf([x, y]) {
    return `${Math.floor(x / this.size)} ${Math.floor(y / this.size)}`;
  }
}

/**
 * The part of the town that a view shows, and a margin around it, in town pixels.
 * @param {{scrollX: number, scrollY: number, width: number, height: number, zoom: number}} view
 * @param {number} margin  in device pixels  @returns {Bounds}
 */
export function boundsOf({ scrollX, scrollY, width, height, zoom }, margin = 0) {
  const more = margin / zoom;
  return [scrollX - more, scrollY - more, scrollX + width / zoom + more, scrollY + height / zoom + more];
}
