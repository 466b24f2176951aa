/** Requests to the engine: whatever is pressed twice or lost on the way is asked once, and always answered. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { ask, askEngine, onRequest } = await js("acting/engine.js");
const { Refused } = await js("server.js");

const later = globalThis.setTimeout;
globalThis.setTimeout = (act) => later(act, 0); // delays are not waited for
const told = [];
for (const event of ["sent", "done", "refused"]) onRequest(event, ({ reason }) => told.push([event, reason]));
beforeEach(() => told.splice(0));

/** A server that fails as often as it is told to, and knows a request by its id, as the real one does. */
function server({ lost = 0, busy = 0, waits = 0, ack = { result: "done", step: 7 } }) {
  const numbers = new Map();
  const asked = [];
  globalThis.fetch = async (url, { body } = {}) => {
    asked.push(url);
    if (body) {
      const { id } = JSON.parse(body);
      if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
      if ((lost -= 1) >= 0) throw new TypeError("the answer was lost");
      if ((busy -= 1) >= 0) return Response.json({ error: "Too many." }, { status: 429 });
      return Response.json({ number: numbers.get(id) }, { status: 202 });
    }
    return Response.json({ number: 1, ack: (waits -= 1) >= 0 ? null : ack });
  };
  return { numbers, asked };
}

test("a request keeps its id while answers are lost and the server is busy", async () => {
  const { numbers, asked } = server({ lost: 2, busy: 1, waits: 2 });
  assert.deepEqual(await ask("my town", { request: "pause" }), { result: "done", step: 7 });
  assert.equal(numbers.size, 1);
  assert.deepEqual(asked.slice(0, 4), Array(4).fill("/act/my%20town/"));
  assert.deepEqual(asked.slice(4), Array(3).fill("/acts/my%20town/1/?wait=4"));
  assert.deepEqual(told, [["sent", undefined], ["done", undefined]]);
});

test("what is asked twice at once is one request; asked again later, it is another", async () => {
  const { numbers } = server({});
  const twice = [ask("town", { request: "save" }), ask("town", { request: "save" }), ask("town", { request: "pause" })];
  await Promise.all(twice);
  assert.equal(numbers.size, 2);
  await ask("town", { request: "save" });
  assert.equal(numbers.size, 3);
});

test("a refusal has its reason, from the engine or the server", async () => {
  server({ ack: { result: "refused", reason: "There is no run." } });
  await assert.rejects(ask("town", { request: "pause" }), new Refused(null, "There is no run."));
  globalThis.fetch = async () => Response.json({ error: "Sign in first." }, { status: 403 });
  await assert.rejects(askEngine({ request: "close" }), new Refused(403, "Sign in first."));
  assert.deepEqual(told.filter(([event]) => event === "refused"), [["refused", "There is no run."], ["refused", "Sign in first."]]);
});
