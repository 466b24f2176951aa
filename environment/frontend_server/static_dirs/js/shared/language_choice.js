/** The language of a shared file: that of the browser, as far as the file has its translations. Comes before all texts. */

const wanted = navigator.languages.map((language) => language.split("-")[0]);
const spoken = wanted.find((language) => language === "en" || language in globalThis.villeWords) ?? "en";
document.documentElement.lang = spoken;
const words = globalThis.villeWords[spoken];
if (words) globalThis.django = { catalog: words, gettext: (text) => String(words[text] ?? text), ngettext };

/** @param {string} one  @param {string} many  @param {number} count */
function ngettext(one, many, count) {
  const found = words[one];
  if (typeof found !== "object") return count === 1 ? one : many;
  return found.forms[Number(found.takes[count < 100 ? count : 100 + (count % 100)])];
}
