/**
 * Recorded words: what people say, think and do, and the names of places. They are in the language of the town, not of
 * the page, and marked as such, so that screen readers pronounce them well.
 */

import { element, pageData } from "./dom.js";

/** @type {?string} */
let spoken = null; // code of the language of the town; "" if it is unknown

/**
 * Marks an element whose words are recorded, or no longer.
 * @template {Element} T
 * @param {T} target  @param {boolean} isRecorded  @returns {T} the element
 */
export function recorded(target, isRecorded = true) {
  spoken ??= pageData().language ?? "";
  if (isRecorded && spoken) target.setAttribute("lang", spoken);
  else target.removeAttribute("lang");
  return target;
}

/**
 * An element with recorded words.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag  @param {Parameters<typeof element>[1]} attributes  @param {...(Node|string)} words
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function recordedElement(tag, attributes, ...words) {
  return recorded(element(tag, attributes, ...words));
}

/**
 * Fills `%(name)s` in a text with recorded words, or with elements.
 * @param {string} text  @param {Record<string, string|HTMLElement>} values  @returns {Node[]}
 */
export function fillRecorded(text, values) {
  return text.split(/(%\(\w+\)s)/).filter(Boolean).map((part) => {
    const name = /^%\((\w+)\)s$/.exec(part)?.[1];
    if (!name) return document.createTextNode(part);
    const value = values[name];
    return typeof value === "string" ? recordedElement("span", {}, value) : value;
  });
}

/**
 * A sentence in which some parts are recorded.
 * @param {string} text  @param {string[]} parts  @param {(words: string) => HTMLElement} shown  makes the element of a part
 * @returns {Node[]}
 */
export function markRecorded(text, parts, shown = (words) => recordedElement("span", {}, words)) {
  return splitRecorded(text, parts).map(([words, isRecorded]) => (isRecorded ? shown(words) : document.createTextNode(words)));
}

/**
 * Splits a text into its parts and what is between them. Pure.
 * @param {string} text  @param {string[]} parts  @returns {Array<[string, boolean]>} whether each is one of the parts
 */
export function splitRecorded(text, parts) {
  const found = parts.find((part) => text.includes(part));
  if (!found) return text ? [[text, false]] : [];
  const start = text.indexOf(found);
  const rest = parts.filter((part) => part !== found);
  return [
    ...splitRecorded(text.slice(0, start), rest),
    [found, true],
    ...splitRecorded(text.slice(start + found.length), rest),
  ];
}
