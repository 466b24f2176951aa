/** The live page: the positions of every step reach the server, whatever fails. */

import assert from "node:assert/strict";
import { test } from "node:test";

const END = 5;
const FAILING = 2;
const there = { movement: [3, 4], pronunciatio: "", description: "", chat: null };

globalThis.document = { hidden: true, addEventListener: () => {} };
const { LiveRun } = await import("../../../environment/frontend_server/static_dirs/js/playback/live_run.js");

/** A slow environment server that loses the first report of one step. */
function server() {
  const heard = [];
  let deaf = true;
  let end;
  const done = new Promise((resolve) => (end = resolve));
  globalThis.fetch = async (url, { body }) => {
    const { step } = body ? JSON.parse(body) : {};
    if (url === "/update_environment/") {
      if (step < END) return Response.json({ persona: { Ann: there }, "<step>": step });
      end();
      return new Promise(() => {});
    }
    if (step === FAILING && deaf) {
      await new Promise((done) => setTimeout(done, 20)); // the previous report arrives meanwhile
      deaf = false;
      throw new TypeError("the connection was lost");
    }
    await new Promise((done) => setTimeout(done, 10));
    heard.push(step);
    return new Response("received");
  };
  return { heard, done };
}

test("every step is reported once and in order; a lost report is sent again", async () => {
  const { heard, done } = server();
  const state = { sim_code: "run", maze_name: "town", step: 0, reported: true, positions: { Ann: [3, 4] }, frame: {} };
  const live = new LiveRun(state, { walkTime: 0 });
  live.follow();
  await done;
  await new Promise((rest) => setTimeout(rest, 30));
  assert.deepEqual(heard, [1, 2, 3, 4, END]);
});

test("a page that goes on at a later step knows who has come before it draws them", async () => {
  const state = { sim_code: "run", maze_name: "town", step: 1, reported: true, positions: { Ann: [3, 4] }, frame: {} };
  const live = new LiveRun(state, { walkTime: 0 });
  const later = { ...state, step: 40, positions: { Ann: [3, 4], Bob: [1, 2] } };
  globalThis.fetch = async () => Response.json(later);
  const met = [];
  live.onFrame = async (frame) => met.push([Object.keys(frame), Object.keys(live.scene.after)]);
  await live.resume();
  assert.deepEqual(met, [[["Ann", "Bob"], ["Ann"]]]);
  assert.deepEqual(Object.keys(live.scene.after), ["Ann", "Bob"]);
  assert.equal(live.step, 40);
});

/** A server whose first answer for a step comes just too late, and which never has the files of some steps. */
function lateServer({ late, lost, end }) {
  let tries = 0;
  globalThis.fetch = async (url, { body } = {}) => {
    const { step } = body ? JSON.parse(body) : {};
    if (url.startsWith("/live/")) return Response.json({ step: end, positions: { Ann: [3, 4] }, frame: {} });
    if (url !== "/update_environment/") return new Response("received");
    if (step >= end) return new Promise(() => {});
    const found = !lost.includes(step) && (step !== late || tries++ > 0);
    return Response.json(found ? { persona: { Ann: there }, "<step>": step } : { "<step>": -1 });
  };
}

for (const [what, lost, walked] of [
  ["is walked as the others", [], [0, 1, 2, 3]],
  ["that never comes is left out, with those up to the present one", [2], [0, 1]],
]) {
  test(`a step whose request was answered just before it was computed ${what}`, async () => {
    lateServer({ late: 1, lost, end: 4 });
    const state = { sim_code: "run", maze_name: "town", step: 0, reported: true, positions: { Ann: [3, 4] }, frame: {} };
    const live = new LiveRun(state, { walkTime: 0 });
    const seen = [];
    live.onStep = (step) => seen.push(step);
    live.follow();
    while (live.step < 4) await new Promise((rest) => setTimeout(rest, 10));
    await new Promise((rest) => setTimeout(rest, 10));
    assert.deepEqual(seen, walked);
  });
}
