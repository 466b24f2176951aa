/** The causes of an act as an outline: nested lists, each cause once. */

import { element } from "../dom.js";
import { recordedElement } from "../recorded.js";
import { fill, gettext, ngettext } from "../translation.js";
import { beginningText, decisionText, interventionText, kindText, verdictText } from "./why_words.js";
/** @import { Cause, Chain, Verdict } from "./why_words.js" */

const OPEN = 3; // levels that are open at first

/** @typedef {{timeText: (step: number) => string, watch: (step: number, who: string) => string, mind: (cause: Cause) => ?string}} WhyView */

/** @param {Chain} chain  @param {WhyView} view  @returns {HTMLElement} */
export function whyOutline({ causes, first, verdicts }, view) {
  const found = new Map(verdicts.map((verdict) => [verdict.cause, verdict]));
  /** @type {Map<string, string>} */
  const ids = new Map();
  /** @type {(keys: string[], depth: number) => HTMLElement} */
  const list = (keys, depth) => element("ul", {}, ...keys.map((key, place) => item(key, depth, place)));
  /** @type {(key: string, depth: number, place: number) => HTMLElement} */
  const item = (key, depth, place) => {
    const cause = causes[key];
    const known = ids.get(key);
    if (known) return element("li", {}, again(cause, known));
    ids.set(key, `cause-${ids.size + 1}`);
    const isNamedFirst = depth === 1 && !place && causes[first].because.length > 1;
    const box = causeBox(cause, { id: ids.get(key), isNamedFirst, verdict: found.get(key), view });
    if (!cause.because.length) return element("li", {}, box);
    const below = list(cause.because, depth + 1);
    return element("li", {}, box, depth < OPEN ? below : folded(below, cause.because.length));
  };
  const roots = causes[first].because.length ? causes[first].because : [first];
  const outline = list(roots, 1);
  outline.className = "why-outline";
  return outline;
}

/** @param {HTMLElement} below  @param {number} count */
function folded(below, count) {
  const words = ngettext("and %(count)s cause of this", "and %(count)s causes of this", count);
  return element("details", {}, element("summary", {}, fill(words, { count })), below);
}

/** @param {Cause} cause  @param {string} id */
function again(cause, id) {
  const link = element("a", { href: `#${id}` }, gettext("see above"));
  const [what, words] = cause.kind === "intervention" ? interventionText(cause.words) : ["", cause.words];
  const told = recordedElement("span", {}, shortened(words));
  return element("p", { class: "again" }, element("small", {}, `${kindText(cause)}: `), what, what && words ? " – " : "", told, " (", link, ")");
}

/** @param {string} words */
function shortened(words) {
  return words.length > 70 ? `${words.slice(0, 68)} …` : words;
}

/** @param {Cause} cause  @param {{id: string, isNamedFirst: boolean, verdict: Verdict|undefined, view: WhyView}} options */
function causeBox(cause, { id, isNamedFirst, verdict, view }) {
  const { kind, who, step } = cause;
  const [what, words] = kind === "intervention" ? interventionText(cause.words) : ["", cause.words];
  const when = kind === "history" ? "" : ` · ${view.timeText(step)}`;
  const mind = view.mind(cause);
  return element(
    "div",
    { class: "cause", id, tabindex: "-1", "data-kind": kind, "data-end": !cause.because.length },
    element(
      "p",
      { class: "head" },
      element("span", { class: "kind" }, kindText(cause)),
      " ",
      element("strong", {}, what || who),
      element("small", {}, when),
      isNamedFirst ? element("span", { class: "first" }, gettext("named first")) : null,
    ),
    words ? recordedElement("blockquote", {}, words) : null,
    verdict ? verdictLine(verdict) : null,
    element(
      "p",
      { class: "links" },
      beginningText(cause) ? element("small", {}, beginningText(cause)) : null,
      kind === "history" ? null : element("a", { href: view.watch(step, who) }, gettext("Watch the moment")),
      mind ? element("a", { href: mind }, kind === "talk" || kind === "utterance" ? gettext("The talk") : gettext("The memory")) : null,
    ),
  );
}

/** @param {Verdict} verdict */
function verdictLine(verdict) {
  const instead = verdict.instead ? [` ${gettext("Instead:")} `, recordedElement("q", {}, verdict.instead)] : [];
  return element(
    "p",
    { class: "tested", "data-decision": verdict.decision },
    element("strong", {}, decisionText(verdict)),
    " ",
    verdictText(verdict),
    ...instead,
  );
}
