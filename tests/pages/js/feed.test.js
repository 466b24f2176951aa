/** The feed: every entry once and in order, filtered, repeats folded, and none from the future. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { FeedLog, GROUPS, chosenEntries, countUntil, foldEntries, groupOf } = await js("feed/feed_log.js");

const kinds = ["talk_begins", "arrives", "begins", "intervention", "talk_ends"];
const entry = (step) => ({
  id: `entry ${step}`,
  step,
  kind: kinds[step % 5],
  names: [`Person ${step % 3}`],
  text: `something ${Math.floor(step / 10)}`,
});
const all = Array.from({ length: 60 }, (_, step) => entry(step));

test("entries that are read in pieces, twice or out of order are listed once, by step; talks only when they begin", () => {
  const log = new FeedLog();
  assert.ok(log.add({ last: 29, entries: all.slice(0, 30) }));
  assert.ok(!log.add({ last: 29, entries: all.slice(20, 30) }));
  log.add({ last: 59, entries: all.slice(25).toReversed() });
  assert.deepEqual(log.entries, all.filter(({ kind }) => kind !== "talk_ends"));
  assert.equal(log.last, 59);
  assert.deepEqual(log.acts, all.filter(({ kind }) => kind === "intervention"));
});

test("when the run has gone back, what was told of later steps is forgotten, and told anew", () => {
  const log = new FeedLog();
  log.add({ last: 59, entries: all });
  log.add({ last: 20, entries: [] });
  assert.ok(log.entries.every(({ step }) => step <= 20));
  log.add({ last: 25, entries: [{ ...entry(21), text: "otherwise" }] });
  assert.equal(log.entries.at(-1).text, "otherwise");
});

test("filters of kind and person hold for every entry, and lose none", () => {
  for (const group of Object.keys(GROUPS)) {
    const found = chosenEntries(all, new Set([group]), "Person 1");
    const wanted = all.filter(({ kind, names }) => groupOf(kind) === group && names[0] === "Person 1");
    assert.deepEqual(found, wanted);
  }
});

test("the newest entry comes first; repeats are one row that counts them, and no entry is lost", () => {
  const entries = all.filter(({ kind }) => kind === "begins");
  const rows = foldEntries(entries);
  assert.equal(rows.reduce((sum, { count }) => sum + count, 0), entries.length);
  assert.equal(rows[0].entry, entries.at(-1));
  rows.slice(1).forEach(({ entry: one }, place) => assert.ok(one.step < rows[place].entry.step && one.text !== rows[place].entry.text));
});

test("until a step, there is nothing from the future", () => {
  for (let step = -1; step <= 60; step += 1)
    assert.deepEqual(all.slice(0, countUntil(all, step)), all.filter((one) => one.step <= step));
});
