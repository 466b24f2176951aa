/** Requests: errors are shown, and retried with growing delays until they succeed. */

import assert from "node:assert/strict";
import { test } from "node:test";

const { Refused, errorText, get, retry, retryDelay } =
  await import("../../../environment/frontend_server/static_dirs/js/server.js");

test("delays grow up to a maximum", () => {
  const pauses = Array.from({ length: 40 }, (_, number) => retryDelay(number + 1));
  assert.ok(pauses[0] > 0 && pauses[1] > pauses[0] && pauses[2] > pauses[1]);
  pauses.slice(1).forEach((pause, place) => assert.ok(pause >= pauses[place]));
  assert.equal(new Set(pauses.slice(10)).size, 1);
});

test("every error is shown with its reason and cleared when it is over; retries are delayed", async () => {
  const answers = [
    () => Promise.reject(new TypeError("network")),
    () => Promise.resolve(Response.json({ error: "5.json: chat is not a list." }, { status: 422 })),
    () => Promise.resolve(Response.json({ done: true })),
  ];
  const [told, pauses] = [[], []];
  const later = globalThis.setTimeout;
  globalThis.setTimeout = (act, time) => pauses.push(time) && later(act, 0);
  globalThis.fetch = () => answers.shift()();
  assert.deepEqual(await retry(() => get("/frames/"), (text) => told.push(text)), { done: true });
  globalThis.setTimeout = later;
  assert.deepEqual(told, [
    "The environment server is not responding. Trying again …",
    "5.json: chat is not a list. Trying again …",
    "",
  ]);
  assert.deepEqual(pauses, [retryDelay(1), retryDelay(2)]);
  assert.match(errorText(new Refused(404, "")), /HTTP 404/);
});
