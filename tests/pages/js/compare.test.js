import assert from "node:assert/strict";
import { test } from "node:test";
import { ticks } from "../../../environment/frontend_server/static_dirs/js/compare/curves.js";
import { timelineUntil } from "../../../environment/frontend_server/static_dirs/js/playback/talks.js";
import { howAt, neighbour, onsets } from "../../../environment/frontend_server/static_dirs/js/compare/spans.js";

const SPANS = [{ first: 3, last: 5, how: 2 }, { first: 6, last: 6, how: 3 }, { first: 300, last: 400, how: 1 }];

test("a persona differs in the steps of the spans, and in no others", () => {
  for (let step = 0; step < 500; step += 1) {
    const span = SPANS.find(({ first, last }) => first <= step && step <= last);
    assert.equal(howAt(SPANS, step), span?.how ?? 0);
  }
  assert.equal(howAt([], 3), 0);
});

test("a difference begins where people were equal before; those who begin at about the same time are one", () => {
  const people = { Ada: SPANS, Ben: [{ first: 40, last: 50, how: 1 }], Cleo: [] };
  assert.deepEqual(onsets(people), [
    { step: 3, names: ["Ada", "Ben"] },
    { step: 300, names: ["Ada"] },
  ]);
  assert.deepEqual(onsets({}), []);
});

test("the next difference comes after a step, the last one before it", () => {
  const found = onsets({ Ada: SPANS });
  assert.equal(neighbour(found, 0, 1).step, 3);
  assert.equal(neighbour(found, 3, 1).step, 300);
  assert.equal(neighbour(found, 300, 1), null);
  assert.equal(neighbour(found, 300, -1).step, 3);
  assert.equal(neighbour(found, 3, -1), null);
});

test("ticks are whole, few, and reach no higher than the curve", () => {
  for (const most of [2, 5, 17, 25, 90, 1000]) {
    const found = ticks(most);
    assert.ok(found.length <= 7 && found.every(Number.isInteger) && found[0] === 0 && found.at(-1) <= most);
  }
});

test("until a step, nothing that comes later is known", () => {
  const talk = (first, last) => ({ first, last, names: ["Ada", "Ben"] });
  const days = [{ date: "2023-02-13", first: 0 }, { date: "2023-02-14", first: 90 }];
  const whole = { first: 0, steps: 100, conversations: [talk(3, 9), talk(40, 60), talk(50, 55)], days };
  const cut = timelineUntil(whole, 50);
  assert.deepEqual(cut, { first: 0, steps: 50, conversations: [talk(3, 9), talk(40, 49)], days: days.slice(0, 1) });
  assert.deepEqual(timelineUntil(whole, 1000), whole);
});
