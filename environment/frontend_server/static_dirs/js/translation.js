/** Translations from the catalogue that Django serves at /jsi18n/. Without it, texts stay English. */

const catalogue = globalThis.django;

/** Language of the page, for dates and numbers. */
export const language = globalThis.document?.documentElement?.lang || "en";

/** @param {string} text  @returns {string} */
export function gettext(text) {
  return catalogue ? catalogue.gettext(text) : text;
}

/** The English texts that have a translation. @returns {string[]} */
export function translatedTexts() {
  return Object.keys(catalogue?.catalog ?? {});
}

/** @param {string} one  @param {string} many  @param {number} count  @returns {string} */
export function ngettext(one, many, count) {
  if (catalogue) return catalogue.ngettext(one, many, count);
  return count === 1 ? one : many;
}

/** The language of a line of the engine, if it is not that of the page: not every one is translated. @param {string} line */
export function languageOf(line) {
  return /[\u0400-\u04ff]/.test(line) ? null : "en";
}

/** Replaces `%(name)s` in a text with values. @param {string} text  @param {Record<string, unknown>} values */
export function fill(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
}
