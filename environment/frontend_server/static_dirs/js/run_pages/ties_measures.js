/** The measures of one kind of ties, at a moment. */

import { element } from "../dom.js";
import { fill, gettext, language, ngettext } from "../translation.js";
import { highest } from "./ties_at.js";
import { kindName } from "./ties_words.js";
/** @import { Graph, KindMeasures } from "./ties_at.js" */

const MOST_NAMED = 5;
const NOTHING = "–";

/** @param {KindMeasures} measures  @param {Graph} graph  @param {(person: number) => void} onPerson */
export function measureParts(measures, graph, onPerson) {
  const rows = [
    [gettext("Ties"), measures.ties.toLocaleString(language)],
    [gettext("Density"), share(measures.density)],
    [gettext("Returned"), share(measures.reciprocity)],
    [gettext("Groups"), String(measures.communities.length)],
  ];
  const person = (/** @type {number} */ number, words = "") => {
    const button = element("button", { type: "button", class: "linked" }, graph.people[number]);
    button.addEventListener("click", () => onPerson(number));
    return element("li", {}, button, words && ` ${words}`);
  };
  const degree = highest(measures.degree, MOST_NAMED).map((number) => {
    const count = Math.round(measures.degree[number] * (graph.people.length - 1));
    return person(number, fill(ngettext("%(count)s person", "%(count)s people", count), { count }));
  });
  const between = highest(measures.betweenness, MOST_NAMED).map((number) => person(number, share(measures.betweenness[number])));
  const groups = measures.communities.map((group) => element("li", {}, group.map((number) => graph.people[number].split(" ")[0]).join(", ")));
  return [
    element("h2", {}, kindName(measures.kind)),
    element("dl", {}, ...rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)))),
    ...named(gettext("Most ties with others"), degree, "ol"),
    ...named(gettext("Most often between others"), between, "ol"),
    ...named(gettext("Groups"), groups, "ul"),
  ];
}

/** @param {string} title  @param {HTMLLIElement[]} items  @param {"ol"|"ul"} tag */
function named(title, items, tag) {
  return items.length ? [element("h3", {}, title), element(tag, {}, ...items)] : [];
}

/** @param {?number} value */
function share(value) {
  return value === null ? NOTHING : value.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
