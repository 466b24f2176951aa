/** Conversations as they are told: which line is said when, in which words, for how long. */

import assert from "node:assert/strict";
import { test } from "node:test";

const js = (path) => import(`../../../environment/frontend_server/static_dirs/js/${path}`);
const { expectedLast, linesSaid, partsOf, spokenAt } = await js("playback/dialogue.js");
const { Talks } = await js("playback/talks.js");
const { Captions } = await js("playback/captions.js");
const { wrapped } = await js("town/bubbles/words_bubble.js");

const LONG = "One, two; three. Four five six seven eight nine ten! Eleven twelve?";
const chat = ["Hi", LONG, "Yes", `${LONG} ${LONG}`, "Bye"].map((words, line) => [line % 2 ? "Bo" : "Al", words]);
const spans = [
  { first: 10, last: 10 },
  { first: 10, last: 12 },
  { first: 100, last: 130 },
];

test("no line is said before its turn, each takes its share of the time, and by the last step all are said", () => {
  for (const span of spans) {
    let before = 1;
    assert.equal(linesSaid(chat, span, span.first - 1), 1);
    for (let position = span.first - 1; position <= span.last; position += 0.01) {
      const said = linesSaid(chat, span, position);
      assert.ok(said === before || said === before + 1);
      before = said;
    }
    assert.equal(linesSaid(chat, span, span.last), chat.length);
  }
  const span = spans.at(-1);
  const times = chat.map((_, line) => {
    let steps = 0;
    for (let at = span.first - 1; at <= span.last; at += 0.01) steps += linesSaid(chat, span, at) === line + 1;
    return steps;
  });
  assert.ok(times[3] > times[1] && times[1] > times[0]);
});

test("a bubble has part after part of the line, every word once and in order", () => {
  for (const [line, [speaker, words]] of chat.entries()) {
    const heard = [];
    const span = spans.at(-1);
    for (let at = span.first - 1; at <= span.last; at += 0.01) {
      const spoken = spokenAt(chat, span, at, 24);
      if (spoken.line !== line) continue;
      assert.equal(spoken.speaker, speaker);
      if (heard.at(-1) !== spoken.words) heard.push(spoken.words);
    }
    assert.equal(heard.join(" ").replaceAll(/ …|… /gu, ""), words);
    assert.ok(partsOf(words, 24).every((part) => part.length <= 24));
  }
});

const record = (more) => ({ movement: [1, 1], description: "talking @ a:b:c", chat, ...more });
const page = { sec_per_step: 10, personas: [{ name: "Al" }, { name: "Bo" }, { name: "Eve", visitor: true }] };

test("a visitor's conversation grows turn by turn: the newest is said at once", () => {
  const talks = new Talks(page, [{ first: 3, last: 9, names: ["Al", "Eve"] }]);
  const grown = [["Eve", "Hello"], ["Al", "Oh"], ["Eve", "Well"]];
  for (const turns of [1, 2, 3]) {
    const [talk] = talks.at({ Al: record({ chat: grown.slice(0, turns) }), Eve: record({ chat: null }) }, 3);
    assert.deepEqual([talk.said, talk.words], [turns, grown[turns - 1][1]]);
    assert.ok(talk.names.includes("Eve"));
  }
});

test("in a live run lines come one after the other, as fast as the backend will probably have them said", () => {
  const talks = new Talks(page);
  const frame = { Al: record(), Bo: record() };
  const said = [];
  const last = expectedLast(chat, 50, 10);
  for (let step = 50; step <= last; step += 1) {
    assert.equal(talks.observe(step, frame), step === 50);
    said.push(talks.at(frame, step)[0].said);
  }
  assert.ok(last > 53 && said[0] < chat.length);
  assert.deepEqual(said, said.toSorted((one, other) => one - other));
  assert.equal(said.at(-1), chat.length);
  assert.deepEqual(talks.conversations.map(({ first, last: end }) => [first, end]), [[50, last]]);
  talks.know([{ first: 50, last: 51, names: ["Al", "Bo"] }], 52);
  assert.equal(talks.conversations.length, 1);
});

test("words can be read: they stay for a while when time flies, change at once when it is moved back", () => {
  const talks = new Talks(page, [{ first: 0, last: 40, names: ["Al", "Bo"] }]);
  const frame = { Al: record(), Bo: record() };
  const captions = new Captions();
  const shown = [];
  let position = 0;
  for (let time = 0; time < 3000; time += 16) {
    position = Math.min(40, position + 16 / 83);
    const words = captions.update(talks.at(frame, position), position, 16).get(String(chat[0]))?.words ?? null;
    if (shown.at(-1)?.words !== words) shown.push({ words, since: time });
  }
  shown.slice(1).forEach(({ since }, place) => assert.ok(since - shown[place].since >= 1500));
  const [{ words }] = captions.update(talks.at(frame, 0), 0, 16).values();
  assert.equal(words, chat[0][1]);
});

test("a text in a bubble stays within its width and lines; what is left out ends with an ellipsis", () => {
  const room = { width: 10, most: 3, measure: (text) => text.length };
  for (const text of [LONG, "Donaudampfschifffahrt", "a", "one two three four five six seven"]) {
    const lines = wrapped(text, room).map((line) => line.text);
    assert.ok(lines.length <= 3 && lines.every((line) => line.length <= 10));
    const whole = lines.join(" ");
    assert.ok(whole === text || whole.endsWith("…"));
  }
});
