/** Texts of the page of a study. */

import { fill, gettext, language, ngettext } from "../translation.js";

const STATES = {
  waiting: () => gettext("waiting"),
  running: () => gettext("is being run"),
  done: () => gettext("done"),
  failed: () => gettext("failed"),
  stopped: () => gettext("stopped"),
};
const MINUTE = 60; // seconds
const HOUR = 3600;

/**
 * @typedef {Object} Job  a run of a study, or a beginning that several share
 * @property {string} run  its name
 * @property {string} base
 * @property {string} arm  empty for a shared beginning
 * @property {number} seed
 * @property {"waiting"|"running"|"done"|"failed"|"stopped"} state
 * @property {number} first_step
 * @property {number} step
 * @property {number} until_step
 * @property {?number} cost  in dollars
 * @property {string} link  to what is to be seen of it; empty if there is nothing
 */

/**
 * @typedef {{fault: string, runs: string[], count: number}} Failure  a reason, the first runs that have it, and how many do
 * @typedef {{state: Job["state"], done: number, runs: number, steps: number, steps_done: number, jobs: Job[], damage: string[],
 *   page: number, pages: number, seeds: number[], now: Job[], has_failed: boolean, failures: Failure[], version: number,
 *   spent: ?{calls: number, cost: number, open: number}, budget: {dollars: ?number}}} Study  response of /study_data/: `jobs` of
 *   the `seeds` of a `page`; the `version` is another one whenever a run has another state
 */

/** @param {number} value */
export const whole = (value) => Math.round(value).toLocaleString(language);
/** @param {number} value */
export const dollars = (value) => `$${value.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** Share of its own steps that a run has computed, 0 to 1. @param {Job} job */
export const share = ({ step, first_step: first, until_step: until }) => (until > first ? (step - first) / (until - first) : 1);

/** How far all of it has come, in a sentence. @param {Study} study */
export function stateText({ state, done, runs }) {
  const count = fill(ngettext("%(done)s of %(runs)s run is done", "%(done)s of %(runs)s runs are done", runs), { done, runs });
  if (state === "running") return `${count} …`;
  if (state === "stopped") return `${count}. ${gettext("The study is not being run now, and can go on.")}`;
  if (state === "failed") return `${count}. ${gettext("What has failed can be run again.")}`;
  return `${count}.`;
}

/** Rate, end and cost, as a list of texts. @param {Study} study  @param {?{rate: number, left: number}} pace */
export function factTexts({ state, done, runs, now, spent, budget }, pace) {
  const facts = now.map(stepText);
  if (pace) {
    facts.push(fill(gettext("%(rate)s steps a minute"), { rate: whole(pace.rate * MINUTE) }), leftText(pace.left));
  } else if (state === "running" && done < runs) facts.push(gettext("estimating the end …"));
  if (spent) facts.push(spentText(spent, budget));
  return facts;
}

/** @param {number} seconds */
function leftText(seconds) {
  const end = new Date(Date.now() + seconds * 1000);
  /** @type {Intl.DateTimeFormatOptions} */
  const far = seconds > 20 * HOUR ? { weekday: "short" } : {};
  const time = end.toLocaleTimeString(language, { ...far, hour: "2-digit", minute: "2-digit" });
  const minutes = Math.max(1, Math.round(seconds / MINUTE));
  const values = { hours: Math.floor(minutes / 60), minutes: minutes < 60 ? minutes : minutes % 60, time };
  return fill(minutes < 60 ? gettext("about %(minutes)s min left, until %(time)s") : gettext("about %(hours)s h %(minutes)s min left, until %(time)s"), values);
}

/** @param {Study["spent"]} spent  @param {Study["budget"]} budget */
function spentText({ calls, cost, open }, { dollars: limit }) {
  const made = fill(ngettext("%(calls)s call", "%(calls)s calls", calls), { calls: whole(calls) });
  const now = open ? fill(gettext("%(open)s open"), { open: whole(open) }) : "";
  const paid = limit ? fill(gettext("%(cost)s of %(limit)s"), { cost: dollars(cost), limit: dollars(limit) }) : dollars(cost);
  return [made, now, cost || limit ? paid : ""].filter(Boolean).join(", ");
}

/** Where a run is: `untouched, seed 1: step 420 of 4,320`. @param {Job} job */
function stepText({ arm, seed, step, until_step: until }) {
  return fill(gettext("%(name)s, seed %(seed)s: step %(step)s of %(until)s"), { name: arm || gettext("shared beginning"), seed, step: whole(step), until: whole(until) });
}

/** A run in words: `untouched, seed 1: is being run, step 420 of 4,320`. @param {Job} job */
export function jobText(job) {
  const { arm, seed, state, step, until_step: until, cost } = job;
  const name = arm || gettext("shared beginning");
  if (state === "waiting") return fill(gettext("%(name)s, seed %(seed)s: %(state)s"), { name, seed, state: STATES[state]() });
  const where = fill(gettext("%(name)s, seed %(seed)s: %(state)s, step %(step)s of %(until)s"), { name, seed, state: STATES[state](), step: whole(step), until: whole(until) });
  return cost ? `${where}, ${dollars(cost)}` : where;
}
