/**
 * Where bubbles hang so that none covers another, nor a face if there is a way. A box is {x: its middle, bottom, width,
 * height} in pixels. Pure.
 */

const GAP = 2;
const ROWS = 6;
const COLUMNS = [0, -0.55, 0.55, -1.1, 1.1]; // of a bubble's width
const ASIDE = 3.5; // of a bubble's height: so far one makes room for a face
const CROWD = 4; // so many others near by make a crowd
const NEAR = { across: 60, down: 50 };

/**
 * A free place for a bubble, inside the view and as near as possible to the one it would like; it then counts as placed.
 * @param {Object[]} placed boxes  @param {Object} wish box, with the length of its tail  @param {Object} view its size
 * @param {Object[]} faces boxes that are left free where there is room near by; over them a moved bubble would seem theirs
 * @returns {?number[]} how far it moves: [across, up]; null if there is no room near by
 */
export function findRoom(placed, wish, view, faces = []) {
  let [best, least] = [null, Infinity];
  for (const move of movesOf(wish.width, wish.height + GAP)) {
    if (length(move) >= least) break; // all that follow are farther
    const box = moved(wish, move);
    if (!isFree(placed, box, view)) continue;
    const reach = length(move) ? withTail(box) : box;
    const hidden = faces.filter((face) => overlaps(face, reach)).length;
    const cost = length(move) + ASIDE * wish.height * hidden;
    if (cost < least) [best, least] = [move, cost];
  }
  if (best) placed.push(moved(wish, best));
  return best;
}

/** Whether so many others are near that there is no room for names. @param {number[][]} spots of everybody */
export function isCrowded([x, y], spots, density) {
  const near = (spot) => Math.abs(spot[0] - x) < NEAR.across * density && Math.abs(spot[1] - y) < NEAR.down * density;
  return spots.filter(near).length > CROWD; // oneself is among them
}

const known = new Map();

/** All moves that are tried, from the shortest on; worked out once for every size. */
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
