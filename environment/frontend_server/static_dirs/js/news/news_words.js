/** Sentences about how a fact spread, and the shapes that they are about. */

import { fill, gettext, ngettext } from "../translation.js";

/**
 * @typedef {"own"|"whisper"|"memory_add"|"history"|"sight"|"told"|"concluded"|"claimed"} How  how somebody came to know
 * @typedef {{who: string, step: number, how: How, teller: string, words: string, memory: string, became: string, thought: string,
 *   at: ?[number, number], supported: ?number, is_supported: boolean, commitments: string[]}} Knower
 * @typedef {{step: number, teller: string, who: string, words: string, memory: string, became: string, thought: string,
 *   is_first: boolean, is_supported: boolean, reply: ""|"accepted"|"denied", answer: string, is_private: boolean}} Telling
 * @typedef {{fact: string, about: string, people: number, first: number, steps: number, knowers: Knower[], tellings: Telling[],
 *   parents: Record<string, string>}} News  as `ville measure --news` writes it
 * @typedef {{timeText(step: number): string, watch(step: number, who: string): string, mind(step: number, who: string): string,
 *   face(who: string): HTMLElement}} NewsView  how people and moments are shown
 */

/** How somebody came to know. @param {Knower} knower */
export function howText({ how, teller }) {
  /** @type {Record<How, string>} */
  const texts = {
    own: gettext("own news"),
    whisper: gettext("it was whispered"),
    memory_add: gettext("a planted memory"),
    history: gettext("from a history"),
    sight: gettext("saw or heard it"),
    told: fill(gettext("from %(name)s"), { name: teller }),
    concluded: teller ? fill(gettext("concluded after a talk with %(name)s"), { name: teller }) : gettext("concluded from other memories"),
    claimed: gettext("only claims to know: no memory says so"),
  };
  return texts[how];
}

/** Who knows, in a sentence. @param {News} news  @param {(step: number) => string} timeText */
export function summary({ knowers, people }, timeText) {
  if (!knowers.length) return gettext("Nobody has said or thought this, as far as words can tell.");
  const first = knowers[0];
  const count = fill(ngettext("%(count)s of %(people)s people knows of it.", "%(count)s of %(people)s people know of it.", knowers.length), { count: knowers.length, people });
  return `${count} ${fill(gettext("The first: %(name)s, %(time)s (%(how)s)."), { name: first.who, time: timeText(first.step), how: howText(first) })}`;
}

/** Who claims what no memory supports. @param {News} news */
export function claimsText({ knowers }) {
  if (!knowers.length) return "";
  const claims = knowers.filter((each) => !each.is_supported).map(({ who }) => who);
  if (!claims.length) return gettext("Everyone who speaks of it has a memory that supports it.");
  return fill(gettext("Spoke of it before any memory supported it: %(names)s."), { names: claims.join(", ") });
}

/** @type {Record<string, () => string>} */
const OUTCOMES = {
  open: () => gettext("(ahead)"),
  kept: () => gettext("(kept)"),
  broken: () => gettext("(broken)"),
  "called off": () => gettext("(called off)"),
  refused: () => gettext("(refused)"),
};

/**
 * What was agreed on, and what became of it in words of the reader, as a sentence in two parts.
 * @param {string} text  as the engine has it: `tea at noon (called off)`
 * @returns {[string, string]}
 */
export function agreement(text) {
  const [, what, outcome] = /^(.*) \(([a-z ]+)\)$/s.exec(text) ?? [];
  const words = OUTCOMES[outcome];
  return words ? [what.replace(/\.$/, ""), ` ${words()}.`] : [text.replace(/\.$/, ""), "."];
}

/** What a listener made of it. @param {Telling} telling */
export function replyText({ reply }) {
  return { accepted: gettext("says yes"), denied: gettext("says no"), "": "" }[reply];
}
