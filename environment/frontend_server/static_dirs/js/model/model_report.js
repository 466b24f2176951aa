/** What the engine tells of models, in words. Pure. */

import { fill, gettext, language, ngettext } from "../translation.js";

/**
 * @typedef {"utils.py"|".env"|"environment"|"flags"} Place  where a setting is given, the weakest first
 * @typedef {{people: number, calls: number, tokens: number, dollars: ?number, seconds: number}} Cost  of a day
 * @typedef {{provider: string, fault?: string, title?: string, address?: string, models?: string[], embedder?: string,
 *   notice?: string}} Chosen  what answers in the next town, or what is missing for that
 * @typedef {{provider: string, models: string[]}} FoundServer
 * @typedef {{verdict: "ok"|"note"|"FAIL", what: string, says: string, model?: string, hour?: number, corrections?: number,
 *   tokens?: number, seconds?: number}} Finding
 */

/** @typedef {{text: string, fault?: boolean, english?: boolean}} Notice  something to know; `english`: words of the engine */

/**
 * @typedef {Object} Report  acknowledgement of the request `models`
 * @property {Chosen} chosen
 * @property {Record<string, string>} form  the settings that this page offers to change
 * @property {Record<string, Place>} keys  where the key of each provider is given
 * @property {Record<string, Place>} places  where each setting of models is given
 * @property {Cost[]} costs
 * @property {FoundServer[]} servers
 */

export const RULES = "offline";
/** @type {Record<string, string>} */
const KEYS = {
  openai: "OPENAI_API_KEY",
  openrouter: "OPENROUTER_API_KEY",
  gemini: "GEMINI_API_KEY",
  azure: "AZURE_OPENAI_API_KEY",
  compatible: "VILLE_API_KEY",
};
const WRITTEN = ["provider", "use_openrouter", "base_url", "model_file", "fast_model", "advanced_model", "openai_server"];
const STRONGER = ["environment", "flags"];
const MINUTE = 60;
const HOUR = 60 * MINUTE;

const number = (/** @type {number} */ value) => value.toLocaleString(language);

/** What answers in the next town. @param {Chosen} chosen */
export function nowText({ provider, fault, models, title: known }) {
  if (fault) return gettext("No town can be opened like this.");
  if (provider === RULES) return gettext("Rules, without a model");
  const title = provider === "compatible" ? gettext("another server") : known;
  return fill(gettext("%(models)s at %(title)s"), { models: models.join(", "), title });
}

/**
 * What one should know beside that: what is missing, and which settings of other places count.
 * @param {Report} report  @returns {Notice[]}
 */
export function notices({ chosen, keys, places }) {
  const given = Object.entries(places);
  const key = Object.entries(keys).filter(([provider]) => provider === chosen.provider);
  const stronger = [
    ...given.filter(([name, place]) => WRITTEN.includes(name) && STRONGER.includes(place)).map(([name, place]) => named(name, place)),
    ...key.filter(([, place]) => STRONGER.includes(place)).map(([provider]) => KEYS[provider]),
  ];
  const others = given.filter(([name, place]) => place === "utils.py" || (place === ".env" && !WRITTEN.includes(name)));
  return [
    ...(chosen.fault ? [{ text: chosen.fault, fault: true, english: true }] : []),
    ...(chosen.notice ? [{ text: chosen.notice, english: true }] : []),
    ...(stronger.length ? [{ text: fill(gettext("Set outside of this page, where it counts more than what is chosen here: %(names)s."), { names: stronger.join(", ") }), fault: true }] : []),
    ...(others.length ? [{ text: fill(gettext("Set elsewhere, and counts, too: %(names)s."), { names: others.map(([name, place]) => named(name, place)).join(", ") }) }] : []),
  ];
}

/** A setting as it is written where it is given. @param {string} name  @param {Place} place */
function named(name, place) {
  if (name === "openai_server") return "OPENAI_BASE_URL";
  if (place === "flags") return `--${name.replaceAll("_", "-")}`;
  if (place === "utils.py") return `${name} (utils.py)`;
  const [group, question] = name.split(".");
  return question ? `MODEL_${question.replaceAll("/", "_").toUpperCase()}` : `VILLE_${group.toUpperCase()}`;
}

/** Whether there is a key for a provider. @param {?Place} place  @param {string} provider */
export function keyText(place, provider) {
  if (!place) return provider === "compatible" ? gettext("None is set; not every server needs one.") : gettext("None is set yet.");
  if (place === ".env") return gettext("A key is set. Leave this empty to keep it.");
  const where = place === "environment" ? fill(gettext("%(name)s in the environment"), { name: KEYS[provider] }) : place;
  return fill(gettext("A key is set: %(where)s."), { where });
}

/**
 * What a day costs.
 * @param {?Cost} cost  @param {number} pace  seconds of an answer, as measured; 0 if none was
 */
export function costText(cost, pace) {
  if (!cost) return "";
  if (!cost.calls) return gettext("Nothing: rules are free.");
  const { dollars } = cost;
  const money = dollars === null ? gettext("The price is not known") : dollars === 0 ? gettext("No money") : fill(gettext("About %(dollars)s"), { dollars: moneyText(dollars) });
  const seconds = cost.seconds * (pace || 1);
  const time = pace ? gettext("waiting for answers as fast as the test: %(time)s") : gettext("waiting, if an answer takes a second: %(time)s");
  const parts = [
    money,
    fill(ngettext("%(calls)s call", "%(calls)s calls", cost.calls), { calls: number(cost.calls) }),
    fill(ngettext("%(tokens)s token", "%(tokens)s tokens", cost.tokens), { tokens: number(cost.tokens) }),
    fill(time, { time: timeText(seconds) }),
  ];
  return parts.join(" · ");
}

/** @param {number} dollars */
function moneyText(dollars) {
  return dollars < 0.01 ? "< $0.01" : `$${dollars.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** @param {number} seconds */
function timeText(seconds) {
  if (seconds < HOUR) {
    const minutes = Math.max(1, Math.round(seconds / MINUTE));
    return fill(ngettext("%(count)s minute", "%(count)s minutes", minutes), { count: minutes });
  }
  const hours = Math.round(seconds / HOUR);
  return fill(ngettext("%(count)s hour", "%(count)s hours", hours), { count: number(hours) });
}

/**
 * What came of the test question, for one model or check. Of what is in order only answers are shown.
 * @param {Finding} finding  @returns {{text: string, more: string, english: boolean}}
 */
export function answerText({ model, hour, tokens, seconds, corrections, what, says }) {
  if (!model) return { text: says, more: what, english: true };
  const spent = fill(gettext("%(tokens)s tokens, %(seconds)s s"), { tokens: number(tokens), seconds: seconds.toLocaleString(language, { maximumFractionDigits: 1 }) });
  const corrected = corrections ? [fill(ngettext("after %(count)s correction", "after %(count)s corrections", corrections), { count: corrections })] : [];
  return { text: fill(gettext("Ada gets up at %(hour)s:00."), { hour }), more: [model, spent, ...corrected].join(" · "), english: false };
}
