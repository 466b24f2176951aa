/** Texts: clock and dates, the backend's status, plans, memories. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { Clock, dateText, hourOf, momentOf, timeText } = await js("playback/clock.js");
globalThis.document = { documentElement: { dataset: { start: "python start.py" } } }; // as base.html says
const { statusText } = await js("playback/backend_status.js");
delete globalThis.document;
const { goalText, modelsText, nextGoal, paceText } = await js("running/run_words.js");
const { codeOf, freeCode } = await js("running/sim_code.js");
const { Pace } = await js("playback/pace.js");
const { groupTasks } = await js("mind/plan.js");
const { filterMemories } = await js("mind/memory_stream.js");
const { evidenceOf } = await js("mind/trivia.js");
const { countObjects } = await js("mind/spatial_tree.js");
const { splitRecorded } = await js("recorded.js");
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
  const says = (more, words) => assert.equal(statusText(status(more), 3), words);
  says({ backend: "paused", busy: ["Ada Stone"] }, "Paused.");
  says({ asleep_until: "February 13, 2023, 06:00:00" }, "Running. All 3 asleep until 06:00.");
  says({ busy: ["Ada Stone"] }, "Running. Ada is thinking …");
  says({ busy: ["Ada Stone", "Ben Reed"] }, "Running. Ada and Ben are thinking …");
  says({ busy: ["A B", "C D", "E F"] }, "Running. 3 people are thinking …");
  says({ browser: "watching" }, "Running.");
  says({ browser: "awaited", busy: ["Ada Stone"] }, "Waiting for a browser to report positions.");
  says({ browser: "silent" }, "No browser reports positions. Running without one.");
  says({ visit: { name: "Eve", waiting: true }, busy: ["Ada Stone"] }, "Waiting for the words of Eve.");
});

test("the status says why a run ended, in full, and what to type if nothing is there", () => {
  const ended = (more) => statusText(status({ backend: "waiting", curr_time: "February 13, 2023, 18:00:00", ...more }), 3);
  assert.equal(ended({ ended: "" }), "Ready to run.");
  assert.equal(ended({ ended: "reached" }), "It is 18:00: the run has ended as planned.");
  assert.equal(ended({ ended: "stopped" }), "Stopped at 18:00.");
  assert.equal(ended({ ended: "talk" }), "Stopped: two people began to talk.");
  assert.equal(ended({ ended: "failed", fault: "No key is set." }), "The run failed: No key is set.");
  const none = "The engine is not running. Type in the project folder: python start.py";
  assert.equal(statusText(status({ backend: "stopped", engine: { state: "none" } }), 3), none);
  assert.equal(statusText(status({ backend: "stopped", engine: { state: "idle", fault: "" } }), 3), "Saved and closed.");
  assert.equal(statusText(status({ backend: "stopped", engine: { state: "idle", fault: "town: damaged." } }), 3), "town: damaged.");
  const restarted = { fate: "saved", name: "town", step: 1200, until: 0, place: 1210 };
  const again = "The engine ended unexpectedly and was started again. town is as it was saved last; steps after that are gone.";
  assert.equal(ended({ ended: "", engine: { state: "open", restarted } }), again);
  assert.equal(ended({ ended: "reached", engine: { state: "open", restarted } }), "It is 18:00: the run has ended as planned.");
  assert.equal(statusText(status({ engine: { state: "opening", sim_code: "town" } }), 3), "Opening town …");
});

test("the bar says how far the town runs and how fast, in game time", () => {
  const clock = new Clock("2023-02-13T00:00:00", 10);
  const goal = (more) => goalText(status({ step: 360, ...more }), clock, "07:00");
  assert.equal(goal({ backend: "waiting" }), "Run until 07:00");
  assert.equal(goal({ until_step: 6480 }), "Runs until 18:00");
  assert.equal(goal({ until_step: 8640 + 2160 }), "Runs until Tue 06:00");
  assert.equal(goal({ until_step: 6480, until_talk: true }), "Runs until someone talks");
  assert.deepEqual(["00:00", "06:59", "07:00", "23:30"].map((time) => nextGoal(`February 13, 2023, ${time}:00`)), ["07:00", "07:00", "00:00", "00:00"]);
  assert.equal(goal({ backend: "paused", until_step: 6480 }), "Paused");
  assert.equal(paceText(60, null), "60×");
  assert.equal(paceText(60, 59), "60×");
  assert.equal(paceText(60, 22.4), "60×, now 22×");
  assert.equal(paceText("max", 85.2), "As fast as they think, now 85×");
  assert.equal(modelsText({ models: "offline rules", cost: null }), "Rules, without a language model");
  const cost = { calls: 1200, tokens: 5, dollars: 0.4, limit: 5 };
  assert.equal(modelsText({ models: "mini at Cloud", cost }), "mini at Cloud · 1,200 calls, $0.40 of at most $5.00");
});

test("the speed that is reached is measured while the run is in progress", () => {
  const pace = new Pace(10);
  for (let second = 0; second < 10; second += 1) pace.note(100 + 3 * second, 1000 * second, true);
  assert.equal(Math.round(pace.reached), 30);
  pace.note(130, 10_000, false);
  assert.equal(pace.reached, null);
});

test("a name is made of any title", () => {
  assert.equal(codeOf("Valentine’s day, 3 people!"), "valentine_s_day_3_people");
  assert.equal(codeOf("Вечер у Хоббса"), "vecher_u_khobbsa");
  assert.equal(codeOf("Été"), "ete");
  assert.equal(codeOf("日本"), "");
  assert.equal(freeCode("town", ["town", "town_2"]), "town_3");
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
  const found = (more) => filterMemories(nodes, { ...all, ...more }).found;
  assert.deepEqual(found({ text: "party" }), nodes.slice(0, 2));
  assert.deepEqual(found({ text: "cafe PARTY" }), nodes.slice(0, 1));
  assert.deepEqual(found({}), nodes);
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

test("doings and places begin with a capital; partners are the other speakers", () => {
  assert.deepEqual(describe({ description: "baking (kneading dough) @ the Town:Cafe:back room:oven" }), {
    doing: "Kneading dough",
    task: "baking",
    where: "Cafe · back room · oven",
    isPlace: true,
  });
  assert.equal(describe({ description: "eating @ the Town:Ada's Cafe:cafe:table" }).where, "Ada's Cafe · table");
  assert.deepEqual(describe(undefined), { doing: "", task: "", where: "", isPlace: true });
  assert.equal(describe({ description: "talking @ <persona> Ada Low" }).isPlace, false);
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

test("recorded words are found in a sentence, whatever their order; nothing is lost", () => {
  assert.deepEqual(splitRecorded("Ада приходит: Hobbs Cafe.", ["Hobbs Cafe"]), [
    ["Ада приходит: ", false],
    ["Hobbs Cafe", true],
    [".", false],
  ]);
  assert.deepEqual(splitRecorded("The oven: on fire, thanks to Ada", ["on fire", "The oven", "elsewhere"]), [
    ["The oven", true],
    [": ", false],
    ["on fire", true],
    [", thanks to Ada", false],
  ]);
  assert.deepEqual(splitRecorded("", ["Cafe"]), []);
});
