/** Means, intervals and differences of all measures as a table. */

import { measureName, numberText } from "../compare/words.js";
import { element } from "../dom.js";
import { fill, gettext, language } from "../translation.js";

/** @param {Object[]} measures  of /study_results/ */
export function meansTable(measures) {
  const first = measures[0]?.arms[0].arm ?? "";
  const heads = [gettext("Measure"), gettext("Arm"), gettext("Runs done"), gettext("Mean"), gettext("95% interval"), fill(gettext("minus %(arm)s"), { arm: first }), gettext("95% interval")];
  const head = element("tr", {}, ...heads.map((words) => element("th", { scope: "col" }, words)));
  const bodies = measures.map((measure) => element("tbody", {}, ...measure.arms.map((arm, place) => row(measure, arm, place))));
  const caption = element("caption", { class: "unseen" }, gettext("Means and intervals"));
  return element("table", { class: "means" }, caption, element("thead", {}, head), ...bodies);
}

function row({ measure, digits, arms }, { arm, estimate, difference }, place) {
  const number = (value, signed = false) => numberText(value, digits, language, { signed });
  const between = (found, signed) => (found && found.low !== null ? `${number(found.low, signed)} … ${number(found.high, signed)}` : "–");
  const name = place ? [] : [element("th", { scope: "rowgroup", rowspan: String(arms.length) }, measureName(measure))];
  const apart = place ? [difference ? number(difference.mean, true) : "–", between(difference, true)] : ["", ""];
  const texts = [String(estimate?.count ?? 0), estimate ? number(estimate.mean) : "–", between(estimate), ...apart];
  return element("tr", {}, ...name, element("th", { scope: "row" }, arm), ...texts.map((text) => element("td", {}, text)));
}
