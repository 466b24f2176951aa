/** What a study will take, in words. Pure. */

import { fill, gettext, language, ngettext } from "../translation.js";
import { dollars, whole } from "./study_words.js";

const MINUTE = 60; // seconds
const HOUR = 3600;
const MEGABYTE = 1e6;
const GIGABYTE = 1e9;

/**
 * @typedef {{runs: number, calls: number, tokens: number, dollars: ?number, paid: boolean, range: [number, number], seconds: number, bytes: number}}
 *   Estimate  of what is not done yet; `range`: between these factors of it is what is likely
 * @param {Estimate} estimate
 */
export function estimateText(estimate) {
  const { runs, calls, seconds, bytes } = estimate;
  const left = fill(ngettext("%(count)s run to do", "%(count)s runs to do", runs), { count: whole(runs) });
  return [left, ...(calls ? asked(estimate) : [gettext("no calls: rules answer, nothing is paid")]), timeText(seconds), sizeText(bytes)].join(" · ");
}

/** @param {Estimate} estimate */
function asked({ calls, tokens, dollars: cost, paid, range: [least, most] }) {
  const likely = cost === null ? gettext("likely %(least)s to %(most)s tokens") : gettext("likely %(least)s to %(most)s");
  const sum = (/** @type {number} */ factor) => (cost === null ? whole(Math.round(tokens * factor)) : dollars(cost * factor));
  return [
    fill(ngettext("about %(calls)s call", "about %(calls)s calls", calls), { calls: whole(calls) }),
    fill(ngettext("%(tokens)s token", "%(tokens)s tokens", tokens), { tokens: whole(tokens) }),
    cost === null ? gettext("the price is not known") : fill(gettext("about %(dollars)s"), { dollars: dollars(cost) }),
    ...(paid ? [fill(likely, { least: sum(least), most: sum(most) })] : []),
  ];
}

/**
 * The text of the button that begins what was estimated: it says what is paid for, so that pressing it agrees to that.
 * @param {string} action  @param {?Estimate} estimate
 */
export function agreeText(action, estimate) {
  if (!estimate?.paid || !estimate.calls) return action;
  if (estimate.dollars === null) return fill(ngettext("%(action)s and pay for about %(count)s call", "%(action)s and pay for about %(count)s calls", estimate.calls), { action, count: whole(estimate.calls) });
  return fill(gettext("%(action)s and pay about %(dollars)s"), { action, dollars: dollars(estimate.dollars) });
}

/** @param {number} seconds */
function timeText(seconds) {
  const minutes = Math.max(1, Math.ceil(seconds / MINUTE));
  if (seconds < HOUR) return fill(ngettext("about %(count)s minute", "about %(count)s minutes", minutes), { count: minutes });
  return fill(gettext("about %(hours)s h"), { hours: (seconds / HOUR).toLocaleString(language, { maximumFractionDigits: 1 }) });
}

/** @param {number} bytes */
function sizeText(bytes) {
  if (bytes < GIGABYTE) return fill(gettext("%(size)s MB on disk"), { size: whole(Math.ceil(bytes / MEGABYTE)) });
  return fill(gettext("%(size)s GB on disk"), { size: (bytes / GIGABYTE).toLocaleString(language, { maximumFractionDigits: 1 }) });
}
