/** The tree of branches: everything once, below what it came from, and compared with what differs in one thing. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { counterpart, forest, isOver } = await js("branching/branch_tree.js");

const saved = (name, origin = null, more = {}) => ({ name, title: name, origin, step: origin && 100, moment: null, seed: null, untouched: false, steps: 200, ...more });
const going = (name, from, state = "running") => ({ sim_code: name, title: "", from, state });
const names = (nodes) => nodes.flatMap(({ name, branches }) => [name, ...names(branches)]);

test("everything that is a branch, has one, or runs is there once; a run without branches is not", () => {
  const tree = [saved("day"), saved("one", "day"), saved("two", "one"), saved("alone"), saved("orphan", "lost")];
  const roots = forest({ tree, branches: [going("one", "day@100"), going("new", "two@150+1"), going("again", "again")] });
  assert.deepEqual(names(roots).sort(), ["again", "day", "new", "one", "orphan", "two"]);
  const day = roots.find(({ name }) => name === "day");
  assert.deepEqual(names([day]), ["day", "one", "two", "new"]);
  assert.equal(day.branches[0].progress.state, "running");
  assert.equal(day.branches[0].branches[0].branches[0].step, 150);
});

test("a branch is compared with an untouched one of its moment, else with its origin, and only once it has run", () => {
  const tree = [saved("day"), saved("one", "day"), saved("twin", "day", { untouched: true }), saved("later", "day", { step: 120 })];
  assert.equal(counterpart(tree[1], tree), "twin");
  assert.equal(counterpart(tree[2], tree), "day");
  assert.equal(counterpart(tree[3], tree), "day");
  assert.equal(counterpart({ ...tree[1], steps: 100 }, tree), null);
  assert.equal(counterpart(tree[0], tree), null);
});

test("what is done, stopped or failed is over", () => {
  assert.deepEqual(["waiting", "copying", "recomputing", "running", "done", "stopped", "failed"].filter((state) => isOver({ state })), ["done", "stopped", "failed"]);
});
