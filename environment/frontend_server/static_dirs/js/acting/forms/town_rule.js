/** A form for a rule of a counterfactual: what people in this town cannot do. */

import { fill, gettext } from "../../translation.js";
import { whereabouts } from "../places.js";
import { choiceField, textField } from "./fields.js";
import { openForm } from "./form_dialog.js";
import { whereField } from "./happenings.js";
/** @import { Actor } from "../actor.js" */
/** @import { Persona } from "../../dom.js" */

/** @type {Record<string, string[]>} */
const FIELDS = { freeze: ["who"], cut: ["who", "other"], silence: ["where"], swap: ["who", "model"], pin: ["who"] };
const LONGEST_MODEL = 100;

/** @param {Actor} actor  @param {Persona[]} people */
export async function openRule(actor, people) {
  const places = await actor.places();
  /** @type {Array<[string, string]>} */
  const names = people.map(({ name }) => [name, name]);
  const rule = choiceField({ name: "rule", label: gettext("What can not happen?") }, Object.entries(ruleTitles()));
  /** @type {Record<string, HTMLElement>} */
  const fields = {
    who: choiceField({ name: "who", label: gettext("Who?") }, names),
    other: choiceField({ name: "other", label: gettext("With whom?"), value: people[1]?.name }, names),
    where: whereField(places),
    model: textField({ name: "model", label: gettext("Model"), maxlength: LONGEST_MODEL, value: "offline", hint: gettext("Of the same provider; “offline” stands for the rules.") }),
  };
  const show = () => {
    const needed = FIELDS[rule.querySelector("select").value];
    for (const [name, field] of Object.entries(fields)) field.hidden = !needed.includes(name);
  };
  rule.addEventListener("change", show);
  show();
  const note = gettext("It counts until it is ended. Everything else goes its way.");
  return openForm({ title: gettext("A rule"), note, action: gettext("Set the rule"), fields: [rule, ...Object.values(fields)] }, (form) => {
    const chosen = form.get("rule");
    const values = Object.fromEntries(FIELDS[chosen].map((name) => [name, form.get(name).trim()]));
    return actor.intervene({ kind: "rule", rule: chosen, ...values }, ruleText(chosen, values));
  });
}

/** The rules, in the order of the list. @returns {Record<string, string>} */
function ruleTitles() {
  return {
    cut: gettext("Two people begin no talk with each other"),
    silence: gettext("No one begins a talk at a place"),
    freeze: gettext("Someone has no new thoughts"),
    swap: gettext("Someone is answered by another model"),
    pin: gettext("Someone does what they did in the original"),
  };
}

/** @param {string} rule  @param {Record<string, string>} values */
function ruleText(rule, { who, other, where, model }) {
  /** @type {Record<string, () => string>} */
  const texts = {
    freeze: () => fill(gettext("%(who)s has no new thoughts"), { who }),
    cut: () => fill(gettext("%(who)s and %(other)s begin no talk with each other"), { who, other }),
    silence: () => fill(gettext("No one begins a talk: %(where)s"), { where: whereabouts(where) || where }),
    swap: () => fill(gettext("%(who)s is answered by %(model)s"), { who, model }),
    pin: () => fill(gettext("%(who)s does what they did in the original"), { who }),
  };
  return texts[rule]();
}
