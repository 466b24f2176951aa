/** Texts of the bar that runs the town. Pure. */

import { DAY, dayText, momentOf, timeText } from "../playback/clock.js";
import { fill, gettext, language } from "../translation.js";
import { RULES } from "../acting/powers.js";
/** @import { Clock } from "../playback/clock.js" */
/** @import { Cost, Status } from "../playback/status_watch.js" */

const MIDNIGHT = "00:00";

/** Speeds of a run, in game seconds per second; `max` is as fast as the personas think. @type {Array<number|"max">} */
export const SPEEDS = [1, 10, 60, 600, "max"];

/** @param {number|"max"} speed */
export function speedText(speed) {
  return speed === "max" ? gettext("Max") : `${Number(speed)}×`;
}

/** `until 18:00`, with the day unless it is today. @param {number} moment  @param {number} now */
export function untilText(moment, now) {
  const sameDay = Math.floor(moment / DAY) === Math.floor(now / DAY);
  const time = sameDay ? timeText(moment) : `${dayText(moment, language)} ${timeText(moment)}`;
  return fill(gettext("until %(time)s"), { time });
}

/** What is asked for with a time of day, like `18:00`. @param {string} time */
export function runUntilText(time) {
  return time === MIDNIGHT ? gettext("Run until midnight") : fill(gettext("Run until %(time)s"), { time });
}

/**
 * How far the town runs, or will run.
 * @param {Status} status  @param {Clock} clock  @param {string} next  time of day
 */
export function goalText(status, clock, next) {
  const { backend, until_step: end, until_talk: talk } = status;
  if (backend !== "running" && backend !== "paused") return runUntilText(next);
  if (backend === "paused") return gettext("Paused");
  if (talk) return gettext("Runs until someone talks");
  if (end === null || end === undefined) return gettext("Runs");
  return fill(gettext("Runs %(until)s"), { until: untilText(clock.at(end), clock.at(status.step)) });
}

/**
 * `60×, now 22×`. @param {?number} reached  game seconds per second, null while it is unknown
 * @param {number|"max"} speed
 */
export function paceText(speed, reached) {
  const wanted = speed === "max" ? gettext("As fast as they think") : speedText(speed);
  const now = reached === null ? "" : `${reached < 10 ? reached.toFixed(1).replace(/\.0$/, "") : Math.round(reached)}×`;
  const asWanted = speed !== "max" && reached !== null && reached >= 0.9 * speed;
  return now && !asWanted ? fill(gettext("%(speed)s, now %(now)s"), { speed: wanted, now }) : wanted;
}

/**
 * Where a run ends if nothing else is said: when people get up, later at the end of the day.
 * @param {string} currTime  @returns `07:00`
 */
export function nextGoal(currTime) {
  const hour = currTime ? Number(currTime.split(", ").at(-1).slice(0, 2)) : 0;
  return hour < 7 ? "07:00" : MIDNIGHT;
}

/** What the personas think with, and what that has cost. @param {{models?: string, cost?: ?Cost}} status */
export function modelsText({ models, cost }) {
  if (models === RULES) return gettext("Rules, without a language model");
  if (!cost) return models ?? "";
  const dollars = cost.dollars === null || cost.dollars === undefined ? "" : `$${cost.dollars.toFixed(2)}`;
  const limit = cost.limit ? fill(gettext("of at most $%(limit)s"), { limit: cost.limit.toFixed(2) }) : "";
  const calls = fill(gettext("%(calls)s calls"), { calls: cost.calls.toLocaleString(language) });
  return [models, [calls, [dollars, limit].filter(Boolean).join(" ")].filter(Boolean).join(", ")].filter(Boolean).join(" · ");
}

/** Says that thinking may cost money; nothing if people think by rules. @param {string} [models] */
export function costNote(models) {
  return !models || models === RULES ? "" : fill(gettext("People think with %(models)s, which may cost money."), { models });
}

/** `February 13, 2023, 06:00:00` → moment. @param {string} text */
export function momentOfText(text) {
  return text ? Date.parse(`${text.replace(/, (\d\d:)/, " $1")} UTC`) : momentOf("1970-01-01T00:00:00");
}
