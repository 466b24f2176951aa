/** Texts: clock and dates, the backend's status, plans, memories. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { Clock, dateText, hourOf, momentOf, timeText } = await js("playback/clock.js");
const { statusText } = await js("playback/backend_status.js");
const { groupTasks } = await js("panel/plan.js");
const { filterMemories, evidenceOf } = await js("panel/memory_stream.js");
const { countObjects } = await js("panel/places.js");
const { describe, partnersOf } = await js("panel/descriptions.js");

test("game time does not depend on the browser's time zone", () => {
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

test("both notations of a moment are read alike", () => {
  assert.equal(momentOf("2023-02-13 08:00:00"), momentOf("2023-02-13T08:00:00"));
});

const status = (more) => ({ backend: "running", step: 1, until_step: null, busy: [], asleep_until: null, ...more });

test("the status is one sentence about the most important state", () => {
  assert.equal(statusText(status({ backend: "stopped", busy: ["Ada Stone"] }), 3), "The backend has stopped.");
  assert.equal(statusText(status({ backend: "none" }), 3), "No simulation is running.");
  assert.equal(statusText(status({ backend: "waiting" }), 3), "Waiting for a command in the terminal.");
  assert.equal(statusText(status({ backend: "paused", busy: ["Ada Stone"] }), 3), "Paused.");
  assert.equal(statusText(status({ asleep_until: "February 13, 2023, 06:00:00" }), 3), "All 3 asleep until 06:00.");
  assert.equal(statusText(status({ busy: ["Ada Stone"] }), 3), "Ada is thinking …");
  assert.equal(statusText(status({ busy: ["Ada Stone", "Ben Reed"] }), 3), "Ada and Ben are thinking …");
  assert.equal(statusText(status({ busy: ["A B", "C D", "E F"] }), 3), "3 people are thinking …");
  assert.equal(statusText(status({ browser: "watching" }), 3), "Running.");
  const overdue = status({ browser: "awaited", busy: ["Ada Stone"] });
  assert.equal(statusText(overdue, 3), "Waiting for a browser to report positions.");
  assert.equal(statusText(status({ browser: "silent" }), 3), "No browser reports positions. Running without one.");
  assert.equal(statusText(status(), 3), "Running.");
});

test("a plan covers its day without gaps, groups subtasks, and skips rows without minutes", () => {
  const tasks = groupTasks([
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

test("a search finds all its words in any order and case, also in conversations", () => {
  const nodes = [
    node({ description: "The party at the Cafe" }),
    node({ type: "chat", filling: [["Ada", "Come to my PARTY"]] }),
    node({}),
  ];
  assert.deepEqual(filterMemories(nodes, { ...all, text: "party" }), nodes.slice(0, 2));
  assert.deepEqual(filterMemories(nodes, { ...all, text: "cafe PARTY" }), nodes.slice(0, 1));
  assert.deepEqual(filterMemories(nodes, all), nodes);
});

test("evidence is read in every format that files have had", () => {
  assert.deepEqual(evidenceOf(node({ type: "thought", filling: ["node_3", "node_4"] })), ["node_3", "node_4"]);
  assert.deepEqual(evidenceOf(node({ type: "thought", filling: "node_1" })), ["node_1"]);
  assert.deepEqual(evidenceOf(node({ type: "thought", filling: null })), []);
  assert.deepEqual(evidenceOf(node({ type: "chat", filling: [["Ada", "Hello"]] })), []);
});

test("objects are counted at any depth", () => {
  assert.equal(countObjects({ town: { cafe: { room: ["piano", "sink"], hall: [] }, park: {} } }), 2);
});

test("descriptions begin with a capital; partners are the other speakers", () => {
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
