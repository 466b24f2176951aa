/** Receipts and failures: what became of what was asked for, in words and clock times. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { doneText, refusedText } = await js("acting/receipts.js");
const { dismiss, isDismissed } = await js("branching/dismissed.js");
const { Clock, timeText } = await js("playback/clock.js");

const clock = new Clock("2023-02-13T00:00:00", 10);
const timeOf = (step) => timeText(clock.at(step));

test("a receipt says what happened, and when, by the clock of the town", () => {
  const done = (request, ack) => doneText(request, ack, timeOf);
  const change = { request: "intervene", kind: "state" };
  assert.equal(done({ request: "run" }, { step: 2520 }), "begun at 07:00");
  assert.equal(done({ request: "save" }, { step: 2580 }), "done at 07:10");
  assert.equal(done({ request: "close" }, {}), "done");
  assert.equal(done({ ...change, steps: 360 }, { step: 2520, said: ["on fire until step 2,880"] }), "from 07:00 to 08:00");
  assert.equal(done({ ...change, until: 2880 }, { step: 2520 }), "from 07:00 to 08:00");
  assert.equal(done(change, { step: 2520, said: ["step 2,520: stove is on fire"] }), "happened at 07:00");
  const whisper = { request: "intervene", kind: "whisper" };
  assert.equal(done(whisper, { step: 2520, said: ["Maria remembers until step 2,880: cafe > stove"] }), "happened at 07:00: Maria remembers until 08:00: cafe · stove");
  assert.equal(refusedText("Nobody is there at step 2520.", timeOf), "refused: Nobody is there at 07:00.");
});

test("a failure that was dismissed stays away, until the branch fails again", () => {
  const kept = {};
  globalThis.localStorage = { getItem: (name) => kept[name] ?? null, setItem: (name, value) => (kept[name] = value) };
  const failure = { state: "failed", sim_code: "b", first_step: 10, step: 20, fault: "no key" };
  assert.equal(isDismissed(failure), false);
  dismiss(failure);
  assert.equal(isDismissed(failure), true);
  assert.equal(isDismissed({ ...failure, step: 30 }), false);
  assert.equal(isDismissed({ ...failure, state: "running" }), false);
  kept["ville.dismissed"] = "damaged";
  assert.equal(isDismissed(failure), false);
});
