/** /ties/NAME/: who knows, talks with and likes whom, at any moment of a run. */

import { element, pageData, setText } from "../dom.js";
import { registerKey } from "../keys.js";
import { Clock, dayText, timeText } from "../playback/clock.js";
import { pageReady } from "../ready.js";
import { computedAnswer } from "../run_pages/computed_answer.js";
import { tiesAt } from "../run_pages/ties_at.js";
import { TiesEvidence } from "../run_pages/ties_evidence.js";
import { measureParts } from "../run_pages/ties_measures.js";
import { TiesPicture } from "../run_pages/ties_picture.js";
import { TiesTable } from "../run_pages/ties_table.js";
import { KINDS, kindName } from "../run_pages/ties_words.js";
import { Refused } from "../server.js";
import { gettext, language } from "../translation.js";
/** @import { Graph } from "../run_pages/ties_at.js" */

const USUAL = "talked"; // the kind that is shown first

const page = pageData();
const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);
const clock = new Clock(page.start, page.sec_per_step);
const whenText = (/** @type {number} */ step) => `${dayText(clock.at(step), language)} ${timeText(clock.at(step))}`;
const say = (/** @type {string} */ text) => setText(part("state"), text || gettext("Reading the run …"));

/** The picture, the table and the measures, at the moment of the slider. */
class Ties {
  /** @param {Graph} graph */
  constructor(graph) {
    this.graph = graph;
    this.kind = USUAL;
    this.slider = /** @type {HTMLInputElement} */ (part("hours"));
    this.chosen = /** @type {HTMLSelectElement} */ (part("person"));
    this.evidence = new TiesEvidence({ section: part("evidence-section"), title: part("evidence-title"), box: part("evidence") }, { page, graph, whenText });
    const onTie = (/** @type {number} */ one, /** @type {number} */ other) => this.evidence.open(one, other, this.moment.step);
    this.picture = new TiesPicture(part("picture"), { page, graph, onTie, onPerson: (person) => this.choose(person) });
    this.table = new TiesTable(part("table"), { graph, whenText, onTie });
    this.chosen.append(...graph.people.map((name, number) => element("option", { value: number }, name)));
    this.slider.max = String(graph.moments.length - 1);
    this.slider.value = this.slider.max;
    part("kinds").append(...KINDS.map((kind) => this.#kindChoice(kind)));
    this.#listen();
    this.show();
  }

  /** @returns {Graph["moments"][number]} */
  get moment() {
    return this.graph.moments[this.slider.valueAsNumber];
  }

  get person() {
    return this.chosen.value === "" ? null : Number(this.chosen.value);
  }

  /** @param {?number} person */
  choose(person) {
    this.chosen.value = person === null ? "" : String(person);
    this.picture.choose(person);
    this.show();
  }

  show() {
    const { kind, person, graph } = this;
    const { step, measures } = this.moment;
    const ties = tiesAt(graph, [kind], step);
    const text = whenText(step);
    setText(part("moment"), text);
    this.slider.setAttribute("aria-valuetext", text);
    this.picture.show(ties);
    this.table.show(person === null ? ties : ties.filter(({ who, other }) => who === person || other === person));
    part("measures").replaceChildren(...measureParts(measures[KINDS.indexOf(kind)], graph, (number) => this.choose(number)));
  }

  #listen() {
    const move = (/** @type {number} */ by) => {
      this.slider.valueAsNumber += by;
      this.show();
    };
    this.slider.addEventListener("input", () => this.show());
    this.chosen.addEventListener("change", () => this.choose(this.person));
    part("hour-back").addEventListener("click", () => move(-1));
    part("hour-on").addEventListener("click", () => move(1));
    registerKey(",", gettext("One hour back"), () => move(-1));
    registerKey(".", gettext("One hour forward"), () => move(1));
    registerKey("Escape", gettext("Let go of the person"), () => this.choose(null));
  }

  /** @param {string} kind */
  #kindChoice(kind) {
    const input = element("input", { type: "radio", name: "kind", value: kind, checked: kind === this.kind });
    input.addEventListener("change", () => {
      this.kind = kind;
      this.show();
    });
    return element("label", { "data-kind": kind }, input, element("i", { "aria-hidden": "true" }), kindName(kind));
  }
}

say("");
try {
  const address = `/ties_data/${encodeURIComponent(page.sim_code)}/?store=${page.store}`;
  const graph = await computedAnswer(address, say);
  for (const name of ["ties", "list", "basis"]) part(name).hidden = false;
  window.ville = { mode: page.mode, ties: new Ties(graph) };
  setText(part("state"), "");
} catch (fault) {
  if (!(fault instanceof Refused)) throw fault;
  say(fault.message);
}
pageReady("ties");
