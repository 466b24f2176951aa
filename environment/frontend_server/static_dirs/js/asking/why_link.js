/** Links to the page that says why someone does, said or remembers something. */

import { element } from "../dom.js";
import { fill, gettext } from "../translation.js";

/**
 * @typedef {{who: string, step: number, said?: string, memory?: string}} Asked  an act: what `who` does at a step, has last said
 *   until then in these words, or remembers
 * @typedef {(speaker: string, words: string) => ?string} WhyOfLine  address for a line of a conversation; null for none
 */

/**
 * Address of the causes of an act; null where they are not shown. Pure.
 * @param {{why?: string}} page  @param {Asked} asked
 */
export function whyAddress({ why }, asked) {
  return why ? `${why}&${new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))}` : null;
}

/** @param {?string} address  @param {string} of what it explains, for screen readers */
export function whyLink(address, of) {
  if (!address) return null;
  return element("a", { class: "why", href: address, "aria-label": fill(gettext("Why? (%(what)s)"), { what: of }) }, gettext("Why?"));
}
