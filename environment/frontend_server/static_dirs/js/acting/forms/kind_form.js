/** A form for a kind of intervention that has none of its own, made from its fields as /kinds/ describes them. */

import { capitalize } from "../../panel/descriptions.js";
import { gettext } from "../../translation.js";
import { checkField, choiceField, textField } from "./fields.js";
import { openForm } from "./form_dialog.js";
import { whereField } from "./happenings.js";
import { nameOf, whereabouts } from "../places.js";
/** @import { Actor } from "../actor.js" */
/** @import { TextValues } from "./form_dialog.js" */
/** @import { Look } from "./fields.js" */
/** @import { Places } from "../places.js" */
/** @import { Persona } from "../../dom.js" */

const LONG = 200; // characters from which a text has several rows
const SEVERAL = 3;
const USUAL = "5"; // minutes

/**
 * A property of a JSON Schema.
 * @typedef {Object} Property
 * @property {string} [type]
 * @property {string} [format]  persona, place, object, look, duration or moment
 * @property {string} [description]
 * @property {string|number|boolean|null} [default]
 * @property {string[]} [enum]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [maxLength]
 * @property {boolean} [readOnly]
 * @property {Property[]} [anyOf]
 */

/**
 * A kind of intervention, of /kinds/.
 * @typedef {Object} Kind
 * @property {string} kind
 * @property {?{title: string, words: string, picture: string}} offer  null if pages have a form of their own, or none
 * @property {{properties: Record<string, Property>, required?: string[]}} schema  of its fields
 */

/** @typedef {{name: string, label: string, required: boolean, schema: Property}} KindField */

/** Kinds that pages offer by this form. @param {Actor} actor  @returns {Promise<Kind[]>} */
export async function offeredKinds(actor) {
  const { kinds } = await actor.kinds();
  return kinds.filter(({ offer }) => offer);
}

/** @param {Actor} actor  @param {Kind} kind  @param {Persona[]} people  whom it may concern */
export async function openKind(actor, kind, people) {
  const { title, words } = kind.offer;
  const asked = fieldsOf(kind.schema);
  const places = asked.some(({ schema }) => ["place", "object"].includes(schema.format)) ? await actor.places() : null;
  const looks = asked.some(({ schema }) => schema.format === "look") ? await actor.looks() : [];
  const fields = asked.map((field) => control(field, { people, places, looks }));
  return openForm({ title, note: words, action: gettext("Let it happen"), fields }, (form) => {
    const values = valuesOf(asked, form, actor);
    return actor.intervene({ kind: kind.kind, ...values }, receiptText(title, asked, values));
  });
}

/** The fields that are asked for. @param {Kind["schema"]} schema  @returns {KindField[]} */
export function fieldsOf({ properties, required = [] }) {
  return Object.entries(properties)
    .filter(([name, { readOnly }]) => name !== "kind" && !readOnly)
    .map(([name, property]) => {
      const kept = property.anyOf?.find(({ type }) => type !== "null") ?? {};
      const label = (property.description ?? capitalize(name)).replace(/\.$/, "");
      return { name, label, required: required.includes(name), schema: { ...property, ...kept } };
    });
}

/**
 * What was filled in, as an intervention has it.
 * @param {KindField[]} asked  @param {TextValues} form
 * @param {Pick<Actor, "steps"|"stepAfter">} actor  @returns {Record<string, string|number|boolean>}
 */
export function valuesOf(asked, form, actor) {
  const given = asked.map(({ name, schema }) => [name, valueOf(schema, form.get(name), actor)]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** @param {Property} schema  @param {?string} given  @param {Pick<Actor, "steps"|"stepAfter">} actor */
function valueOf({ type, format }, given, actor) {
  const text = String(given ?? "").trim();
  if (type === "boolean") return given !== null;
  if (!text) return undefined;
  if (format === "duration") return actor.steps(Number(text));
  if (format === "moment") return actor.stepAfter(Number(text));
  return type === "string" ? text : Number(text);
}

/** @param {KindField} field  @param {{people: Persona[], places: ?Places, looks: Look[]}} known */
function control({ name, label, required, schema }, { people, places, looks }) {
  /** @type {Array<[string, string]>} */
  const first = required ? [] : [["", "–"]];
  /** @type {Record<string, () => Array<[string, string]>>} */
  const lists = {
    persona: () => people.map((persona) => [persona.name, persona.name]),
    object: () => places.objects.map(({ address }) => [address, `${capitalize(nameOf(address))} (${whereabouts(address)})`]),
    look: () => looks.map(({ look }) => [look, look]),
  };
  const choices = lists[schema.format];
  if (schema.format === "place") return whereField(places, { name, label, optional: !required });
  if (choices) return choiceField({ name, label, required }, [...first, ...choices()]);
  if (schema.enum) return enumField({ name, label, required }, schema);
  if (schema.type === "boolean") return checkField({ name, label, checked: Boolean(schema.default) });
  return schema.type === "string" ? wordsField({ name, label, required }, schema) : numberField({ name, label, required }, schema);
}

/** @param {{name: string, label: string, required: boolean}} field  @param {Property} schema */
function enumField(field, { enum: values, default: value }) {
  return choiceField({ ...field, value: String(value ?? "") }, values.map((one) => [one, one]));
}

/** @param {{name: string, label: string, required: boolean}} field  @param {Property} schema */
function wordsField(field, { maxLength, default: value }) {
  const limit = maxLength ? { maxlength: maxLength } : {};
  return textField({ ...field, ...limit, value: String(value ?? ""), rows: maxLength > LONG ? SEVERAL : 0 });
}

/** @param {{name: string, label: string, required: boolean}} field  @param {Property} schema */
function numberField({ name, label, required }, { minimum, maximum, format, default: value }) {
  const number = { name, required, type: "number", inputmode: "numeric" };
  if (format === "duration" || format === "moment") {
    return textField({ ...number, label: gettext("For how many minutes?"), hint: label, min: 1, value: required || format === "duration" ? USUAL : "" });
  }
  return textField({ ...number, label, min: minimum, max: maximum, value: String(value ?? "") });
}

/** `Flood a place: Hobbs Cafe`. @param {string} title  @param {KindField[]} asked  @param {Record<string, string|number|boolean>} values */
function receiptText(title, asked, values) {
  const told = asked.find(({ name, schema }) => schema.type === "string" && values[name]);
  if (!told) return title;
  const words = String(values[told.name]);
  return `${title}: ${["place", "object"].includes(told.schema.format) ? nameOf(words) : words}`;
}
