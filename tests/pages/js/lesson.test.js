/** The lesson: which steps are done, by what has happened in its town. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { STEPS, advanced, newRecord, nextStep } = await js("guiding/lesson_record.js");
const { firstSteps } = await js("guiding/first_minute.js");

globalThis.location = { pathname: "/simulator_home" };
const at = (time) => Date.parse(`2023-02-13T${time}:00Z`);
const status = (backend, more) => ({ sim_code: "lesson", backend, act: "yes", ...more });
const facts = (backend, time, more) => ({ status: status(backend), now: at(time), branches: [], ...more });
const planted = { number: 1, time: "2023-02-13T08:00:00", who: "Ada" };

test("steps are done in the order in which a class does them", () => {
  let record = { ...newRecord(), town: "lesson" };
  const next = (given, changes = {}) => nextStep((record = advanced({ ...record, ...changes }, given)));
  assert.equal(nextStep(record), "town");
  assert.equal(next(facts("waiting", "00:00")), "pause");
  assert.equal(next(facts("running", "08:00")), "pause");
  assert.equal(next(facts("paused", "08:00")), "plant");
  assert.equal(next(facts("running", "20:30")), "plant");
  assert.equal(next(facts("running", "19:59"), { planted }), "evening");
  assert.equal(next(facts("waiting", "20:00")), "look");
  assert.equal(next(facts("waiting", "20:00"), { done: [...record.done, "look", "follow"], branch: "without" }), "branch");
  const branch = (state) => facts("waiting", "20:00", { branches: [{ sim_code: "without", state }] });
  assert.equal(next(branch("running")), "branch");
  assert.equal(next(branch("done")), "compare");
  assert.equal(next(facts("stopped", "00:00"), { done: [...record.done, "compare"] }), null);
  assert.deepEqual(record.done, STEPS);
});

test("another town, or none, is not that of the lesson; the evening is that of the same day", () => {
  const record = { ...newRecord(), town: "lesson", planted };
  const other = advanced(record, { ...facts("running", "21:00"), status: status("running", { sim_code: "mine" }) });
  assert.deepEqual(other.done, ["pause", "plant"]);
  assert.deepEqual(advanced(record, { status: null, now: 0, branches: [] }).done, ["pause", "plant"]);
  const later = { ...facts("running", "06:00"), now: Date.parse("2023-02-14T06:00:00Z") };
  assert.ok(advanced(record, later).done.includes("evening"));
  assert.equal(nextStep(advanced(newRecord(), facts("running", "09:00"))), "town");
});

test("whoever has no keys is not told of the space bar", () => {
  for (const isLive of [true, false])
    for (const byTouch of [true, false]) {
      const told = firstSteps({ isLive, mayBranch: true, byTouch }, { act: "yes" }).map(({ text }) => text).join(" ");
      assert.equal(/space bar|[Cc]lick/.test(told), !byTouch);
    }
});

test("the first minute offers only what is there, and says where the rest is", () => {
  const texts = (page, given) => firstSteps(page, given).map(({ text }) => text);
  for (const isLive of [true, false])
    for (const act of ["yes", "no", "sign in", undefined]) {
      const steps = firstSteps({ isLive, mayBranch: act === "yes" }, { act });
      assert.equal(steps.length, 4);
      assert.equal(steps[2].at.includes("[data-tab=do]"), isLive && act === "yes");
      assert.equal(steps[3].text.includes("Branch here"), act === "yes");
    }
  assert.notDeepEqual(texts({ isLive: true, mayBranch: true }, { act: "yes" }), texts({ isLive: false, mayBranch: true }, { act: "yes" }));
  assert.match(texts({ isLive: false, mayBranch: false }, { act: "no" })[2], /town that runs/);
});
