/** The picture of the town: Tiled maps, pixels, light, camera, bubbles. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { tileRect, readCell, readLayers, tilesetOf } = await js("town/map/tiled.js");
const { cutTile, blend, paintTile } = await js("town/map/pixels.js");
const { skyAt } = await js("town/sky.js");
const { clampCentre, snapZoom } = await js("town/camera.js");
const { placeBubble, isCrowded } = await js("town/bubbles/bubble_layout.js");
const { tileOffsets } = await js("town/person_figure.js");

const cells = [1, 2, 0, 0x80000003];
const layer = (more) => ({ name: "Ground", type: "tilelayer", data: cells, ...more });
const map = (...layers) => ({ width: 2, height: 2, layers });
const base64 = (pack) => pack(Buffer.from(new Uint32Array(cells).buffer)).toString("base64");

test("layer data is read alike in every format that Tiled writes", async () => {
  const forms = [
    layer(),
    layer({ encoding: "csv" }),
    layer({ encoding: "base64", data: base64((bytes) => bytes) }),
    layer({ encoding: "base64", compression: "zlib", data: base64(deflateSync) }),
    layer({ encoding: "base64", compression: "gzip", data: base64(gzipSync) }),
    layer({
      data: undefined,
      chunks: [
        { x: 0, y: 0, width: 2, height: 1, data: cells.slice(0, 2) },
        { x: 0, y: 1, width: 2, height: 1, data: cells.slice(2) },
      ],
    }),
  ];
  for (const form of forms) {
    const [read] = await readLayers(map(form));
    assert.deepEqual([...read.cells], cells);
  }
});

test("layers in groups are drawn; marker layers and hidden layers are not", async () => {
  const names = ["Bottom Ground", "Collisions", "Arena Blocks", "Special Blocks Registry", "Interior Furniture L2 "];
  const group = { type: "group", name: "all", layers: names.map((name) => layer({ name })) };
  const hidden = layer({ name: "Secret", visible: false });
  const objects = { type: "objectgroup", name: "Things" };
  const drawn = await readLayers(map(group, hidden, objects, layer({ name: "Foreground L1" })));
  assert.deepEqual(
    drawn.map(({ name, above }) => [name, above]),
    [
      ["Bottom Ground", false],
      ["Interior Furniture L2 ", false],
      ["Foreground L1", true],
    ],
  );
  const walls = await readLayers(map(group), { collisions: true });
  assert.ok(walls.some(({ name }) => name === "Collisions"));
});

test("a tile is found in its tileset, for any margin, spacing and size", () => {
  const sets = [
    { firstgid: 1, columns: 4, tilewidth: 16, tileheight: 16, margin: 2, spacing: 1 },
    { firstgid: 33, imagewidth: 96, tilewidth: 32, tileheight: 48 },
  ];
  assert.deepEqual(tileRect(tilesetOf(sets, 6), 6), { x: 2 + 17, y: 2 + 17, width: 16, height: 16 });
  assert.deepEqual(tileRect(tilesetOf(sets, 37), 37), { x: 32, y: 48, width: 32, height: 48 });
  assert.equal(tilesetOf(sets, 0), null);
});

test("the three highest bits of a cell flip its tile, the others are its number", () => {
  assert.deepEqual(readCell(0xe0000007), { gid: 7, across: true, down: true, diagonal: true });
  assert.deepEqual(readCell(7), { gid: 7, across: false, down: false, diagonal: false });
});

const SOLID = 0xff000000;
const picture = (width, ...numbers) => ({
  width,
  height: numbers.length / width,
  pixels: Uint32Array.from(numbers, (n) => (SOLID + n) >>> 0),
});
const turned = (flips) => {
  const tile = cutTile(
    picture(2, 1, 2, 3, 4),
    { x: 0, y: 0, width: 2, height: 2 },
    { across: false, down: false, diagonal: false, ...flips },
  );
  return [...tile.pixels].map((pixel) => pixel & 0xff);
};

test("tiles are flipped as in Tiled", () => {
  assert.deepEqual(turned({}), [1, 2, 3, 4]);
  assert.deepEqual(turned({ across: true }), [2, 1, 4, 3]);
  assert.deepEqual(turned({ down: true }), [3, 4, 1, 2]);
  assert.deepEqual(turned({ diagonal: true }), [1, 3, 2, 4]);
  assert.deepEqual(turned({ diagonal: true, across: true }), [3, 1, 4, 2]); // a quarter turn to the right
});

test("painting stays inside the picture; transparent pixels change nothing", () => {
  const ground = picture(3, 1, 1, 1, 1, 1, 1, 1, 1, 1);
  const tile = {
    width: 2,
    height: 2,
    pixels: Uint32Array.from([SOLID + 9, 0, SOLID + 9, SOLID + 9].map((n) => n >>> 0)),
  };
  paintTile(ground, tile, 2, -1);
  paintTile(ground, tile, -1, 2);
  assert.deepEqual(
    [...ground.pixels].map((pixel) => pixel & 0xff),
    [1, 1, 9, 1, 1, 1, 1, 1, 1],
  );
});

test("a half transparent colour over another is their mean; over nothing it keeps its colour", () => {
  const [red, blue] = [0x800000ff, 0xffff0000];
  const mixed = blend(red, blue);
  assert.equal(mixed >>> 24, 255);
  assert.ok(Math.abs((mixed & 0xff) - 128) <= 1 && Math.abs(((mixed >>> 16) & 0xff) - 127) <= 1);
  assert.equal(blend(red, 0), red);
});

test("days are bright, nights are dim, and the light changes smoothly", () => {
  assert.deepEqual(skyAt(12), [255, 255, 255]);
  assert.ok(Math.max(...skyAt(2)) < 200);
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    const [one, next] = [skyAt(minute / 60), skyAt(((minute + 1) % 1440) / 60)];
    one.forEach((part, channel) => assert.ok(Math.abs(part - next[channel]) <= 4));
  }
});

test("zoom is rounded to steps on which map pieces meet on whole pixels", () => {
  for (let wish = 0.05; wish < 6; wish *= 1.07) {
    const zoom = snapZoom(wish, 0.2);
    assert.ok(Number.isInteger(576 * zoom));
    assert.ok(zoom <= 4);
  }
});

test("the view stays over the town; a town smaller than the view is centred", () => {
  assert.equal(clampCentre(0, 100, 1000), 50);
  assert.equal(clampCentre(990, 100, 1000), 950);
  assert.equal(clampCentre(400, 100, 1000), 400);
  assert.equal(clampCentre(3, 1200, 1000), 500);
});

test("bubbles never overlap and stay in view; those without room are hidden", () => {
  const view = { width: 900, height: 600 };
  const placed = [];
  const size = { width: 60, height: 26 };
  const wish = (number) => ({ x: 400 + 10 * (number % 5), bottom: 300 + 4 * (number % 3), ...size });
  const moves = Array.from({ length: 40 }, (_, number) => placeBubble(placed, wish(number), view));
  assert.equal(moves.filter(Boolean).length, placed.length);
  assert.ok(placed.length >= 10 && placed.length < 40);
  for (const one of placed) {
    assert.ok(one.x >= 30 && one.x <= 870 && one.bottom >= 26);
    for (const other of placed) {
      if (one === other) continue;
      assert.ok(Math.abs(one.x - other.x) >= 60 || Math.abs(one.bottom - other.bottom) >= 26);
    }
  }
});

test("a bubble with enough room stays at its preferred place", () => {
  assert.deepEqual(
    placeBubble([], { x: 100, bottom: 100, width: 60, height: 26 }, { width: 900, height: 600 }).map(Math.abs),
    [0, 0],
  );
});

test("a bubble leaves faces free if there is room nearby, and covers them only otherwise", () => {
  const wish = { x: 400, bottom: 300, width: 60, height: 26 };
  const view = { width: 900, height: 600 };
  const face = { x: 410, bottom: 295, width: 20, height: 30 };
  const [across, up] = placeBubble([], wish, view, [face]);
  const [left, top] = [wish.x + across, wish.bottom - up];
  assert.ok(Math.abs(left - face.x) >= 40 || top <= face.bottom - face.height || top - 26 >= face.bottom);
  const everywhere = { x: 400, bottom: 600, width: 900, height: 600 };
  assert.deepEqual(placeBubble([], wish, view, [everywhere]).map(Math.abs), [0, 0]);
});

test("a crowd is more than a family", () => {
  const spots = (count) => Array.from({ length: count }, (_, number) => [100 + 5 * number, 100]);
  assert.equal(isCrowded([100, 100], spots(4), 1), false);
  assert.equal(isCrowded([100, 100], spots(6), 1), true);
});

test("people on one tile stand side by side within it; one alone stands in its middle", () => {
  const frame = Object.fromEntries(["A", "B", "C", "D", "E", "F"].map((name) => [name, { movement: [4, 4] }]));
  const shares = tileOffsets({ ...frame, Alone: { movement: [1, 1] } });
  assert.equal(shares.get("Alone"), 0);
  const side = Object.keys(frame).map((name) => shares.get(name));
  assert.equal(new Set(side).size, 6);
  side.forEach((share) => assert.ok(Math.abs(share) < 0.5));
});
