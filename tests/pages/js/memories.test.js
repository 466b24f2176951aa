/** What a memory page tells: what matters, in which chapter, and whether something is missing. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { isTrivial, pinnedThoughts } = await js("mind/trivia.js");
const { filterMemories } = await js("mind/memory_stream.js");
const { inChapters, peopleMet, readChapters } = await js("mind/chapters.js");
const { isMissing } = await js("mind/save_notice.js");

let made = 0;
const node = (more) => ({
  id: `node_${(made += 1)}`,
  type: "event",
  created: "2023-02-13 08:00:00",
  poignancy: 5,
  description: "Ada is singing",
  subject: "Ada",
  predicate: "is",
  object: "singing",
  filling: [],
  ...more,
});
const thought = (more) => node({ type: "thought", ...more });
const types = new Set(["event", "thought", "chat"]);

test("only events are trivial: idle things, what leaves one cold, and that a conversation took place", () => {
  assert.ok(isTrivial(node({ poignancy: 2 })));
  assert.ok(isTrivial(node({ description: "bed is idle" })));
  assert.ok(isTrivial(node({ predicate: "chat with" })));
  assert.ok(!isTrivial(node({ poignancy: 3 })));
  assert.ok(!isTrivial(thought({ poignancy: 1, description: "Ada is idle" })));
  assert.ok(!isTrivial(node({ type: "chat", poignancy: 1, predicate: "chat with" })));
});

test("trivia are hidden and counted, and shown to whom asks for all, searches for them, or follows a link", () => {
  const nodes = [node({}), node({ poignancy: 1 }), node({ description: "stove is idle" })];
  const filtered = (more) => filterMemories(nodes, { text: "", types, least: 1, all: false, ...more });
  assert.deepEqual(filtered({}), { found: nodes.slice(0, 1), hidden: 2 });
  assert.deepEqual(filtered({ all: true }), { found: nodes, hidden: 0 });
  assert.deepEqual(filtered({ text: "stove" }), { found: nodes.slice(2), hidden: 0 });
  assert.deepEqual(filtered({ revealed: new Set([nodes[1].id]) }), { found: nodes.slice(0, 2), hidden: 1 });
});

test("the most poignant thoughts are pinned, and those that rest on many; plans and events are not", () => {
  const strong = thought({ poignancy: 9 });
  const founded = thought({ poignancy: 4, filling: ["a", "b", "c", "d"] });
  const nodes = [thought({ poignancy: 4 }), founded, thought({ predicate: "plan" }), strong, node({ poignancy: 10 })];
  assert.deepEqual(pinnedThoughts(nodes), [strong, founded]);
  const many = Array.from({ length: 20 }, () => thought({ poignancy: 7 }));
  assert.deepEqual(pinnedThoughts(many), many.slice(0, pinnedThoughts(many).length));
  assert.ok(pinnedThoughts(many).length < 10);
});

const told = readChapters([
  { date: "2023-02-13", kind: "night", start: 0, end: 420, tasks: ["sleeping"] },
  { date: "2023-02-13", kind: "morning", start: 420, end: 720, tasks: ["singing"] },
  { date: "2023-02-14", kind: "night", start: 0, end: 420, tasks: [] },
]);

test("every memory is in the chapter in which it was made, in the order of the stream", () => {
  const nodes = [
    node({ created: "2023-02-14 00:00:00" }),
    node({ created: "2023-02-13 07:00:00" }),
    node({ created: "2023-02-13 06:59:50" }),
    thought({ created: "2023-02-13 00:00:00", predicate: "plan", filling: null }),
    thought({ created: "2023-02-13 00:00:00", filling: null }),
  ];
  const groups = inChapters(nodes, nodes, told);
  assert.deepEqual(
    groups.map(({ chapter, nodes: inside }) => [chapter.kind, inside.map((one) => nodes.indexOf(one))]),
    [
      ["night", [0]],
      ["morning", [1]],
      ["night", [2, 3]],
      ["before", [4]],
    ],
  );
});

test("people met are those of the conversations, visitors too, each once", () => {
  const talk = (object, ...speakers) => node({ type: "chat", object, filling: speakers.map((name) => [name, "Hello"]) });
  const nodes = [talk("Ben", "Ada", "Ben"), node({ object: "Dan" }), talk("Eve", "Eve", "Ada")];
  assert.deepEqual(peopleMet(nodes, "Ada"), ["Eve", "Ben"]);
});

test("a link waits only for a memory that is not there", () => {
  assert.ok(isMissing("#node_999999", [node({})]));
  const there = node({});
  assert.ok(!isMissing(`#${there.id}`, [there]));
  for (const other of ["", "#main", "#node_1x"]) assert.ok(!isMissing(other, []));
});
