/** What makes a city bearable: an index of spots, crowds, pieces of the map, parts of lists. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { Cells } = await js("town/cells.js");
const { crowdsOf } = await js("town/crowds.js");
const { findClusters } = await js("town/bubbles/bubble_layout.js");
const { Shelf, keyOf, levelAt, piecesIn } = await js("town/map/pieces.js");
const { levelsOf } = await js("town/map/piece_painter.js");
const { halved } = await js("town/map/pixels.js");
const { snapZoom } = await js("town/camera.js");
const { firstOf } = await js("panel/people_order.js");
const { stepsOfChunk } = await js("playback/frame_loader.js");

/** Numbers that look random, always the same. */
function* chance(seed) {
  for (let state = seed; ; ) yield (state = (state * 48271) % 2147483647) / 2147483647;
}

const spots = (count, seed = 7) => {
  const next = chance(seed);
  return Array.from({ length: count }, () => [900 * next.next().value, 500 * next.next().value]);
};

test("those within bounds are those that a search through all finds, also after they have moved or left", () => {
  const cells = new Cells(64);
  const all = new Map(spots(300).map((spot, one) => [one, spot]));
  for (const [one, spot] of all) cells.put(one, spot);
  for (const [one, spot] of spots(100, 11).entries()) all.set(one, spot), cells.put(one, spot);
  for (const one of [5, 50, 250]) all.delete(one), cells.delete(one);
  for (const [left, top, right, bottom] of [[0, 0, 900, 500], [100, 100, 101, 400], [-50, -50, 30, 30], [64, 64, 128, 128], [2000, 0, 3000, 9]]) {
    const inside = [...all].filter(([, [x, y]]) => x >= left && x <= right && y >= top && y <= bottom).map(([one]) => one);
    assert.deepEqual(cells.within([left, top, right, bottom]).sort(), inside.sort());
  }
});

test("people are in one crowd if a chain of neighbours leads from one to the other", () => {
  const all = spots(120);
  const reach = 45;
  const leader = all.map((_, one) => one);
  const find = (one) => (leader[one] === one ? one : find(leader[one]));
  for (const [one, [x, y]] of all.entries())
    for (const [other, [toX, toY]] of all.entries()) if (Math.hypot(x - toX, y - toY) <= reach) leader[find(one)] = find(other);
  const groups = new Map();
  for (const one of all.keys()) groups.set(find(one), [...(groups.get(find(one)) ?? []), one]);
  const wanted = [...groups.values()].filter(({ length }) => length >= 4).map((group) => group.toSorted((one, other) => one - other).join());
  assert.deepEqual(findClusters(all, { reach, least: 4 }).map((group) => group.join()).sort(), wanted.sort());
});

test("everybody is in at most one crowd, crowds are large enough and never cover each other", () => {
  const options = { spotOf: (one) => one, cell: 100, least: 5, apart: () => 60 };
  const crowds = crowdsOf(spots(400), options);
  assert.ok(crowds.length > 3);
  const members = crowds.flatMap(({ people }) => people);
  assert.equal(new Set(members).size, members.length);
  for (const { people, spot, box } of crowds) {
    assert.ok(people.length >= 5);
    assert.ok(spot[0] >= box[0] && spot[0] <= box[2] && spot[1] >= box[1] && spot[1] <= box[3]);
  }
});

test("the pieces of a view cover it, and no others are taken for seen; those around it follow", () => {
  const map = { width: 22912, height: 16832 };
  for (const [zoom, scrollX, scrollY] of [[1, 3000, 2000], [0.3, -400, 0], [0.05, 0, 9000], [2, 22000, 16500]]) {
    const level = Math.min(4, levelAt(zoom));
    const view = { scrollX, scrollY, width: 1280, height: 720, zoom };
    const { seen, near } = piecesIn(view, level, map);
    const side = 576 * 2 ** level;
    const touched = new Set();
    for (let y = Math.max(0, scrollY); y < Math.min(map.height, scrollY + 720 / zoom); y += side / 7)
      for (let x = Math.max(0, scrollX); x < Math.min(map.width, scrollX + 1280 / zoom); x += side / 7)
        touched.add(keyOf({ level, column: Math.floor(x / side), row: Math.floor(y / side) }));
    const keys = new Set(seen.map(keyOf));
    for (const key of touched) assert.ok(keys.has(key), key);
    for (const place of near) assert.ok(!keys.has(keyOf(place)));
    for (const { column, row } of [...seen, ...near]) assert.ok(column >= 0 && row >= 0 && column * side < map.width && row * side < map.height);
  }
});

test("a shelf gives up what was not used for longest, but nothing that is needed", () => {
  const gone = [];
  const shelf = new Shelf(30, (one) => gone.push(one));
  for (const key of ["a", "b", "c", "d"]) shelf.add(key, key, 10);
  assert.equal(shelf.use("a"), "a");
  shelf.tidy(new Set(["b"]));
  assert.deepEqual(gone, ["c"]);
  assert.equal(shelf.bytes, 30);
  shelf.budget = 0;
  shelf.tidy(new Set(["b"]));
  assert.deepEqual(gone, ["c", "d", "a"]);
});

test("half a picture has the mean colours, and what is clear has none", () => {
  const [red, clear] = [0xff0000ff, 0x00ff0000];
  const half = halved({ width: 4, height: 2, pixels: Uint32Array.of(red, red, clear, red, red, red, clear, clear) });
  assert.deepEqual([half.width, half.height], [2, 1]);
  assert.deepEqual([...half.pixels], [red, 0x400000ff]);
});

test("tiles are halved as often as they can be", () => {
  assert.deepEqual([[32, 32], [32, 48], [16, 18], [15]].map(levelsOf), [5, 5, 2, 1]);
});

test("from afar zooms are finer, and pieces still meet on whole pixels", () => {
  for (let wish = 0.01; wish < 0.3; wish *= 1.03) {
    const zoom = snapZoom(wish, 0.004);
    const side = 576 * 2 ** Math.min(2, levelAt(zoom));
    assert.ok(Number.isInteger(side * zoom), `${zoom}`);
    assert.ok(Math.abs(zoom - wish) <= 1 / 128);
  }
});

test("the first people of groups are listed, and each group tells how many it has", () => {
  const groups = [3, 4, 2].map((size, place) => ({ heading: `place ${place}`, people: Array.from({ length: size }, (_, one) => one) }));
  assert.deepEqual(firstOf(groups, 5).map(({ people, count }) => [people.length, count]), [[3, 3], [2, 4]]);
  assert.deepEqual(firstOf(groups, 99).map(({ people }) => people.length), [3, 4, 2]);
});

test("a town of twenty-five loads as many steps as ever; of a city, few", () => {
  assert.equal(stepsOfChunk(25), 500);
  assert.equal(stepsOfChunk(50), 500);
  assert.equal(stepsOfChunk(1000), 25);
  assert.ok(stepsOfChunk(1_000_000) >= 1);
});
