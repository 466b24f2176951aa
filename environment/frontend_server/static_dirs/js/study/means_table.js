/** Means, intervals and differences of all measures as a table. */

import { measureName, numberText } from "../compare/comparison_words.js";
import { element, headingRow } from "../dom.js";
import { fill, gettext, language } from "../translation.js";

/**
 * @typedef {{low: ?number, high: ?number}} Interval
 * @typedef {{arm: string, estimate: ?(Interval & {count: number, mean: number}), difference: ?(Interval & {mean: number, p: number,
 *   needed: number})}} ArmResult
 * @typedef {{measure: string, digits: number, bases: Array<{base: string, arms: ArmResult[]}>}} MeasureNumbers
 * @typedef {MeasureNumbers & {file: string, svg: string}} Measure
 * @param {MeasureNumbers[]} measures  of /study_results/, at least one
 */
export function meansTable(measures) {
  const several = measures[0].bases.length > 1;
  const first = measures[0].bases[0].arms[0].arm;
  const base = several ? [gettext("Starting point")] : [];
  const heads = [gettext("Measure"), ...base, gettext("Arm"), gettext("Runs done"), gettext("Mean"), gettext("95% interval"), fill(gettext("minus %(arm)s"), { arm: first }), gettext("95% interval"), "p"];
  const bodies = measures.map((measure) => element("tbody", {}, ...rows(measure, several)));
  const caption = element("caption", { class: "unseen" }, gettext("Means and intervals"));
  return element("table", { class: "means" }, caption, element("thead", {}, headingRow(heads)), ...bodies);
}

/**
 * Returns how many seeds a difference needs to be more than noise; 0 if there are enough everywhere.
 * @param {MeasureNumbers[]} measures
 */
export function seedsNeeded(measures) {
  const results = measures.flatMap(({ bases }) => bases.flatMap(({ arms }) => arms));
  return Math.max(0, ...results.map(({ difference }) => difference?.needed ?? 0));
}

/** @param {MeasureNumbers} measure  @param {boolean} several */
function rows({ measure, digits, bases }, several) {
  const all = bases.reduce((sum, base) => sum + base.arms.length, 0);
  return bases.flatMap(({ base, arms }, number) =>
    arms.map((arm, place) => {
      const names = number || place ? [] : [groupHead(measureName(measure), all)];
      if (several && !place) names.push(groupHead(base, arms.length));
      return row(names, arm, digits, place);
    }),
  );
}

const groupHead = (/** @type {string} */ words, /** @type {number} */ rowspan) => element("th", { scope: "rowgroup", rowspan: String(rowspan) }, words);

/** @param {Node[]} names  @param {ArmResult} result  @param {number} digits  @param {number} place */
function row(names, { arm, estimate, difference }, digits, place) {
  const number = (/** @type {number} */ value, signed = false) => numberText(value, digits, language, { signed });
  const between = (/** @type {?Interval} */ found, signed = false) => (found && found.low !== null ? `${number(found.low, signed)} … ${number(found.high, signed)}` : "–");
  const apart = place ? [difference ? number(difference.mean, true) : "–", between(difference, true), difference ? numberText(difference.p, 3, language) : "–"] : ["", "", ""];
  const texts = [String(estimate?.count ?? 0), estimate ? number(estimate.mean) : "–", between(estimate), ...apart];
  return element("tr", {}, ...names, element("th", { scope: "row" }, arm), ...texts.map((text) => element("td", {}, text)));
}
