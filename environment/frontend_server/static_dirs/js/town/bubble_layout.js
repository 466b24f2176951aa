/**
 * Places speech bubbles so that none covers another, nor a face if possible. A box is {x (centre), bottom, width,
 * height} in pixels. Pure functions.
 */

const GAP = 2;
const ROWS = 6;
const COLUMNS = [0, -0.55, 0.55, -1.1, 1.1]; // of a bubble's width
const FACE_COST = 3.5; // how far a bubble moves to leave a face free, in bubble heights
const CROWD = 4; // more neighbours than this are a crowd
const NEAR = { across: 60, down: 50 };

/**
 * Finds the free place nearest to a bubble's preferred one, inside the view, and adds it to `placed`.
 * @param {Object[]} placed boxes  @param {Object} wish preferred box, with its tail  @param {Object} view size
 * @param {Object[]} faces boxes to leave free if possible: a bubble over a face would seem to belong to it
 * @returns {?number[]} offset [across, up]; null if there is no room nearby
 */
export function placeBubble(placed, wish, view, faces = []) {
  let [best, least] = [null, Infinity];
  for (const move of movesOf(wish.width, wish.height + GAP)) {
    if (length(move) >= least) break; // moves are sorted by length
    const box = moved(wish, move);
    if (!isFree(placed, box, view)) continue;
    const reach = length(move) ? withTail(box) : box;
    const hidden = faces.filter((face) => overlaps(face, reach)).length;
    const cost = length(move) + FACE_COST * wish.height * hidden;
    if (cost < least) [best, least] = [move, cost];
  }
  if (best) placed.push(moved(wish, best));
  return best;
}

/** Whether too many people are near for names to fit. @param {number[][]} spots of all people */
export function isCrowded([x, y], spots, density) {
  const near = (spot) => Math.abs(spot[0] - x) < NEAR.across * density && Math.abs(spot[1] - y) < NEAR.down * density;
  return spots.filter(near).length > CROWD; // includes the person at [x, y]
}

const known = new Map();

/** Returns the moves to try, shortest first; cached by size. */
function movesOf(width, height) {
  const key = `${width} ${height}`;
  if (!known.has(key)) {
    const rows = Array.from({ length: ROWS }, (_, row) => row * height);
    const moves = rows.flatMap((up) => COLUMNS.map((column) => [column * width, up]));
    known.set(
      key,
      moves.sort((one, other) => length(one) - length(other)),
    );
  }
  return known.get(key);
}

function length([across, up]) {
  return Math.abs(across) + up;
}

function moved(box, [across, up]) {
  return { ...box, x: box.x + across, bottom: box.bottom - up };
}

function withTail({ tail = 0, ...box }) {
  return { ...box, bottom: box.bottom + tail, height: box.height + tail };
}

function isFree(placed, box, view) {
  const outside = box.bottom < box.height || box.x < box.width / 2 || box.x > view.width - box.width / 2;
  return !outside && !placed.some((other) => overlaps(other, box));
}

function overlaps(one, other) {
  const across = Math.abs(one.x - other.x) < (one.width + other.width) / 2 + GAP;
  return across && one.bottom - one.height < other.bottom && other.bottom - other.height < one.bottom;
}
