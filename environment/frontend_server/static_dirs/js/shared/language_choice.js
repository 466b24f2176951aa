/** The language of a shared file: that of the browser, as far as the file has its translations. Comes before all texts. */

/**
 * @typedef {{texts: Record<string, string|string[]>, plural: number[]}} Words  translations of a language: a text, or one
 *   for each plural form; and which form a number takes
 */

const wanted = navigator.languages.map((language) => language.split("-")[0]);
const spoken = wanted.find((language) => language === "en" || language in globalThis.villeWords) ?? "en";
document.documentElement.lang = spoken;
const words = globalThis.villeWords[spoken];
if (words) globalThis.django = { gettext: (text) => String(words.texts[text] ?? text), ngettext };

/** @param {string} one  @param {string} many  @param {number} count */
function ngettext(one, many, count) {
  const forms = words.texts[one];
  if (!Array.isArray(forms)) return count === 1 ? one : many;
  return forms[words.plural[count < 100 ? count : 100 + (count % 100)]];
}
