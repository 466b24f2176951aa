/** Game time: from steps to moments and to text. A moment is milliseconds since 1970, read without any time zone. */

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const UNBROKEN = "\u00a0"; // the space within a date: a line breaks only after the day of the week

/** `2023-02-13T08:00:00` or `2023-02-13 08:00:00` → moment. */
export function momentOf(text) {
  return Date.parse(`${text.replace(" ", "T")}Z`);
}

export class Clock {
  /** @param {string} start ISO time of step 0  @param {number} secondsPerStep */
  constructor(start, secondsPerStep) {
    this.start = momentOf(start);
    this.tick = secondsPerStep * 1000;
  }

  at(step) {
    return this.start + step * this.tick;
  }
}

/** Hours since midnight, with fraction. */
export function hourOf(moment) {
  return (((moment % DAY) + DAY) % DAY) / HOUR;
}

export function timeText(moment, { seconds = false } = {}) {
  return new Date(moment).toISOString().slice(11, seconds ? 19 : 16);
}

/** `Mon`, for narrow places. */
export function dayText(moment, language) {
  return inWords(moment, language, { weekday: "short" });
}

/** As a line begins; `within` a sentence some languages write days small. */
export function dateText(moment, language, { short = false, within = false } = {}) {
  const form = short
    ? { weekday: "short", month: "short", day: "numeric" }
    : { weekday: "long", month: "long", day: "numeric", year: "numeric" };
  const text = (within ? formatted : inWords)(moment, language, form);
  const day = text.indexOf(", ") + 2;
  return text.slice(0, day) + text.slice(day).replaceAll(" ", UNBROKEN);
}

function inWords(moment, language, form) {
  const text = formatted(moment, language, form);
  return text[0].toLocaleUpperCase(language) + text.slice(1);
}

function formatted(moment, language, form) {
  return new Intl.DateTimeFormat(language, { timeZone: "UTC", ...form }).format(moment);
}
