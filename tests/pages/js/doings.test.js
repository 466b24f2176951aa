/** Doings in the language of the page: whole texts, templates, names, and what is not carried. */

import assert from "node:assert/strict";
import { test } from "node:test";

const catalog = {
  reading: "читает",
  books: "книги",
  "%(doing)s at %(site)s": "%(doing)s в «%(site)s»",
  "%(doing)s in the library": "%(doing)s в библиотеке",
  "%(doing)s in the library of %(site)s": "%(doing)s в библиотеке «%(site)s»",
  "%(doing)s of %(site)s": "%(doing)s («%(site)s»)",
  "conversing about %(subject)s": "разговор: %(subject)s",
  "%(one)s and %(more)s": "%(one)s; %(more)s",
  "%(someone)s's %(subject)s": "%(subject)s у %(someone)s",
  "Valentine's Day %(subject)s": "%(subject)s в День святого Валентина",
  "%(count)s of %(all)s": "%(count)s из %(all)s",
};
globalThis.django = { catalog, gettext: (text) => catalog[text] ?? text };
const { doingText, toldDoing } = await import("../../../environment/frontend_server/static_dirs/js/doings.js");

test("the template with the most words of its own is filled", () => {
  assert.deepEqual(toldDoing("reading in the library of Oak Hill College"), { text: "читает в библиотеке «Oak Hill College»", names: ["Oak Hill College"] });
  assert.equal(doingText("reading at The Rose and Crown Pub"), "читает в «The Rose and Crown Pub»");
  assert.deepEqual(toldDoing("reading at the Harvey Oak Supply Store"), { text: "читает в «Harvey Oak Supply Store»", names: ["Harvey Oak Supply Store"] });
});

test("a talk is about subjects and people", () => {
  assert.deepEqual(toldDoing("conversing about books and Ada Stone"), { text: "разговор: книги; Ada Stone", names: ["Ada Stone"] });
  assert.equal(doingText("conversing about Ada O'Brien's Valentine's Day books"), "разговор: книги в День святого Валентина у Ada O'Brien");
});

test("a line begins with a capital letter as before", () => {
  assert.equal(doingText("Reading at Hobbs Cafe"), "Читает в «Hobbs Cafe»");
  assert.equal(doingText("reading"), "читает");
});

test("what is not carried in all its parts stays as it was recorded", () => {
  for (const text of ["", "juggling", "juggling at Hobbs Cafe", "reading at dawn", "conversing about books and juggling", "3 of 4"]) {
    assert.equal(toldDoing(text), null);
    assert.equal(doingText(text), text);
  }
});
