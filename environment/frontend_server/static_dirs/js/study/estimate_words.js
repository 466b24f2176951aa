/** What a study will take, in words. Pure. */

import { fill, gettext, language, ngettext } from "../translation.js";
import { dollars, whole } from "./study_words.js";

const MINUTE = 60; // seconds
const HOUR = 3600;
const MEGABYTE = 1e6;
const GIGABYTE = 1e9;

/**
 * @typedef {{runs: number, calls: number, tokens: number, dollars: ?number, seconds: number, bytes: number}} Estimate  of what
 *   is not done yet
 * @param {Estimate} estimate
 */
export function estimateText({ runs, calls, tokens, dollars: cost, seconds, bytes }) {
  const left = fill(ngettext("%(count)s run to do", "%(count)s runs to do", runs), { count: whole(runs) });
  return [left, ...(calls ? paid(calls, tokens, cost) : [gettext("no calls: rules answer, nothing is paid")]), timeText(seconds), sizeText(bytes)].join(" · ");
}

/** @param {number} calls  @param {number} tokens  @param {?number} cost */
function paid(calls, tokens, cost) {
  return [
    fill(ngettext("about %(calls)s call", "about %(calls)s calls", calls), { calls: whole(calls) }),
    fill(ngettext("%(tokens)s token", "%(tokens)s tokens", tokens), { tokens: whole(tokens) }),
    cost === null ? gettext("the price is not known") : fill(gettext("about %(dollars)s"), { dollars: dollars(cost) }),
  ];
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
