/** The tree of branches: everything once, below what it came from, and compared with what differs in one thing. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { canRunOn, counterpart, forest, isOver, nodesOf } = await js("branching/branch_tree.js");

const saved = (sim_code, from = null, more = {}) => ({ sim_code, title: sim_code, from, begins: from && 100, moment: null, steps: 200, seed: 1, interventions: [], ...more });
const going = (name, from, state = "running") => ({ sim_code: name, title: "", from, state });
const names = (nodes) => nodes.flatMap(({ name, branches }) => [name, ...names(branches)]);

test("everything that is a branch, has one, or runs is there once; a run without branches is not", () => {
  const old = saved("old", "day", { begins: null }); // it does not say where it begins
  const nodes = nodesOf([saved("day"), saved("one", "day"), saved("two", "one"), saved("alone"), saved("orphan", "lost"), old]);
  const roots = forest(nodes, [going("one", "day@100"), going("new", "two@150+1"), going("again", "again")]);
  assert.deepEqual(names(roots).sort(), ["again", "day", "new", "one", "orphan", "two"]);
  const day = roots.find(({ name }) => name === "day");
  assert.deepEqual(names([day]), ["day", "one", "two", "new"]);
  assert.equal(day.branches[0].progress.state, "running");
  assert.equal(day.branches[0].branches[0].branches[0].step, 150);
});

test("a branch is compared with an untouched one of its moment, else with its origin, and only once it has run", () => {
  const whispered = { interventions: [{ step: 100, kind: "whisper" }] };
  const nodes = nodesOf([saved("day"), saved("one", "day", whispered), saved("twin", "day"), saved("later", "day", { begins: 120, seed: 2 })]);
  assert.equal(counterpart(nodes[1], nodes), "twin");
  assert.equal(counterpart(nodes[2], nodes), "day");
  assert.equal(counterpart(nodes[3], nodes), "day");
  assert.deepEqual(nodes.map(({ seed }) => seed), [null, null, null, 2]);
  assert.equal(counterpart({ ...nodes[1], steps: 100 }, nodes), null);
  assert.equal(counterpart(nodes[0], nodes), null);
});

test("what is done, stopped or failed is over", () => {
  assert.deepEqual(["waiting", "copying", "recomputing", "running", "done", "stopped", "failed"].filter((state) => isOver({ state })), ["done", "stopped", "failed"]);
});

test("what was ended early runs on from what was saved; what was never made, or came to its end, does not", () => {
  const node = (state, steps) => ({ progress: { state, until_step: 200 }, step: 100, steps });
  assert.ok(canRunOn(node("stopped", 150)));
  assert.ok(canRunOn(node("failed", 100)));
  assert.ok(!canRunOn(node("stopped", 0)));
  assert.ok(!canRunOn(node("done", 150)));
  assert.ok(!canRunOn(node("failed", 200)));
  assert.ok(!canRunOn({ progress: null, step: null, steps: 50 }));
});
