/** What was retrieved for an act, with the three scores of each memory, and the best that were not taken. */

import { element, headingRow } from "../dom.js";
import { recordedElement } from "../recorded.js";
import { fill, gettext, language } from "../translation.js";
/** @import { Chain, HeardRetrieval, ScoredMemory } from "./why_words.js" */

const BEST = 6; // retrieved memories in the table

/**
 * The table, folded; null if nothing is known to be retrieved.
 * @param {Chain} chain  @param {(node: string) => string} mind  address of a memory
 */
export function whyScores({ causes, first }, mind) {
  const named = new Set(causes[first].because.map((key) => causes[key].node).filter(Boolean));
  const all = causes[first].asked.flatMap(({ retrievals }) => retrievals);
  const found = all.find(({ taken }) => taken.some(({ node }) => named.has(node))) ?? all[0];
  if (!found) return null;
  return element(
    "details",
    {},
    element("summary", {}, gettext("What was retrieved for it, and how each memory scored")),
    element("p", { class: "soft" }, gettext("Retrieved for:"), " ", recordedElement("q", {}, found.focus)),
    element("div", { class: "wide-table", role: "region", tabindex: "0", "aria-label": gettext("Scores of memories") }, table(found, named, mind)),
  );
}

/** @param {HeardRetrieval} found  @param {Set<string>} named  @param {(node: string) => string} mind */
function table({ taken, runners_up: others, weights }, named, mind) {
  const [recency, relevance, importance] = weights.map((weight) => `× ${weight.toLocaleString(language)}`);
  const heads = [
    gettext("What was retrieved"), `${gettext("Recency")} ${recency}`, `${gettext("Relevance")} ${relevance}`, `${gettext("Importance")} ${importance}`, gettext("Score"),
  ];
  const rows = taken.slice(0, BEST).map((each) => row(each, named.has(each.node), mind));
  const more = taken.length - rows.length;
  const span = (/** @type {string} */ words) => element("tr", {}, element("td", { colspan: 5, class: "soft" }, words));
  if (more) rows.push(span(fill(gettext("and %(count)s more that were retrieved"), { count: more })));
  if (others.length) rows.push(span(gettext("Not taken, the best of them:")), ...others.map((each) => row(each, false, mind)));
  return element("table", {}, element("thead", {}, headingRow(heads)), element("tbody", {}, ...rows));
}

/** @param {ScoredMemory} each  @param {boolean} isNamed  @param {(node: string) => string} mind */
function row({ node, text, recency, relevance, importance, score }, isNamed, mind) {
  const numbers = [recency, relevance, importance, score].map((value) => element("td", { class: "number" }, value.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })));
  return element("tr", { "aria-current": isNamed ? "true" : null }, element("td", {}, recordedElement("a", { href: mind(node) }, text)), ...numbers);
}
