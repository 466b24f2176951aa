/** Laws of the playhead: it moves with time, waits for frames, rests on whole steps, never leaves the recording. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Player,
  SPEEDS,
  STEP_TIMES,
  nextConversation,
} from "../../../environment/frontend_server/static_dirs/js/story/player.js";

const FRAME = 1000 / 60;
const reel = (steps, here = () => true) => ({ steps, peek: (step) => (here(step) ? { step } : null) });

test("the six speeds of old last as many frames as before; those beyond are faster still", () => {
  assert.deepEqual(
    STEP_TIMES.slice(0, 6).map((time) => Math.round(time / FRAME)),
    [33, 17, 9, 5, 3, 2],
  );
  assert.equal(SPEEDS, 8);
  STEP_TIMES.slice(1).forEach((time, place) => assert.ok(time < STEP_TIMES[place]));
});

test("at every speed, time moves the playhead by time over the length of a step", () => {
  STEP_TIMES.forEach((time, place) => {
    const player = new Player(reel(1e6), { step: 10, speed: place + 1 });
    player.play();
    for (let frame = 0; frame < 100; frame += 1) player.tick(FRAME);
    assert.ok(Math.abs(player.place - 10 - (100 * FRAME) / time) < 1e-6);
  });
});

test("paused, it rests on a whole step and time changes nothing", () => {
  const player = new Player(reel(100), { step: 0, speed: 1 });
  player.play();
  player.tick(700);
  player.pause();
  assert.equal(player.place, 2);
  player.tick(10_000);
  assert.equal(player.place, 2);
  assert.equal(player.scene.fraction, 1);
});

test("it stops on the last step and begins anew when played again", () => {
  const player = new Player(reel(5), { step: 3, speed: 8 });
  player.play();
  player.tick(60_000);
  assert.equal(player.place, 4);
  assert.ok(player.ended && !player.playing);
  player.play();
  assert.equal(player.place, 0);
});

test("it waits where the recording has not arrived yet, and goes on when it has", () => {
  let come = 5;
  const player = new Player(
    reel(100, (step) => step <= come),
    { step: 0, speed: 6 },
  );
  player.play();
  for (let frame = 0; frame < 100; frame += 1) player.tick(FRAME);
  assert.ok(player.place <= 5);
  come = 50;
  for (let frame = 0; frame < 20; frame += 1) player.tick(FRAME);
  assert.ok(player.place > 5);
});

test("no wish leads out of the recording", () => {
  const player = new Player(reel(10), { step: 99, speed: 2 });
  assert.equal(player.step, 9);
  player.seek(-4);
  assert.equal(player.step, 0);
  player.nudge(-1);
  assert.equal(player.step, 0);
  player.seek(9);
  player.nudge(1);
  assert.equal(player.step, 9);
});

test("a nudge leads from one whole step to the next, from wherever it stands", () => {
  const player = new Player(reel(10), { step: 3, speed: 1 });
  player.play();
  player.tick(100);
  player.nudge(1);
  assert.equal(player.place, 4);
  player.play();
  player.tick(100);
  player.nudge(-1);
  assert.equal(player.place, 4);
});

test("between two steps both frames are shown, with the way from one to the other", () => {
  const player = new Player(reel(10), { step: 3, speed: 1 });
  player.play();
  player.tick(STEP_TIMES[0] / 4);
  assert.deepEqual([player.scene.before.step, player.scene.after.step], [3, 4]);
  assert.ok(Math.abs(player.scene.fraction - 0.25) < 1e-9);
});

test("the next conversation is the first that begins later", () => {
  const talks = [{ first: 3 }, { first: 8 }, { first: 8 }];
  assert.equal(nextConversation(talks, 3), talks[1]);
  assert.equal(nextConversation(talks, 8), null);
});
