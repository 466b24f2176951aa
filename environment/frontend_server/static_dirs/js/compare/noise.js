/** Whether the sides differ by more than noise: repeated runs are chosen in a form, and compared by the server. */

import { element, headingRow, setText } from "../dom.js";
import { get, retry, sleep } from "../server.js";
import { effectText } from "../study/means_table.js";
import { fill, gettext, language } from "../translation.js";
import { measureName, numberText } from "./comparison_words.js";
/** @import { Difference } from "../study/means_table.js" */
/** @import { ComparePage } from "./side.js" */

const WAIT = 4; // seconds for which the server holds a request
const PAUSE = 500; // milliseconds between two requests
const SIDES = ["a", "b"];

/**
 * @typedef {{what: string, a: number[], b: number[], difference: Difference, spread: ?number, digits: number}} NoisyMeasure
 * @typedef {{measures: NoisyMeasure[], pairs: unknown[], needed: number, too_few: boolean, smallest_p: number, tests: number, a: string[],
 *   b: string[], seed: number, warnings: string[], state?: string}} Repeats  response of /repeats/
 */

export class Noise {
  /** @param {HTMLElement} box  @param {ComparePage} page */
  constructor(box, page) {
    this.page = page;
    const given = new URLSearchParams(location.search);
    this.chosen = new URLSearchParams([...given].filter(([name]) => SIDES.some((side) => name === `more_${side}`)));
    this.status = element("p", { class: "soft", role: "status" });
    this.result = element("div", {});
    box.replaceChildren(this.chosen.size ? "" : caution(), this.status, this.result, this.#form());
    if (this.chosen.size) this.#compare();
  }

  #form() {
    const own = this.page.sides.map(({ sim_code: code }) => code);
    const others = this.page.runs.filter(({ sim_code: code }) => !own.includes(code));
    if (!others.length) return "";
    const fields = SIDES.map((side, place) => {
      const { until } = this.page.sides[place];
      const boxes = others.map(({ sim_code: code, title }) => {
        const value = until === null ? code : `${code}@${until}`; // as long as the side itself
        const checked = this.chosen.getAll(`more_${side}`).includes(value);
        return element("label", {}, element("input", { type: "checkbox", name: `more_${side}`, value, checked }), " ", title);
      });
      const legend = fill(gettext("Further runs like %(name)s"), { name: this.page.sides[place].title || own[place] });
      return element("fieldset", {}, element("legend", {}, element("b", { class: "badge", "data-side": side.toUpperCase() }, side.toUpperCase()), " ", legend), ...boxes);
    });
    const form = element("form", { class: "repeats", action: location.pathname }, ...fields, element("button", { class: "button" }, gettext("Compare the sides")));
    return element("details", { open: this.chosen.size > 0 }, element("summary", {}, gettext("Choose repeated runs")), form);
  }

  async #compare() {
    const names = this.page.sides.map(({ name }) => encodeURIComponent(name));
    const address = `/repeats/${names.join("/")}/?${this.chosen}&wait=${WAIT}`;
    const say = (/** @type {string} */ text) => setText(this.status, text || gettext("Comparing the sides …"));
    say("");
    for (;;) {
      const found = await retry(() => get(address), say);
      if (!found.state) return this.#show(found);
      await sleep(PAUSE);
    }
  }

  /** @param {Repeats} found */
  #show(found) {
    setText(this.status, verdict(found));
    const heads = ["", gettext("mean of A"), gettext("mean of B"), "B − A", gettext("spread within sides"), gettext("effect (g)"), gettext("95% interval"), "p", gettext("p, adjusted")];
    const rows = found.measures.map((measure) => element("tr", { "data-beyond": String(measure.difference.exceeds_noise) }, ...cells(measure)));
    this.result.replaceChildren(element("div", { class: "wide-table" }, element("table", {}, element("thead", {}, headingRow(heads)), element("tbody", {}, ...rows))), element("p", { class: "soft" }, method(found)), ...found.warnings.map((text) => element("p", { class: "caution" }, text)));
  }
}

function caution() {
  return element("p", { class: "soft" }, gettext("One run on each side is an anecdote: these differences may be chance. Repeat both sides, and set the difference beside the noise."));
}

/** @param {Repeats} found */
function verdict({ measures, pairs, needed, too_few: tooFew, smallest_p: least }) {
  if (tooFew) {
    const words = pairs.length
      ? gettext("Too few runs to say: even the largest difference would have an adjusted p of %(p)s. Take at least %(count)s seeds for both sides.")
      : gettext("Too few runs to say: even the largest difference would have an adjusted p of %(p)s. Take at least %(count)s on each side.");
    return fill(words, { p: numberText(least, 2, language), count: needed });
  }
  const beyond = measures.filter(({ difference }) => difference.exceeds_noise).map(({ what }) => measureName(what));
  if (!beyond.length) return gettext("No difference exceeds the noise.");
  return fill(gettext("More than noise (adjusted p at most 0.05): %(what)s. No other difference exceeds it."), { what: beyond.join(", ") });
}

/** Returns how the sides were compared. @param {Repeats} found */
function method({ a, b, pairs, seed, tests }) {
  const words = pairs.length
    ? gettext("%(a)s runs against %(b)s, paired by seed. The unit is the run; interval: Student's t; p: permutations, seed %(seed)s, adjusted for %(tests)s measures that differ (Holm).")
    : gettext("%(a)s runs against %(b)s, not paired by seed. The unit is the run; interval: Student's t; p: permutations, seed %(seed)s, adjusted for %(tests)s measures that differ (Holm).");
  return fill(words, { a: a.length, b: b.length, seed, tests });
}

/** @param {NoisyMeasure} measure */
function cells({ what, a, b, difference, spread, digits }) {
  const places = Math.max(1, digits);
  const { low, high, p, adjusted_p: adjusted, too_few: tooFew } = difference;
  const mean = (/** @type {number[]} */ side) => side.reduce((sum, value) => sum + value, 0) / side.length;
  const number = (/** @type {?number} */ value, signed = false) => numberText(value, places, language, { signed });
  const between = low === null ? "–" : `${number(low, true)} … ${number(high, true)}`;
  const told = tooFew ? gettext("too few to say") : numberText(adjusted, 2, language);
  const texts = [number(mean(a)), number(mean(b)), number(difference.mean, true), number(spread), effectText(difference), between, numberText(p, 2, language), told];
  return [element("th", { scope: "row" }, measureName(what)), ...texts.map((text) => element("td", {}, text))];
}
