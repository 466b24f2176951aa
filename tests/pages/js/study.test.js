/** How fast a study goes on, from what the page has seen of it. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { Rate } = await js("study/rate.js");
const { share } = await js("study/study_words.js");

test("rate and end are those of the last minutes, whatever was before", () => {
  const seen = new Rate();
  for (let time = 0; time <= 1000; time += 2) seen.note(time, time);
  for (let time = 1002; time <= 2000; time += 2) seen.note(time, 1000 + 3 * (time - 1000));
  const { rate, left } = seen.estimate(4600);
  assert.ok(Math.abs(rate - 3) < 1e-9);
  assert.ok(Math.abs(left - 200) < 1e-9);
  assert.equal(seen.estimate(4000), null); // all is done
});

test("nothing is promised at first, or while nothing goes on", () => {
  const seen = new Rate();
  assert.equal(seen.estimate(10), null);
  seen.note(0, 5);
  seen.note(1, 6);
  assert.equal(seen.estimate(10), null);
  for (let time = 2; time <= 600; time += 2) seen.note(time, 6);
  assert.equal(seen.estimate(10), null);
});

test("the share of a run is that of its own steps, not of those before its moment", () => {
  assert.equal(share({ step: 150, first_step: 100, until_step: 200 }), 0.5);
  assert.equal(share({ step: 100, first_step: 100, until_step: 100 }), 1);
});
