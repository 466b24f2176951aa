/** What is written on the map: names of places, and badges for crowds. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { namesAt, opacityAt } = await js("town/map/name_layout.js");
const { commonSigns, findClusters } = await js("town/bubbles/bubble_layout.js");

const ZOOMS = Array.from({ length: 400 }, (_, step) => 0.05 + step / 100);

test("names of places never collide, at any zoom, and each is shown at some", () => {
  const labels = Array.from({ length: 60 }, (_, number) => ({
    kind: ["sector", "home", "arena"][number % 3],
    x: 40 * ((number * 37) % 100),
    y: 32 * ((number * 23) % 90),
    width: 60 + (number % 5) * 20,
    height: 15 * (1 + (number % 3)),
    room: 300,
  }));
  const seen = new Set();
  for (const zoom of ZOOMS) {
    const shown = namesAt(labels, zoom);
    shown.forEach((label, place) => {
      seen.add(label);
      for (const other of shown.slice(place + 1)) {
        const apart = Math.abs(label.x - other.x) * zoom >= (label.width + other.width) / 2;
        assert.ok(apart || Math.abs(label.y - other.y) * zoom >= (label.height + other.height) / 2);
      }
    });
  }
  assert.equal(seen.size, labels.length);
});

test("names fade: no kind appears or vanishes at once", () => {
  for (const kind of ["sector", "home", "arena"]) {
    const values = ZOOMS.map((zoom) => opacityAt(kind, zoom));
    assert.ok(values.every((value) => value >= 0 && value <= 1) && values.includes(1));
    values.slice(1).forEach((value, place) => assert.ok(Math.abs(value - values[place]) < 0.15));
  }
});

test("a crowd stands close together, directly or by way of others; no one is in two", () => {
  const line = Array.from({ length: 6 }, (_, number) => [number * 25, 0]);
  const spots = [[900, 900], ...line, [400, 0], [410, 0], [420, 5]];
  assert.deepEqual(findClusters(spots, { reach: 30, least: 4 }), [[1, 2, 3, 4, 5, 6]]);
  assert.deepEqual(findClusters(spots, { reach: 30, least: 3 }), [[1, 2, 3, 4, 5, 6], [7, 8, 9]]);
  assert.equal(findClusters(spots, { reach: 30, least: 1 }).flat().length, spots.length);
});

test("a badge has the most frequent signs, each once", () => {
  assert.deepEqual(commonSigns(["a", "b", "b", "", "c", "b", "c"], 2), ["b", "c"]);
});
