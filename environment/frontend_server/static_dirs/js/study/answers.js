/** Answers by question: a row for each person, a column for each arm. */

import { element } from "../dom.js";
import { fill, gettext, ngettext } from "../translation.js";
import { armHead } from "./run_grid.js";
/** @import { Arm } from "./run_grid.js" */

/**
 * @typedef {{ask: string, base: string, when: string, role: string, form: string,
 *   people: Array<{who: string, said: Array<{arm: string, seed: number, answer: string, usable: boolean}>}>}} Question
 * @param {Question[]} questions  of /study_results/  @param {{arms: Arm[]}} page
 */
export function answers(questions, page) {
  return questions.map((question, place) => {
    const count = question.people.reduce((sum, { said }) => sum + said.length, 0);
    const when = question.when === "end" ? gettext("asked at the end") : fill(gettext("asked at %(when)s"), { when: question.when });
    const facts = [question.base, when, question.role, question.form, fill(ngettext("%(count)s answer", "%(count)s answers", count), { count })];
    const summary = element("summary", {}, element("q", {}, question.ask), " ", element("small", {}, facts.filter(Boolean).join(" · ")));
    return element("details", { class: "question", open: place === 0 }, summary, table(question, page));
  });
}

/** @param {Question} question  @param {{arms: Arm[]}} page */
function table({ people }, { arms }) {
  const heads = arms.map(({ name, colour }) => Object.assign(armHead({ label: name, colour }), { scope: "col" }));
  const head = element("tr", {}, element("th", { scope: "col" }, gettext("Person")), ...heads);
  const rows = people.map(({ who, said }) => element("tr", {}, element("th", { scope: "row" }, who), ...arms.map(({ name }) => cell(name, said.filter(({ arm }) => arm === name)))));
  return element("table", { class: "answers" }, element("thead", {}, head), element("tbody", {}, ...rows));
}

/** Equal answers are one, with all of their seeds. @param {string} arm  @param {Question["people"][0]["said"]} said */
function cell(arm, said) {
  const seeds = new Map();
  const unusable = new Set(said.filter(({ usable }) => !usable).map(({ answer }) => answer));
  for (const { seed, answer } of said) seeds.set(answer, [...(seeds.get(answer) ?? []), seed]);
  const items = [...seeds].map(([answer, which]) => {
    const words = fill(ngettext("seed %(seeds)s", "seeds %(seeds)s", which.length), { seeds: [...new Set(which)].join(", ") });
    const facts = unusable.has(answer) ? `${gettext("not usable")} · ${words}` : words;
    return element("li", {}, answer, " ", element("small", {}, facts));
  });
  return element("td", { "data-arm": arm }, element("ul", {}, ...items));
}
