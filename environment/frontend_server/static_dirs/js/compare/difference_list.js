/** The list of first differences beside the maps: five, then more. Keys and buttons go from one to the next. */

import { doingElement } from "../doings.js";
import { element, setText } from "../dom.js";
import { registerKey } from "../keys.js";
import { placeText } from "../panel/descriptions.js";
import { portraitImage } from "../panel/people_list.js";
import { parseDescription } from "../playback/frames.js";
import { recordedElement } from "../recorded.js";
import { gettext } from "../translation.js";
import { neighbour, onsets } from "./spans.js";
import { bySide, kindName, wayText } from "./comparison_words.js";
/** @import { Comparison, Difference } from "./comparison_words.js" */
/** @import { ComparePage } from "./side.js" */

const FEW = 5;

export class DifferenceList {
  /**
   * @param {HTMLElement} box from the template
   * @param {{page: ComparePage, found: Comparison, whenText: (step: number) => string, goTo: (step: number, name: ?string) => void,
   *   stepNow: () => number}} options
   */
  constructor(box, { page, found, whenText, goTo, stepNow }) {
    this.box = box;
    this.found = found;
    this.goTo = goTo;
    this.stepNow = stepNow;
    this.whenText = whenText;
    this.page = page;
    this.known = new Map(page.sides.flatMap(({ personas }) => personas).map((persona) => [persona.name, persona]));
    this.onsets = onsets(found.people);
    this.list = element("ol", { class: "differences" });
    this.more = element("button", { type: "button", class: "button plain" }, gettext("Show more"));
    this.more.addEventListener("click", () => this.#fill(Infinity));
    box.querySelector("[data-part=difference-items]").replaceChildren(this.list, this.more);
    this.#fill(FEW);
    this.#addKeys();
  }

  #entries() {
    const { memories, decisions, moves } = this.found;
    const all = [...memories, ...decisions, ...moves];
    return all.sort((one, other) => one.step - other.step);
  }

  /** @param {number} most */
  #fill(most) {
    const entries = this.#entries();
    this.list.replaceChildren(...entries.slice(0, most).map((entry) => this.#item(entry)));
    this.more.hidden = entries.length <= most;
    if (!entries.length) this.list.replaceChildren(element("li", { class: "none" }, gettext("There is no difference.")));
  }

  /** @param {Difference} difference */
  #item({ kind, step, who, a, b }) {
    const way = kind === "memory" ? this.found.spread.find((each) => each.who === who && each.step === step) : null;
    const face = portraitImage(this.known.get(who), this.page.static);
    const head = element("span", { class: "head" }, element("strong", {}, who), element("small", {}, this.whenText(step)));
    const words = element(
      "span",
      { class: "words" },
      head,
      element("span", { class: "kind" }, kindName(kind), way ? ` · ${wayText(way)}` : ""),
      ...bySide(a, b).filter(() => a || b).map(([letter, text]) => element("span", { class: "version" }, element("b", { "data-side": letter }, letter), " ", ...shown(kind, text))),
    );
    const button = element("button", { type: "button", class: "row" }, face, words);
    button.addEventListener("click", () => this.goTo(step, who));
    return element("li", {}, button);
  }

  #addKeys() {
    registerKey("[", gettext("Difference before"), () => this.#jump(-1));
    registerKey("]", gettext("Next difference"), () => this.#jump(1));
    for (const [name, direction] of /** @type {const} */ ([["before", -1], ["after", 1]]))
      this.box.querySelector(`[data-jump=${name}]`).addEventListener("click", () => this.#jump(direction));
  }

  /** @param {1|-1} direction */
  #jump(direction) {
    const found = neighbour(this.onsets, this.stepNow(), direction);
    const status = this.box.querySelector("[data-part=jumped]");
    if (!found) {
      setText(status, direction > 0 ? gettext("No more differences.") : gettext("No difference before."));
      return;
    }
    setText(status, `${this.whenText(found.step)}: ${found.names.join(", ")}`);
    this.goTo(found.step, found.names[0]);
  }
}

/**
 * What is written of a version: an activity with its place in words, everything else as it is.
 * @param {string} kind  @param {string} text
 */
function shown(kind, text) {
  if (kind !== "decision" || !text.includes(" @ ")) return [text];
  const { doing, task, place } = parseDescription(text);
  const where = placeText(place);
  return [doingElement("span", {}, task || doing), ...(where ? [" · ", recordedElement("span", {}, where)] : [])];
}
