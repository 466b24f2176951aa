/** Forms that are made from the fields of a kind of intervention. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fieldsOf, valuesOf } from "../../../environment/frontend_server/static_dirs/js/acting/forms/kind_form.js";

const SCHEMA = {
  properties: {
    kind: { const: "flood", type: "string" },
    where: { description: "Where the water rises.", type: "string", format: "place" },
    inches: { description: "How high it rises.", type: "integer", default: 3 },
    until: { anyOf: [{ type: "integer", format: "moment" }, { type: "null" }], description: "When it ends.", default: null },
    steps: { type: "integer", format: "duration", default: 1 },
    dry: { type: "boolean", default: false },
    was: { readOnly: true, anyOf: [{ type: "string" }, { type: "null" }] },
  },
  required: ["where"],
};
const actor = { steps: (minutes) => minutes * 6, stepAfter: (minutes) => 100 + minutes * 6 };

test("a form asks for what may be given, by the description of each field", () => {
  const asked = fieldsOf(SCHEMA);
  assert.deepEqual(asked.map(({ name }) => name), ["where", "inches", "until", "steps", "dry"]);
  assert.deepEqual(asked.map(({ label }) => label), ["Where the water rises", "How high it rises", "When it ends", "Steps", "Dry"]);
  assert.deepEqual(asked.filter(({ required }) => required).map(({ name }) => name), ["where"]);
  assert.equal(asked[2].schema.format, "moment");
});

test("an intervention has numbers as numbers, minutes as steps, and nothing that was left empty", () => {
  const form = new FormData();
  for (const [name, text] of [["where", " the Town "], ["inches", "9"], ["until", ""], ["steps", "5"], ["dry", "on"]]) form.set(name, text);
  assert.deepEqual(valuesOf(fieldsOf(SCHEMA), form, actor), { where: "the Town", inches: 9, steps: 30, dry: true });
  form.set("until", "10");
  form.delete("dry");
  assert.deepEqual(valuesOf(fieldsOf(SCHEMA), form, actor), { where: "the Town", inches: 9, until: 160, steps: 30, dry: false });
});
