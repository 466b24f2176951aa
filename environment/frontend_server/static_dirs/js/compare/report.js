/** What came of both runs, below the maps: outcomes, what only one has, prompts, spread, cost, set-up, how to cite. */

import { element, headingRow } from "../dom.js";
import { fill, gettext, language, ngettext } from "../translation.js";
import { curveFigure } from "./curves.js";
import { bySide, measureName, numberText, propertyName, rowText, wayText } from "./comparison_words.js";
/** @import { Comparison, DifferentPrompt, ModelCost, OnlyHere, Outcome, OwnMemory } from "./comparison_words.js" */
/** @import { Clock } from "../playback/clock.js" */
/** @import { Line } from "../playback/dialogue.js" */

const FEW = 5;
const LONG = 110; // characters of a text that are shown at once

export class Report {
  /**
   * @param {Comparison} found
   * @param {{clock: Clock, whenText: (step: number) => string, goTo: (step: number, name: ?string) => void}} page
   */
  constructor(found, { clock, whenText, goTo }) {
    this.found = found;
    this.clock = clock;
    this.whenText = whenText;
    this.goTo = goTo;
  }

  /** Fills the sections of the template. */
  show() {
    const parts = {
      outcomes: this.#outcomes(),
      prompts: this.#prompts(),
      spread: this.#spread(),
      own: this.#own(),
      "set-up": this.#setUp(),
      cite: this.#cite(),
    };
    for (const [name, children] of Object.entries(parts)) {
      const section = document.querySelector(`[data-section=${name}]`);
      section.querySelector("div").replaceChildren(...children);
      section.hidden = !children.length;
    }
  }

  /** @param {number} step  @param {?string} who  @param {...(Node|string)} children */
  #jump(step, who, ...children) {
    const button = element("button", { type: "button", class: "jump" }, ...children);
    button.addEventListener("click", () => this.goTo(step, who));
    return button;
  }

  #outcomes() {
    const { measures, curves, ties } = this.found.outcomes;
    const view = { clock: this.clock, first: this.found.equal.first, last: this.found.equal.end, onPick: this.goTo };
    const rows = measures.filter(({ a, b }) => a !== null || b !== null).map(measureRow);
    return [
      element("div", { class: "curves" }, ...curves.map((curve) => curveFigure(curve, view))),
      table(["", "A", "B", "B − A"], rows),
      ...ties.flatMap((each) => bySide(each.only_a, each.only_b).filter(([, names]) => names.length).map(([side, names]) => tieLine(each.what, side, names))),
    ];
  }

  #prompts() {
    const { prompts, prompts_from: from, equal } = this.found;
    if (equal.until === null) return [];
    if (!prompts.length) return [element("p", { class: "soft" }, unknownPrompts(from))];
    return prompts.map((each) =>
      element(
        "article",
        { class: "prompt" },
        this.#jump(each.step, each.who, element("strong", {}, each.who), " ", element("small", {}, this.whenText(each.step)), " ", element("code", {}, each.question)),
        each.asked_by === "both" ? null : element("p", { class: "soft" }, fill(gettext("Only %(side)s was asked this."), { side: each.asked_by.toUpperCase() })),
        ...each.lines.slice(0, FEW).map(markedLine),
      ),
    );
  }

  #spread() {
    if (!this.found.spread.length) return [];
    const { reached, reached_unmoved: unmoved, moved_unreached: unreached } = this.found.reach;
    const lines = this.found.spread.map((each) =>
      element("li", {}, this.#jump(each.step, each.who, element("strong", {}, each.who), " ", element("small", {}, this.whenText(each.step)), " ", wayText(each)), each.words ? element("q", {}, each.words) : null),
    );
    /** @type {Array<[string, string[]]>} */
    const groups = reached.length ? [[gettext("Reached, but does nothing else"), unmoved], [gettext("Does something else, but was not reached"), unreached]] : [];
    return [
      shortList("ol", "spread", lines),
      ...groups.map(([title, names]) => element("p", { class: "group" }, element("strong", {}, `${title}: `), names.length ? names.join(", ") : gettext("no one"))),
    ];
  }

  #own() {
    return bySide(this.found.only_a, this.found.only_b).flatMap(([side, own]) => {
      if (!Object.keys(own.counts).length && !own.talks.length) return [];
      return [element("div", { class: "own" }, element("h3", {}, badge(side), " ", fill(gettext("Only in %(name)s"), { name: (side === "A" ? this.found.a : this.found.b).name })), ...this.#ownLists(own))];
    });
  }

  /** @param {OnlyHere} own */
  #ownLists({ talks, plans, memories, counts }) {
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const talkItems = talks.map((talk) => element("li", {}, this.#jump(talk.step, talk.names[0], element("strong", {}, talk.names.join(", ")), " ", element("small", {}, this.whenText(talk.step))), transcript(talk)));
    const memoryItems = (/** @type {OwnMemory[]} */ list) => list.map(({ who, step, text }) => element("li", {}, this.#jump(step, who, element("strong", {}, who), " ", element("small", {}, this.whenText(step))), folded(text)));
    /** @type {Array<[string, HTMLLIElement[]]>} */
    const groups = [[gettext("Conversations"), talkItems], [gettext("Plans"), memoryItems(plans)], [gettext("Thoughts"), memoryItems(memories)]];
    return [
      element("p", { class: "soft" }, fill(ngettext("%(count)s memory in all", "%(count)s memories in all", all), { count: all })),
      ...groups.filter(([, items]) => items.length).flatMap(([title, items]) => [element("h4", {}, title), shortList("ul", "records", items)]),
    ];
  }

  #setUp() {
    const { differences, only_a: onlyA, only_b: onlyB } = this.found.set_up;
    const rows = differences.map(({ what, a, b }) => [propertyName(what), a || "–", b || "–"]);
    const foreign = bySide(onlyA, onlyB).flatMap(([side, list]) =>
      list.map((row) => element("li", {}, badge(side), " ", this.#jump(row.step, row.who.split(", ")[0] || null, element("strong", {}, rowText(row)), " ", element("small", {}, this.whenText(row.step))), row.words ? element("q", {}, row.words) : null)),
    );
    if (!rows.length && !foreign.length) return [element("p", { class: "soft" }, gettext("Nothing differs in their set-up."))];
    return [rows.length ? table(["", "A", "B"], rows) : null, foreign.length ? shortList("ul", "records", foreign) : null].filter(Boolean);
  }

  #cite() {
    const { outcomes } = this.found;
    return bySide({ ...this.found.a, cost: outcomes.cost_a }, { ...this.found.b, cost: outcomes.cost_b }).map(([side, { citation, rerun, cost }]) => {
      return element("div", { class: "cite" }, element("p", {}, badge(side), " ", citation), cost ? element("p", { class: "soft" }, costText(cost)) : null, rerun ? element("pre", {}, rerun) : null);
    });
  }
}

/** @param {string} from */
function unknownPrompts(from) {
  /** @type {Record<string, string>} */
  const known = {
    ledgers: gettext("All prompts are the same."),
    traces: gettext("All prompts are the same."),
    "only one of the runs has a ledger": gettext("Only one of the runs has a ledger."),
  };
  return known[from] ?? gettext("The rules keep no ledger, and these steps cannot be computed again, so the prompts are not known.");
}

/** @param {ModelCost} cost */
function costText({ calls, tokens, dollars, failed, corrected }) {
  const values = { calls: numberText(calls, 0, language), tokens: numberText(tokens, 0, language), dollars: numberText(dollars, 4, language), failed, corrected };
  return fill(gettext("%(calls)s calls, %(tokens)s tokens, $%(dollars)s; %(failed)s failed, %(corrected)s corrections"), values);
}

/** @param {Outcome} outcome */
function measureRow({ what, a, b, digits }) {
  const difference = a !== null && b !== null ? b - a : null;
  const change = difference ? numberText(difference, digits, language, { signed: true }) : "";
  return [measureName(what), numberText(a, digits, language), numberText(b, digits, language), change];
}

/** @param {string} what  @param {string} side  @param {string[]} names */
function tieLine(what, side, names) {
  const words = fill(gettext("%(what)s, only here: %(count)s"), { what: measureName(what), count: names.length });
  const isFew = names.length <= FEW;
  return element("details", { class: "ties", open: isFew }, element("summary", {}, badge(side), " ", words), element("p", {}, names.join("; ")));
}

/** @param {string} side  "A" or "B" */
function badge(side) {
  return element("b", { class: "badge", "data-side": side }, side);
}

/** @param {DifferentPrompt["lines"][0]} spans */
function markedLine(spans) {
  /** @type {Record<string, "span"|"del"|"ins">} */
  const tags = { both: "span", a: "del", b: "ins" };
  const sides = new Set(spans.map(({ of }) => of));
  const only = sides.size === 1 && !sides.has("both") ? badge([...sides][0].toUpperCase()) : "";
  return element("p", { class: "marked", "data-whole": String(sides.size === 1) }, only, only && " ", ...spans.map(({ of, words }) => element(tags[of], {}, words)));
}

/** @param {{lines: Line[]}} talk */
function transcript({ lines }) {
  const said = lines.map(([speaker, words]) => element("p", {}, element("b", {}, `${speaker}: `), words));
  return element("details", {}, element("summary", {}, fill(ngettext("%(count)s line", "%(count)s lines", lines.length), { count: lines.length })), ...said);
}

/** A text, of which only the beginning is shown if it is long. @param {string} text */
function folded(text) {
  if (text.length <= LONG) return element("p", {}, text);
  return element("details", {}, element("summary", {}, `${text.slice(0, LONG).trimEnd()} …`), element("p", {}, text));
}

/**
 * A list of which the first items are shown, and the others on request.
 * @param {"ol"|"ul"} tag  @param {string} kind  @param {HTMLElement[]} items
 */
function shortList(tag, kind, items) {
  const list = element(tag, { class: kind }, ...items.slice(0, FEW));
  if (items.length <= FEW) return list;
  const more = element("button", { type: "button", class: "button plain more" }, fill(gettext("Show %(count)s more"), { count: items.length - FEW }));
  more.addEventListener("click", () => {
    list.replaceChildren(...items);
    more.remove();
  });
  return element("div", {}, list, more);
}

/** @param {string[]} heads  @param {Array<Array<string|number>>} rows */
function table(heads, rows) {
  const body = rows.map(([first, ...cells]) => element("tr", {}, element("th", { scope: "row" }, first), ...cells.map((words) => element("td", {}, words))));
  return element("table", {}, element("thead", {}, headingRow(heads)), element("tbody", {}, ...body));
}
