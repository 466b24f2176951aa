/** The list of people: found, grouped and ordered. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { ORDERS, groupPeople } = await js("panel/people_order.js");
const { Gazetteer } = await js("town/gazetteer.js");

const places = ["Cafe", "", "Park", "Cafe"];
const people = Array.from({ length: 40 }, (_, number) => ({
  name: `Person ${(number * 7) % 40}`,
  words: number % 3 ? "Reading a book" : "Sleeping",
  place: places[number % 4],
  isTalking: number % 5 === 0,
  isAwake: number % 3 !== 0,
  distance: (number * 13) % 40,
  isInView: (number * 13) % 40 < 12,
}));
const names = (groups) => groups.flatMap((group) => group.people.map(({ name }) => name));

test("in every order everyone is listed once, under a heading that is true of all below it", () => {
  const truths = {
    place: (group) => new Set(group.people.map(({ place }) => place)).size === 1,
    talking: (group) => new Set(group.people.map(({ isTalking }) => isTalking)).size === 1,
    near: ({ people: ones }) => ones.every((one, place) => !place || ones[place - 1].distance <= one.distance),
    awake: (group) => new Set(group.people.map(({ isAwake }) => isAwake)).size === 1,
    name: () => true,
  };
  for (const order of Object.keys(ORDERS)) {
    const groups = groupPeople(people, order, "");
    assert.deepEqual(names(groups).toSorted(), people.map(({ name }) => name).toSorted());
    for (const group of groups) assert.ok(group.people.length && truths[order](group), `${order}: ${group.heading}`);
  }
});

test("a search finds names, places and what people do, in any order of words", () => {
  assert.deepEqual(names(groupPeople(people, "name", "person 17")), ["Person 17"]);
  const readers = names(groupPeople(people, "place", "  book  CAFE "));
  const wanted = people.filter(({ words, place }) => words.includes("book") && place === "Cafe");
  assert.deepEqual(readers.toSorted(), wanted.map(({ name }) => name).toSorted());
  assert.deepEqual(groupPeople(people, "place", "nobody at all"), []);
});

test("a tile is in the smallest place around it; rooms tell apart sectors whose boxes overlap", () => {
  const places = new Gazetteer({
    sectors: [
      { name: "campus", box: [0, 0, 10, 10] },
      { name: "kiosk", box: [8, 8, 4, 4] },
    ],
    arenas: [{ sector: "campus", name: "hall", box: [8, 8, 2, 2] }],
  });
  assert.deepEqual([[1, 1], [8, 9], [10, 10], [20, 1]].map((tile) => places.sectorAt(tile)), ["campus", "campus", "kiosk", ""]);
});

test("a search finds objects by what people call them, but not everything in a place", () => {
  const address = (name) => `the Ville:Hobbs Cafe:kitchen:${name}`;
  const objects = ["cooking area", "kitchen sink"].map((name) => ({ name, address: address(name), tiles: [[1, 1]] }));
  const words = { "cooking area": ["stove", "плита"], "Hobbs Cafe": ["coffee shop", "кафе"] };
  const places = new Gazetteer({ objects, words });
  const found = (text) => places.find(text).map(({ object }) => object.name);
  for (const text of ["stove", "Stoves cafe", "плиту", "плита кафе"]) assert.deepEqual(found(text), ["cooking area"], text);
  assert.deepEqual(found("sink hobbs"), ["kitchen sink"]);
  for (const text of ["hobbs", "кафе", "piano"]) assert.deepEqual(found(text), [], text);
});
