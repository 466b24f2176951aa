/** Means, intervals and differences of all measures as a table. */

import { measureName, numberText } from "../compare/comparison_words.js";
import { element, headingRow } from "../dom.js";
import { fill, gettext, language } from "../translation.js";

const planWords = () => ({ primary: gettext("registered, primary"), registered: gettext("registered"), exploratory: gettext("exploratory") });

/**
 * @typedef {{low: ?number, high: ?number}} Interval
 * @typedef {Interval & {mean: number, p: number, adjusted_p: number, effect: ?number,
 *   effect_between: ?[number, number], too_few: boolean, needed: number, smallest_p: number, exceeds_noise: boolean,
 *   seen_from: ?number, plan: ""|"primary"|"registered"|"exploratory"}} Difference  of two arms or sides: RunDifference
 * @typedef {{arm: string, estimate: ?(Interval & {count: number, mean: number}), difference: ?Difference}} ArmResult
 * @typedef {{measure: string, digits: number, bases: Array<{base: string, arms: ArmResult[]}>}} MeasureNumbers
 * @typedef {MeasureNumbers & {file: string, svg: string}} Measure
 * @param {MeasureNumbers[]} measures  of /study_results/, at least one
 */
export function meansTable(measures) {
  const several = measures[0].bases.length > 1;
  const first = measures[0].bases[0].arms[0].arm;
  const base = several ? [gettext("Starting point")] : [];
  const apart = [fill(gettext("minus %(arm)s"), { arm: first }), gettext("95% interval"), gettext("effect (g)"), "p", gettext("p, adjusted"), gettext("seen from")];
  const heads = [gettext("Measure"), ...base, gettext("Arm"), gettext("Runs done"), gettext("Mean"), gettext("95% interval"), ...apart];
  const bodies = measures.map((measure) => element("tbody", {}, ...rows(measure, several)));
  const caption = element("caption", { class: "unseen" }, gettext("Means and intervals"));
  return element("table", { class: "means" }, caption, element("thead", {}, headingRow(heads)), ...bodies);
}

/** Returns what stands below the table: how to read it, and how many seeds to take. @param {MeasureNumbers[]} measures */
export function meansNotes(measures) {
  const needed = seedsNeeded(measures);
  const few = needed ? [element("p", { class: "caution" }, fill(gettext("With so few runs even the largest difference may be chance: the adjusted p stays above 0.05. Take at least %(count)s seeds."), { count: needed }))] : [];
  return [element("p", { class: "soft" }, gettext("Intervals: Student's t. g: the difference in standard deviations of runs. p: permutation test; adjusted for all differences in this table (Holm). Seen from: the smallest difference that four studies of five with as many runs would find.")), ...few];
}

/**
 * Returns how many seeds a difference needs to be more than noise; 0 if there are enough everywhere.
 * @param {MeasureNumbers[]} measures
 */
function seedsNeeded(measures) {
  const results = measures.flatMap(({ bases }) => bases.flatMap(({ arms }) => arms));
  return Math.max(0, ...results.map(({ difference }) => (difference?.too_few ? difference.needed : 0)));
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
  const apart = !place ? Array(6).fill("") : difference ? differs(difference, number, between) : Array(6).fill("–");
  const texts = [String(estimate?.count ?? 0), estimate ? number(estimate.mean) : "–", between(estimate), ...apart];
  return element("tr", {}, ...names, element("th", { scope: "row" }, arm), ...texts.map((text) => element("td", {}, text)));
}

/**
 * @param {Difference} difference
 * @param {(value: number, signed?: boolean) => string} number
 * @param {(found: ?Interval, signed?: boolean) => string} between
 */
function differs(difference, number, between) {
  const { mean, p, adjusted_p: adjusted, too_few: tooFew, seen_from: seen, plan } = difference;
  const said = tooFew ? gettext("too few to say") : numberText(adjusted, 3, language);
  const told = plan ? `${said} (${planWords()[plan]})` : said;
  return [number(mean, true), between(difference, true), effectText(difference), numberText(p, 3, language), told, seen === null ? "–" : `±${number(seen)}`];
}

/** @param {Difference} difference */
export function effectText({ effect, effect_between: between }) {
  const [found, ...limits] = [effect, ...(between ?? [])].map((value) => numberText(value, 2, language, { signed: true }));
  return limits.length ? `${found} (${limits.join(" … ")})` : found;
}
