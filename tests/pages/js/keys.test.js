/** Keys: the same on every keyboard, and never taken from a field in which the user types. */

import assert from "node:assert/strict";
import { test } from "node:test";

const { belongsTo, keyOf } = await import("../../../environment/frontend_server/static_dirs/js/keys.js");

/** An element inside others, named by the selectors that find them. */
const inside = (...found) => ({ closest: (wanted) => wanted.split(", ").some((one) => found.includes(one)) || null });

test("letters are those in the same place of any keyboard", () => {
  assert.equal(keyOf({ key: "n", code: "KeyN" }), "n");
  assert.equal(keyOf({ key: "N", code: "KeyN" }), "n");
  assert.equal(keyOf({ key: "т", code: "KeyN" }), "n");
  assert.equal(keyOf({ key: "ю", code: "Period" }), ".");
  assert.equal(keyOf({ key: "a", code: "KeyQ" }), "a"); // a French keyboard
  assert.equal(keyOf({ key: "ArrowLeft", code: "ArrowLeft" }), "ArrowLeft");
});

test("in text fields and dialogs no key is taken, elsewhere only what the element itself needs", () => {
  for (const key of [" ", "n", "?", "ArrowLeft", "Escape"]) {
    for (const field of ["textarea", "select", "dialog"]) assert.equal(belongsTo(key, inside(field)), true);
  }
  assert.equal(belongsTo(" ", inside("button")), true);
  assert.equal(belongsTo("n", inside("button")), false);
  assert.equal(belongsTo("ArrowLeft", inside("input")), true); // the slider
  assert.equal(belongsTo(" ", inside("input")), false);
  assert.equal(belongsTo("ArrowLeft", inside("[role=tablist]")), true);
  assert.equal(belongsTo("ArrowLeft", inside()), false);
});
