/** Acting: what one may do, places of a map, walks by keys, and what was said in a visit. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { mayAct, wayToAsk } = await js("acting/powers.js");
const { Places, labelAreas } = await js("acting/places.js");
const { Walker } = await js("visiting/walker.js");
const { Heard } = await js("visiting/heard.js");
const { findObjects } = await js("panel/object_search.js");

const status = (more) => ({ sim_code: "town", backend: "running", act: "yes", engine: { state: "open" }, ...more });

test("a question goes to the open simulation, else to the engine; without the right or an engine, nowhere", () => {
  assert.equal(wayToAsk(null, "town"), "no");
  assert.equal(wayToAsk(status(), "town"), "open");
  assert.equal(wayToAsk(status(), "other"), "saved");
  assert.equal(wayToAsk(status({ backend: "stopped" }), "town"), "saved");
  assert.equal(wayToAsk(status({ engine: { state: "none" } }), "other"), "start");
  assert.equal(wayToAsk(status({ act: "sign in" }), "town"), "sign in");
  assert.equal(wayToAsk(status({ act: "no" }), "town"), "no");
  for (const act of ["no", "sign in", undefined]) assert.ok(!mayAct(status({ act }), "town"));
});

const walls = ["1111111", "1000001", "1011101", "1000001", "1111111", "0111111"];
const stove = { address: "W:Cafe:kitchen:stove", name: "stove", tiles: [[2, 3]] };
const places = new Places({
  world: "W",
  sectors: [{ name: "Cafe", box: [0, 0, 7, 3] }],
  arenas: [
    { sector: "Cafe", name: "hall", box: [0, 0, 7, 3] },
    { sector: "Cafe", name: "kitchen", box: [0, 0, 3, 3] },
  ],
  objects: [stove],
  walls,
});

test("a click on furniture means the object that is used from beside it", () => {
  assert.equal(places.objectAt([2, 3]), stove);
  assert.equal(places.objectAt([2, 2]), stove); // a wall above the tile
  assert.equal(places.objectAt([3, 3]), null); // one can stand there
  assert.deepEqual(places.spotsOf(stove), [[2.5, 3]]);
});

test("rooms within rooms are told apart, and walks end at walls", () => {
  assert.equal(places.arenaAt([1, 1]).name, "kitchen");
  assert.equal(places.arenaAt([5, 1]).name, "hall");
  assert.equal(places.reach([1, 1], [1, 0], 9), 4);
  assert.equal(places.reach([1, 1], [0, -1], 9), 0);
});

test("an object is found by what people call it, in any form of the word and together with its place", () => {
  const cooking = { address: "the Ville:Hobbs Cafe:kitchen:cooking area" };
  const words = { "cooking area": ["stove", "плита"], kitchen: ["кухня"] };
  const called = (text) => findObjects([cooking], text, words).map(({ called }) => called);
  assert.deepEqual(called("stove"), ["stove"]);
  assert.deepEqual(called("Stoves HOBBS"), ["stove"]);
  assert.deepEqual(called("плиту кухни"), ["плита"]);
  assert.deepEqual(called("cook"), [""]); // by its own name
  assert.deepEqual(called("stove piano"), []);
  assert.deepEqual(called("love"), []);
  assert.equal(findObjects([cooking], "", words).length, 1);
});

test("one arrives outdoors, where there is a way to most of the map", () => {
  const { labels, width, largest } = labelAreas(walls);
  assert.notEqual(labels[5 * width], largest); // cut off
  assert.equal(places.sectorAt(places.arrivalNear([0, 5])), null);
  assert.deepEqual(places.arrivalNear([0, 5]), [1, 3]);
});

/** A walker whose requests wait until they are let through. */
function walking() {
  const sent = [];
  const visit = { tile: [1, 1], sent, open: () => {} };
  visit.walker = new Walker({
    places,
    tileOf: () => visit.tile,
    send: (tile) => {
      sent.push(tile);
      return new Promise((done) => (visit.open = done));
    },
  });
  return visit;
}

const settled = () => new Promise((done) => setTimeout(done));

test("several taps are as many tiles, and only the newest goal is sent while a request is underway", async () => {
  const { walker, sent, ...visit } = walking();
  for (let tap = 0; tap < 3; tap += 1) {
    walker.press([1, 0]);
    walker.tick();
    walker.release([1, 0]);
  }
  assert.deepEqual(sent, [[2, 1]]);
  assert.deepEqual(walker.goal, [4, 1]);
  void visit;
});

test("a key that is held walks up to the wall, and none walks into it", async () => {
  const visit = walking();
  visit.walker.press([0, -1]);
  assert.deepEqual(visit.sent, []);
  visit.walker.release([0, -1]);
  visit.walker.press([1, 0]);
  visit.walker.press([1, 0]); // it repeats
  visit.open();
  await settled();
  visit.tile = [2, 1];
  visit.walker.tick();
  assert.deepEqual(visit.sent.at(-1), [5, 1]);
});

test("what was sent is shown until it is heard, and earlier conversations stay", () => {
  const heard = new Heard("Ada");
  const line = heard.sent("Hello\n there");
  assert.deepEqual(heard.lines, [{ speaker: "Ada", words: "Hello\n there", sent: true }]);
  heard.hear([["Ada", "Hello there"]]);
  assert.deepEqual(
    heard.lines.map(({ sent }) => sent),
    [false],
  );
  heard.hear([
    ["Ada", "Hello there friend"],
    ["Ben", "Hi"],
  ]); // a turn that has grown is the same conversation
  assert.equal(heard.lines.length, 2);
  assert.ok(heard.goesOn([...heard.current, ["Ada", "Bye"]]));
  assert.ok(!heard.goesOn([["Ben", "Hi"], ["Cleo", "Hello"]]));
  heard.hear(null);
  assert.ok(!heard.goesOn([["Ben", "Hi"]]));
  heard.hear([["Cleo", "You again"]]);
  assert.deepEqual(
    heard.lines.map((one) => one?.words ?? null),
    ["Hello there friend", "Hi", null, "You again"],
  );
  heard.refused(line);
  const kept = new Heard("Ada", JSON.parse(JSON.stringify(heard)));
  assert.deepEqual(kept.lines, heard.lines);
});
