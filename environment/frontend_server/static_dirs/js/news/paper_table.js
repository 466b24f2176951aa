/** The end-to-end table of the paper beside a run, and what people answered when they were asked as in the paper. */

import { element, headingRow } from "../dom.js";
import { recordedElement } from "../recorded.js";
import { gettext, language } from "../translation.js";
/** @import { NewsView } from "./news_words.js" */

/**
 * @typedef {{who: string, step: number, words: string}} Evidence
 * @typedef {{key: string, what: string, start: ?number, end: ?number, paper_start: string, paper_end: string, digits: number,
 *   command: string, fact: string, evidence: Evidence[]}} PaperRow
 * @typedef {{who: string, about: string, answer: string, says_yes: boolean, memory: string}} AskedFact
 * @typedef {{answers: AskedFact[], density: ?number}} AskedFacts
 */

/** @param {string} key */
function rowText(key) {
  /** @type {Record<string, string>} */
  const texts = {
    "know party": gettext("know of Isabella's party"),
    "know candidacy": gettext("know of Sam's candidacy"),
    "claim party": gettext("claim to know of Isabella's party, without a memory"),
    "claim candidacy": gettext("claim to know of Sam's candidacy, without a memory"),
    density: gettext("density of the network"),
    invited: gettext("heard of the party before it began"),
    came: gettext("of these came to the party"),
    no: gettext("said that they would not come"),
    away: gettext("said yes and did not come"),
  };
  return texts[key] ?? key;
}

/** @param {PaperRow[]} rows  @param {NewsView & {fact(key: string): string, ties: string}} view */
export function paperTable(rows, view) {
  const heads = ["", gettext("at the start"), gettext("at the end"), gettext("in the paper"), gettext("Evidence")];
  return element("table", { class: "paper" }, element("thead", {}, headingRow(heads)), element("tbody", {}, ...rows.map((row) => paperRow(row, view))));
}

/** @param {PaperRow} row  @param {NewsView & {fact(key: string): string, ties: string}} view */
function paperRow(row, view) {
  const number = (/** @type {?number} */ value) => (value === null ? "–" : value.toLocaleString(language, { minimumFractionDigits: row.digits, maximumFractionDigits: row.digits }));
  const page = row.fact ? view.fact(row.fact) : row.key === "density" ? view.ties : "";
  const paper = [row.paper_start, row.paper_end].filter(Boolean).join(" → ");
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, rowText(row.key)),
    element("td", { class: "number" }, number(row.start)),
    element("td", { class: "number" }, page ? element("a", { href: page }, number(row.end)) : number(row.end)),
    element("td", { class: "number" }, paper),
    element("td", {}, row.evidence.length ? evidence(row.evidence, view) : null),
  );
}

/** @param {Evidence[]} found  @param {NewsView} view */
function evidence(found, view) {
  const items = found.map(({ who, step, words }) =>
    element("li", {}, element("a", { href: view.watch(step, who) }, `${who}, ${view.timeText(step)}`), words ? recordedElement("span", {}, `: ${words}`) : null),
  );
  return element("details", {}, element("summary", {}, gettext("Who, when, in which words")), element("ul", {}, ...items));
}

/** Counts of answers, as the paper counts them. @param {AskedFacts} asked */
export function answerTable({ answers, density }) {
  const groups = {
    [gettext("Isabella's party")]: answers.filter(({ about }) => about === "party"),
    [gettext("Sam's candidacy")]: answers.filter(({ about }) => about === "candidacy"),
    [gettext("other people")]: answers.filter(({ about }) => about !== "party" && about !== "candidacy"),
  };
  const heads = [gettext("Asked about"), gettext("say yes"), gettext("a memory says so"), gettext("made up"), gettext("deny what they remember")];
  const rows = Object.entries(groups).map(([what, several]) => {
    const counts = [several.filter((each) => each.says_yes), several.filter((each) => each.says_yes && each.memory), several.filter((each) => each.says_yes && !each.memory), several.filter((each) => !each.says_yes && each.memory)];
    return element("tr", {}, element("th", { scope: "row" }, what), ...counts.map((found) => element("td", { class: "number" }, found.length.toLocaleString(language))));
  });
  const network = element("tr", {}, element("th", { scope: "row" }, gettext("density of the network")), element("td", { class: "number", colspan: 4 }, density === null ? "–" : density.toLocaleString(language, { maximumFractionDigits: 3 })));
  return element("table", { class: "paper" }, element("thead", {}, headingRow(heads)), element("tbody", {}, ...rows, network));
}
