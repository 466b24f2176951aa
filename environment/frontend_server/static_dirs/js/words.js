/** Texts in the reader's language. The catalogue is the script that Django serves at /jsi18n/; without it: English. */

const catalogue = globalThis.django ?? {};

/** What the pages format dates and numbers for. */
export const language = globalThis.document?.documentElement?.lang || "en";

export function gettext(text) {
  return catalogue.gettext ? catalogue.gettext(text) : text;
}

export function ngettext(one, many, count) {
  if (catalogue.ngettext) return catalogue.ngettext(one, many, count);
  return count === 1 ? one : many;
}

/** Puts values into the `%(name)s` places of a text. */
export function fill(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
}
