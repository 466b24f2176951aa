/** How fast a study goes on, from what the page has seen of it. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { Pace } = await js("study/pace.js");
const { share } = await js("study/words.js");

test("rate and end are those of the last minutes, whatever was before", () => {
  const pace = new Pace();
  for (let time = 0; time <= 1000; time += 2) pace.note(time, time);
  for (let time = 1002; time <= 2000; time += 2) pace.note(time, 1000 + 3 * (time - 1000));
  const { rate, left } = pace.estimate(4600);
  assert.ok(Math.abs(rate - 3) < 1e-9);
  assert.ok(Math.abs(left - 200) < 1e-9);
  assert.equal(pace.estimate(4000), null); // all is done
});

test("nothing is promised at first, or while nothing goes on", () => {
  const pace = new Pace();
  assert.equal(pace.estimate(10), null);
  pace.note(0, 5);
  pace.note(1, 6);
  assert.equal(pace.estimate(10), null);
  for (let time = 2; time <= 600; time += 2) pace.note(time, 6);
  assert.equal(pace.estimate(10), null);
});

test("the share of a run is that of its own steps, not of those before its moment", () => {
  assert.equal(share({ step: 150, first_step: 100, until_step: 200 }), 0.5);
  assert.equal(share({ step: 100, first_step: 100, until_step: 100 }), 1);
});
