/** States of objects in words and as pictures. Pure functions. */

import { fill, gettext } from "../../translation.js";

export const IDLE = "idle"; // ends a state

/** States with a button of their own, in the words that the engine gets. */
export const READY = ["burning", "broken", "flooded"];

/** @type {Array<[RegExp, string]>} */
const PICTURES = [
  [/burn|fire|flame|smok|гор|пожар|дым/i, "🔥"],
  [/broke|smash|crack|torn|wreck|слома|разби/i, "🔧"],
  [/flood|wet|water|leak|soak|затоп|мокр|вод|теч/i, "💧"],
];

/** Picture for the state of an object. @param {string} words  @returns {string} */
export function pictureOf(words) {
  return PICTURES.find(([pattern]) => pattern.test(words))?.[1] ?? "❗";
}

/** What the button of a state does. @param {string} state */
export function verbOf(state) {
  /** @type {Record<string, string>} */
  const verbs = { burning: gettext("Set on fire"), broken: gettext("Break"), flooded: gettext("Flood") };
  return verbs[state];
}

/** `stove is burning`. @param {string} name  @param {string} words */
export function stateText(name, words) {
  /** @type {Record<string, string>} */
  const known = {
    burning: gettext("%(name)s is burning"),
    broken: gettext("%(name)s is broken"),
    flooded: gettext("%(name)s is flooded"),
  };
  if (Object.hasOwn(known, words)) return fill(known[words], { name });
  return fill(gettext("%(name)s is %(state)s"), { name, state: words });
}
