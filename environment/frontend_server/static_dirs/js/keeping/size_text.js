/** Sizes of simulations. */

import { language } from "../translation.js";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"];

/** `12.4 MB` in the language of the reader. @param {number} size  bytes */
export function sizeText(size) {
  const level = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  const number = size / 1000 ** level;
  return number.toLocaleString(language, { style: "unit", unit: UNITS[level], maximumFractionDigits: number < 10 ? 1 : 0 });
}
