/** Laws of frames: merging of changes, walking between tiles, reading of descriptions. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Piece,
  between,
  heading,
  isAsleep,
  readDescription,
} from "../../../environment/frontend_server/static_dirs/js/story/frames.js";

const record = (x, doing = "idle") => ({
  movement: [x, 0],
  pronunciatio: "",
  description: `${doing} @ t:s:a:o`,
  chat: null,
});

/** A walk of three people in which everybody changes at another rhythm, and its changes. */
function walk(steps) {
  const whole = Array.from({ length: steps }, (_, step) => ({
    Ada: record(step),
    Ben: record(step >> 2),
    Cleo: record(7),
  }));
  const frames = {};
  whole.forEach((frame, step) => {
    const changed = Object.entries(frame).filter(
      ([name, now]) => !step || whole[step - 1][name].movement[0] !== now.movement[0],
    );
    frames[step] = Object.fromEntries(changed);
  });
  return { whole, answer: { first: 0, last: steps - 1, frames } };
}

test("whatever the order in which steps are asked for, the frame is the whole one", () => {
  const { whole, answer } = walk(40);
  const piece = new Piece(answer);
  for (const step of [0, 39, 3, 4, 5, 38, 0, 17, 16, 39]) assert.deepEqual(piece.at(step), whole[step]);
});

test("a piece that is joined from two answers is like one that came at once", () => {
  const { whole, answer } = walk(40);
  const cut = 23;
  const part = (first, last, frames) => ({ first, last, frames });
  const early = Object.fromEntries(Object.entries(answer.frames).filter(([step]) => Number(step) < cut));
  const late = Object.fromEntries(Object.entries(answer.frames).filter(([step]) => Number(step) >= cut));
  const piece = new Piece(part(0, cut - 1, early));
  piece.join(part(cut, 39, { ...late, [cut]: whole[cut] }));
  for (const step of [0, 22, 23, 24, 39, 1]) assert.deepEqual(piece.at(step), whole[step]);
});

test("a step without an entry changes nothing", () => {
  const piece = new Piece({ first: 5, last: 9, frames: { 5: { Ada: record(1) }, 8: { Ada: record(2) } } });
  assert.deepEqual(
    [5, 6, 7, 8, 9].map((step) => piece.at(step).Ada.movement[0]),
    [1, 1, 1, 2, 2],
  );
});

test("between two neighbouring tiles one walks evenly, over longer ways one jumps", () => {
  assert.deepEqual(between([3, 4], [4, 4], 0.25), [3.25, 4]);
  assert.deepEqual(between([3, 4], [3, 3], 1), [3, 3]);
  assert.deepEqual(between([3, 4], [9, 4], 0.5), [9, 4]);
  assert.deepEqual(between([3, 4], [9, 4], 0), [3, 4]);
});

test("one faces where one goes", () => {
  assert.deepEqual(
    [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
      [0, 0],
    ].map((to) => heading([0, 0], to)),
    ["right", "left", "down", "up", null],
  );
});

test("a description is cut at its last separator, a subtask is taken out of its task", () => {
  const read = readDescription("writing to ada @ home (sealing the letter) @ the Town:Ada's flat:main room:desk");
  assert.equal(read.doing, "sealing the letter");
  assert.equal(read.task, "writing to ada @ home");
  assert.deepEqual(read.place, { sector: "Ada's flat", arena: "main room", object: "desk" });
});

test("the special addresses are understood", () => {
  const place = (address) => readDescription(`x @ ${address}`).place;
  assert.deepEqual(place("<persona> Ben Reed"), { withPersona: "Ben Reed" });
  assert.deepEqual(place("<waiting> 12 34"), {});
  assert.deepEqual(place("the Town:Park:park:<random>"), { sector: "Park", arena: "park", object: "" });
  assert.deepEqual(place(""), { sector: "", arena: "", object: "" });
});

test("who sleeps is asleep; who dreams of sleeping is not", () => {
  assert.ok(isAsleep(record(0, "sleeping")));
  assert.ok(!isAsleep(record(0, "waking up from sleeping")));
});
