/** Game time: steps, moments and texts. A moment is milliseconds since 1970, without a time zone (read as UTC). */

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const NO_BREAK_SPACE = "\u00a0"; // within a date, so that lines break only after the day of the week

/** `2023-02-13T08:00:00` or `2023-02-13 08:00:00` → moment. @param {string} text */
export function momentOf(text) {
  return Date.parse(`${text.replace(" ", "T")}Z`);
}

export class Clock {
  /** @param {string} start ISO time of step 0  @param {number} secondsPerStep */
  constructor(start, secondsPerStep) {
    this.start = momentOf(start);
    this.tick = secondsPerStep * 1000;
  }

  /** The moment of a step. @param {number} step */
  at(step) {
    return this.start + step * this.tick;
  }
}

/** Hours since midnight, as a fraction. @param {number} moment */
export function hourOf(moment) {
  return (((moment % DAY) + DAY) % DAY) / HOUR;
}

/** `08:00`, or with seconds. @param {number} moment */
export function timeText(moment, { seconds = false } = {}) {
  return new Date(moment).toISOString().slice(11, seconds ? 19 : 16);
}

/** Short day of the week, like `Mon`. @param {number} moment  @param {string} language */
export function dayText(moment, language) {
  return capitalizedDate(moment, language, { weekday: "short" });
}

/**
 * Date that begins a line; `within` a sentence, some languages write days in lower case.
 * @param {number} moment  @param {string} language
 */
export function dateText(moment, language, { short = false, within = false } = {}) {
  /** @type {Intl.DateTimeFormatOptions} */
  const form = short
    ? { weekday: "short", month: "short", day: "numeric" }
    : { weekday: "long", month: "long", day: "numeric", year: "numeric" };
  const text = (within ? formatDate : capitalizedDate)(moment, language, form);
  const day = text.indexOf(", ") + 2;
  return text.slice(0, day) + text.slice(day).replaceAll(" ", NO_BREAK_SPACE);
}

/** @param {number} moment  @param {string} language  @param {Intl.DateTimeFormatOptions} form */
function capitalizedDate(moment, language, form) {
  const text = formatDate(moment, language, form);
  return text[0].toLocaleUpperCase(language) + text.slice(1);
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map(); // making one takes as long as drawing many people

/** @param {number} moment  @param {string} language  @param {Intl.DateTimeFormatOptions} form */
function formatDate(moment, language, form) {
  const key = `${language} ${Object.entries(form)}`;
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(language, { timeZone: "UTC", ...form }));
  return formats.get(key).format(moment);
}
