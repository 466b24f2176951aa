/** The playhead: it moves with time, waits for frames, pauses on whole steps, stays inside the recording. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Player,
  SPEEDS,
  nextConversation,
  stepTime,
} from "../../../environment/frontend_server/static_dirs/js/playback/player.js";

const FRAME = 1000 / 60;
const loader = (steps, here = () => true) => ({ steps, peek: (step) => (here(step) ? { step } : null) });

test("at every speed the playhead moves by so many game seconds in a second, whatever a step takes", () => {
  SPEEDS.forEach((rate, place) => {
    for (const secondsPerStep of [10, 60]) {
      const player = new Player(loader(1e6), { step: 10, speed: place + 1, secondsPerStep });
      player.play();
      for (let frame = 0; frame < 120; frame += 1) player.tick(FRAME);
      assert.ok(Math.abs((player.position - 10) * secondsPerStep - 2 * rate) < 1e-6);
    }
  });
  assert.equal(SPEEDS.length, 8);
  assert.deepEqual(SPEEDS, SPEEDS.toSorted((one, other) => one - other));
});

test("a paused playhead is on a whole step and does not move", () => {
  const player = new Player(loader(100), { step: 0, speed: 3, secondsPerStep: 10 });
  player.play();
  player.tick(200);
  player.pause();
  assert.equal(player.position, 2);
  player.tick(10_000);
  assert.equal(player.position, 2);
  assert.equal(player.scene.fraction, 1);
});

test("it stops on the last step, and starts over when played again", () => {
  const player = new Player(loader(5), { step: 3, speed: 8, secondsPerStep: 10 });
  player.play();
  player.tick(60_000);
  assert.equal(player.position, 4);
  assert.ok(player.ended && !player.playing);
  player.play();
  assert.equal(player.position, 0);
});

test("it waits while frames are loading, and continues when they are loaded", () => {
  let come = 5;
  const player = new Player(
    loader(100, (step) => step <= come),
    { step: 0, speed: 6, secondsPerStep: 10 },
  );
  player.play();
  for (let frame = 0; frame < 100; frame += 1) player.tick(FRAME);
  assert.ok(player.position <= 5);
  come = 50;
  for (let frame = 0; frame < 20; frame += 1) player.tick(FRAME);
  assert.ok(player.position > 5);
});

test("it never leaves the recording", () => {
  const player = new Player(loader(10), { step: 99, speed: 3, secondsPerStep: 10 });
  assert.equal(player.step, 9);
  player.seek(-4);
  assert.equal(player.step, 0);
  player.stepBy(-1);
  assert.equal(player.step, 0);
  player.seek(9);
  player.stepBy(1);
  assert.equal(player.step, 9);
});

test("a single step leads to the next whole step, from any position", () => {
  const player = new Player(loader(10), { step: 3, speed: 3, secondsPerStep: 10 });
  player.play();
  player.tick(100);
  player.stepBy(1);
  assert.equal(player.position, 4);
  player.play();
  player.tick(100);
  player.stepBy(-1);
  assert.equal(player.position, 4);
});

test("between two steps the scene has both frames and the fraction between them", () => {
  const player = new Player(loader(10), { step: 3, speed: 3, secondsPerStep: 10 });
  player.play();
  player.tick(stepTime(3, 10) / 4);
  assert.deepEqual([player.scene.before.step, player.scene.after.step], [3, 4]);
  assert.ok(Math.abs(player.scene.fraction - 0.25) < 1e-9);
});

test("the next conversation is the first one that begins later", () => {
  const talks = [{ first: 3 }, { first: 8 }, { first: 8 }];
  assert.equal(nextConversation(talks, 3), talks[1]);
  assert.equal(nextConversation(talks, 8), null);
});
