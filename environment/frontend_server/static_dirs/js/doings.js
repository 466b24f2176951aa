/**
 * What people do, in the language of the page, as far as the catalogue of doings carries it: whole texts, and templates
 * whose blanks are filled with other doings or with names. What it does not carry is shown as it was recorded.
 */

import { element } from "./dom.js";
import { markRecorded, recorded } from "./recorded.js";
import { fill, gettext, translatedTexts } from "./translation.js";

/** @typedef {{text: string, names: string[]}} Told  a text of the page; `names` stand in it as they were recorded */
/** @typedef {{text: string, blanks: string[], patterns: RegExp[]}} Template */

const WORD = "\\p{Lu}[\\p{L}\\p{N}.&-]*(?:['’]\\p{Lu}\\p{L}*)?";
const PERSON = new RegExp(`^(?!The )${WORD}(?: ${WORD})*$`, "u");
const PLACE = new RegExp(`^${WORD}(?: (?:${WORD}|and|of|for|the))*$`, "u");
const BLANK = /%\((\w+)\)s/;

/** What may stand in a blank. @type {Record<string, (words: string) => ?Told>} */
const FILLINGS = {
  doing: toldDoing,
  subject: (words) => toldDoing(words) ?? named(words, PLACE),
  one: (words) => toldDoing(words) ?? named(words, PERSON),
  more: (words) => toldDoing(words) ?? named(words, PERSON),
  site: (words) => named(words.replace(/^the /, ""), PLACE),
  someone: (words) => named(words, PERSON),
  thing: (words) => ({ text: words, names: [words] }),
};

const FREE = ["doing", "subject", "one", "more"]; // blanks for what is translated itself

/** @type {?Template[]} */
let templates = null;
/** @type {Map<string, ?Told>} */
const known = new Map();

/** Translates what someone does, or what a talk is about; null if the catalogue does not carry it. @param {string} text  @returns {?Told} */
export function toldDoing(text) {
  if (!known.has(text)) known.set(text, whole(text) ?? filled(text) ?? uncapitalized(text));
  return known.get(text);
}

/** The words to show for a doing. @param {string} text */
export function doingText(text) {
  return toldDoing(text)?.text ?? text;
}

/** Shows a doing in an element, and marks what is recorded. @param {HTMLElement} target  @param {string} text */
export function showDoing(target, text) {
  const told = toldDoing(text);
  recorded(target, !told);
  if (target.textContent !== (told?.text ?? text)) target.replaceChildren(...(told ? markRecorded(told.text, told.names) : [text]));
}

/**
 * An element with a doing.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag  @param {Parameters<typeof element>[1]} attributes  @param {string} text
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function doingElement(tag, attributes, text) {
  const made = element(tag, attributes);
  showDoing(made, text);
  return made;
}

/** @param {string} text  @returns {?Told} */
function whole(text) {
  const words = text && gettext(text);
  return words === text ? null : { text: words, names: [] };
}

/** Fills the first template that fits: with as few blanks as can be for other doings, and the most words of its own. @param {string} text  @returns {?Told} */
function filled(text) {
  templates ??= translatedTexts().filter(isTemplate).map(templateOf).sort((one, other) => freedom(one) - freedom(other) || ownLength(other) - ownLength(one));
  for (const template of templates) {
    for (const pattern of template.patterns) {
      const found = pattern.exec(text)?.slice(1).map((words, place) => FILLINGS[template.blanks[place]](words));
      if (!found?.every(Boolean)) continue;
      const values = Object.fromEntries(template.blanks.map((blank, place) => [blank, found[place].text]));
      return { text: fill(gettext(template.text), values), names: found.flatMap(({ names }) => names) };
    }
  }
  return null;
}

/** Pages begin a line with a capital letter. @param {string} text  @returns {?Told} */
function uncapitalized(text) {
  const lower = text.slice(0, 1).toLowerCase() + text.slice(1);
  const told = lower === text ? null : toldDoing(lower);
  return told && { ...told, text: told.text.slice(0, 1).toUpperCase() + told.text.slice(1) };
}

/** @param {string} text  @param {RegExp} form  @returns {?Told} */
function named(text, form) {
  return form.test(text) ? { text, names: [text] } : null;
}

/** @param {string} text */
function isTemplate(text) {
  return BLANK.test(text) && text.split(BLANK).every((part, place) => place % 2 === 0 || part in FILLINGS);
}

/** @param {string} text  @returns {Template} */
function templateOf(text) {
  const parts = text.split(BLANK);
  const blanks = parts.filter((_, place) => place % 2);
  const patterns = ["(.+)", "(.+?)"].map((blank) => new RegExp(`^${parts.map((part, place) => (place % 2 ? blank : literal(part))).join("")}$`, "s"));
  return { text, blanks, patterns };
}

/** @param {string} text */
function literal(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** @param {Template} template */
function freedom({ blanks }) {
  return blanks.filter((blank) => FREE.includes(blank)).length;
}

/** @param {Template} template */
function ownLength({ text, blanks }) {
  return text.length - blanks.reduce((sum, blank) => sum + blank.length + "%()s".length, 0);
}
