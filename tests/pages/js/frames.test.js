/** Frames: merging changes, positions between tiles, parsing descriptions. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Chunk,
  positionBetween,
  direction,
  isAsleep,
  parseDescription,
} from "../../../environment/frontend_server/static_dirs/js/playback/frames.js";

const record = (x, doing = "idle") => ({
  movement: [x, 0],
  pronunciatio: "",
  description: `${doing} @ t:s:a:o`,
  chat: null,
});

/** A walk of three people who change at different rates: complete frames, and changes. */
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

test("frames are complete, in whatever order steps are requested", () => {
  const { whole, answer } = walk(40);
  const piece = new Chunk(answer);
  for (const step of [0, 39, 3, 4, 5, 38, 0, 17, 16, 39]) assert.deepEqual({ ...piece.at(step) }, whole[step]);
});

test("a chunk from two responses equals one from a single response", () => {
  const { whole, answer } = walk(40);
  const cut = 23;
  const part = (first, last, frames) => ({ first, last, frames });
  const early = Object.fromEntries(Object.entries(answer.frames).filter(([step]) => Number(step) < cut));
  const late = Object.fromEntries(Object.entries(answer.frames).filter(([step]) => Number(step) >= cut));
  const piece = new Chunk(part(0, cut - 1, early));
  piece.append(part(cut, 39, { ...late, [cut]: whole[cut] }));
  for (const step of [0, 22, 23, 24, 39, 1]) assert.deepEqual({ ...piece.at(step) }, whole[step]);
});

test("people come and go, whichever way one seeks", () => {
  const piece = new Chunk({ first: 0, last: 5, frames: { 0: { Ada: record(1) }, 2: { Ben: record(2) }, 4: { Ada: null } } });
  const there = (step) => Object.keys(piece.at(step)).join();
  assert.deepEqual([0, 1, 2, 3, 4, 5, 3, 0, 5].map(there), "Ada Ada Ada,Ben Ada,Ben Ben Ben Ada,Ben Ada Ben".split(" "));
});

test("only who is in town is in a frame, whatever people are called", () => {
  const names = ["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "__proto__"];
  const change = JSON.parse(`{${names.map((name) => `"${name}": ${JSON.stringify(record(3))}`).join()}}`);
  const piece = new Chunk({ first: 0, last: 2, frames: { 0: { Ada: record(1) }, 1: change, 2: { Ada: null } } });
  for (const name of names) assert.equal(piece.at(0)[name], undefined);
  assert.deepEqual(Object.keys(piece.at(2)), names);
  for (const name of names) assert.deepEqual(piece.at(2)[name], record(3));
});

test("a step without an entry changes nothing", () => {
  const piece = new Chunk({ first: 5, last: 9, frames: { 5: { Ada: record(1) }, 8: { Ada: record(2) } } });
  assert.deepEqual(
    [5, 6, 7, 8, 9].map((step) => piece.at(step).Ada.movement[0]),
    [1, 1, 1, 2, 2],
  );
});

test("a move to a neighbouring tile is walked evenly, a longer one is a jump", () => {
  assert.deepEqual(positionBetween([3, 4], [4, 4], 0.25), [3.25, 4]);
  assert.deepEqual(positionBetween([3, 4], [3, 3], 1), [3, 3]);
  assert.deepEqual(positionBetween([3, 4], [9, 4], 0.5), [9, 4]);
  assert.deepEqual(positionBetween([3, 4], [9, 4], 0), [3, 4]);
});

test("people face the direction of their move", () => {
  assert.deepEqual(
    [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
      [0, 0],
    ].map((to) => direction([0, 0], to)),
    ["right", "left", "down", "up", null],
  );
});

test("a description is split at its last separator, and its subtask from its task", () => {
  const read = parseDescription("writing to ada @ home (sealing the letter) @ the Town:Ada's flat:main room:desk");
  assert.equal(read.doing, "sealing the letter");
  assert.equal(read.task, "writing to ada @ home");
  assert.deepEqual(read.place, { sector: "Ada's flat", arena: "main room", object: "desk" });
});

test("special addresses are parsed", () => {
  const place = (address) => parseDescription(`x @ ${address}`).place;
  assert.deepEqual(place("<persona> Ben Reed"), { withPersona: "Ben Reed" });
  assert.deepEqual(place("<waiting> 12 34"), {});
  assert.deepEqual(place("the Town:Park:park:<random>"), { sector: "Park", arena: "park", object: "" });
  assert.deepEqual(place(""), { sector: "", arena: "", object: "" });
});

test("only descriptions that begin with sleeping count as asleep", () => {
  assert.ok(isAsleep(record(0, "sleeping")));
  assert.ok(!isAsleep(record(0, "waking up from sleeping")));
});
