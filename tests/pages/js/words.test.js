/** Laws of what is said: clock and dates, the status of the backend, plans, memories. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { Clock, dateText, hourOf, momentOf, timeText } = await js("story/clock.js");
const { statusWords } = await js("story/status.js");
const { tasksOf } = await js("panel/plan.js");
const { chosen, evidenceOf } = await js("panel/stream.js");
const { countObjects } = await js("panel/places.js");
const { describe, partnersOf } = await js("panel/words.js");

test("steps are moments, whatever zone the reader's machine is in", () => {
  for (const zone of ["UTC", "America/New_York", "Asia/Vladivostok"]) {
    process.env.TZ = zone;
    const clock = new Clock("2023-02-13T00:00:00", 10);
    assert.equal(timeText(clock.at(2994)), "08:19");
    assert.equal(timeText(clock.at(8640 + 7), { seconds: true }), "00:01:10");
    assert.equal(dateText(clock.at(8640), "en"), "Tuesday, February\u00a014,\u00a02023");
    assert.match(dateText(clock.at(8640), "ru"), /^Вторник/);
    assert.match(dateText(clock.at(8640), "ru", { within: true }), /^вторник/);
    assert.equal(hourOf(clock.at(8640 + 4500)), 12.5);
  }
});

test("both ways of writing a moment are read alike", () => {
  assert.equal(momentOf("2023-02-13 08:00:00"), momentOf("2023-02-13T08:00:00"));
});

const status = (more) => ({ backend: "running", step: 1, until_step: null, busy: [], asleep_until: null, ...more });

test("the status is one sentence, the most telling one", () => {
  assert.equal(statusWords(status({ backend: "stopped", busy: ["Ada Stone"] }), 3), "The backend has stopped.");
  assert.equal(statusWords(status({ backend: "none" }), 3), "No simulation is running.");
  assert.equal(statusWords(status({ backend: "waiting" }), 3), "Waiting for “run” in the terminal.");
  assert.equal(statusWords(status({ asleep_until: "February 13, 2023, 06:00:00" }), 3), "All 3 asleep until 06:00.");
  assert.equal(statusWords(status({ busy: ["Ada Stone"] }), 3), "Ada is thinking …");
  assert.equal(statusWords(status({ busy: ["Ada Stone", "Ben Reed"] }), 3), "Ada and Ben are thinking …");
  assert.equal(statusWords(status({ busy: ["A B", "C D", "E F"] }), 3), "3 people are thinking …");
  assert.equal(statusWords(status({ browser: "watching" }), 3), "Running.");
  const overdue = status({ browser: "awaited", busy: ["Ada Stone"] });
  assert.equal(statusWords(overdue, 3), "Waiting for a page to report where everyone stands.");
  assert.equal(statusWords(status({ browser: "silent" }), 3), "No page reports where everyone stands: running without one.");
  assert.equal(statusWords(status(), 3), "Running.");
});

test("a plan covers its day without gaps; parts are folded into their task; rows without length are left out", () => {
  const tasks = tasksOf([
    ["sleeping", 360],
    ["cooking (peeling)", 10],
    ["cooking (frying)", 20],
    ["nothing", 0],
    ["odd", -5],
    ["resting", 1050],
  ]);
  assert.deepEqual(
    tasks.map(({ task, start, end }) => [task, start, end]),
    [
      ["sleeping", 0, 360],
      ["cooking", 360, 390],
      ["resting", 390, 1440],
    ],
  );
  assert.deepEqual(
    tasks[1].parts.map(({ doing, start }) => [doing, start]),
    [
      ["peeling", 360],
      ["frying", 370],
    ],
  );
});

const node = (more) => ({
  type: "event",
  poignancy: 3,
  description: "",
  subject: "",
  object: "",
  filling: [],
  ...more,
});
const all = { text: "", types: new Set(["event", "thought", "chat"]), least: 1 };

test("a search finds all of its words, in any order and case, also in what was said", () => {
  const nodes = [
    node({ description: "The party at the Cafe" }),
    node({ type: "chat", filling: [["Ada", "Come to my PARTY"]] }),
    node({}),
  ];
  assert.deepEqual(chosen(nodes, { ...all, text: "party" }), nodes.slice(0, 2));
  assert.deepEqual(chosen(nodes, { ...all, text: "cafe PARTY" }), nodes.slice(0, 1));
  assert.deepEqual(chosen(nodes, all), nodes);
});

test("evidence is read in every form that was ever saved", () => {
  assert.deepEqual(evidenceOf(node({ type: "thought", filling: ["node_3", "node_4"] })), ["node_3", "node_4"]);
  assert.deepEqual(evidenceOf(node({ type: "thought", filling: "node_1" })), ["node_1"]);
  assert.deepEqual(evidenceOf(node({ type: "thought", filling: null })), []);
  assert.deepEqual(evidenceOf(node({ type: "chat", filling: [["Ada", "Hello"]] })), []);
});

test("objects are counted at any depth", () => {
  assert.equal(countObjects({ town: { cafe: { room: ["piano", "sink"], hall: [] }, park: {} } }), 2);
});

test("what people do begins with a capital; who talks with whom is read from the lines", () => {
  assert.deepEqual(describe({ description: "baking (kneading dough) @ the Town:Cafe:back room:oven" }), {
    doing: "Kneading dough",
    task: "Baking",
    where: "Cafe · back room · oven",
  });
  assert.equal(describe({ description: "eating @ the Town:Ada's Cafe:cafe:table" }).where, "Ada's Cafe · table");
  assert.deepEqual(describe(undefined), { doing: "", task: "", where: "" });
  assert.deepEqual(
    partnersOf("Ada", [
      ["Ada", "Hi"],
      ["Ben", "Hi"],
      ["Ada", "Bye"],
    ]),
    ["Ben"],
  );
  assert.deepEqual(partnersOf("Ada", null), []);
});
