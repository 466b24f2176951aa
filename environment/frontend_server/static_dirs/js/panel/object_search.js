/** Finds objects by what people call them: `stove` and `плита` find the cooking area. Pure. */

import { parseAddress } from "../playback/frames.js";
/** @import { TownObject } from "../acting/places.js" */

const SHORTEST_STEM = 4; // letters of a word whose end may differ

/**
 * Objects that all words of a text describe: by their address, or by other words for its parts.
 * @typedef {{object: TownObject, called: string, isMeant: boolean}} Found  `called` is the other word by which the object
 *   itself was found; `isMeant`: whether a word describes it, and not only its place
 * @param {TownObject[]} objects  @param {string} text  @param {Record<string, string[]>} words  other words, by name
 * @returns {Found[]}
 */
export function findObjects(objects, text, words) {
  const asked = tokens(text);
  return objects.flatMap((object) => {
    const { sector, arena, object: name } = parseAddress(object.address);
    const own = words[name] ?? [];
    const around = [object.address, ...(words[sector] ?? []), ...(words[arena] ?? [])];
    const fits = (/** @type {string} */ each) => [...around, ...own].some((known) => describes(known, each));
    if (!asked.every(fits)) return [];
    const called = asked.flatMap((each) => (describes(object.address, each) ? [] : own.filter((known) => describes(known, each))));
    return [{ object, called: called[0] ?? "", isMeant: called.length > 0 || asked.some((each) => describes(name, each)) }];
  });
}

/**
 * Whether one of the words of a known text begins with a word, or is another form of it.
 * @param {string} known  @param {string} word
 */
function describes(known, word) {
  return tokens(known).some((each) => each.startsWith(word) || isFormOf(each, word));
}

/** Whether two words differ in their ends only: `stoves`, `плиту`. @param {string} known  @param {string} word */
function isFormOf(known, word) {
  const stem = known.length > SHORTEST_STEM ? known.slice(0, -1) : known;
  return stem.length >= SHORTEST_STEM && word.startsWith(stem) && word.length - known.length <= 2;
}

/** @param {string} text */
function tokens(text) {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}
