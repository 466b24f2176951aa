/** Laws of asking: a fault is told, and asked again, with growing pauses, until there is an answer. */

import assert from "node:assert/strict";
import { test } from "node:test";

const { Refused, faultWords, get, insist, patience } =
  await import("../../../environment/frontend_server/static_dirs/js/server.js");

test("pauses grow, and end growing", () => {
  const pauses = Array.from({ length: 40 }, (_, number) => patience(number + 1));
  assert.ok(pauses[0] > 0 && pauses[1] > pauses[0] && pauses[2] > pauses[1]);
  pauses.slice(1).forEach((pause, place) => assert.ok(pause >= pauses[place]));
  assert.equal(new Set(pauses.slice(10)).size, 1);
});

test("each fault is told with its reason, and that it is over; between two tries time passes", async () => {
  const answers = [
    () => Promise.reject(new TypeError("network")),
    () => Promise.resolve(Response.json({ error: "5.json: chat is not a list." }, { status: 422 })),
    () => Promise.resolve(Response.json({ done: true })),
  ];
  const [told, pauses] = [[], []];
  const later = globalThis.setTimeout;
  globalThis.setTimeout = (act, time) => pauses.push(time) && later(act, 0);
  globalThis.fetch = () => answers.shift()();
  assert.deepEqual(await insist(() => get("/frames/"), (text) => told.push(text)), { done: true });
  globalThis.setTimeout = later;
  assert.deepEqual(told, [
    "The environment server does not answer. Trying again …",
    "5.json: chat is not a list. Trying again …",
    "",
  ]);
  assert.deepEqual(pauses, [patience(1), patience(2)]);
  assert.match(faultWords(new Refused(404, "")), /HTTP 404/);
});
