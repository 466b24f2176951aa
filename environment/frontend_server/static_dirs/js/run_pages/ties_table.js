/** All ties of a moment as a table, fifty rows at a time; each row opens what is behind the tie. */

import { element, headingRow } from "../dom.js";
import { fill, gettext, language } from "../translation.js";
import { kindVerb } from "./ties_words.js";
/** @import { Graph, Tie } from "./ties_at.js" */

const MOST_ROWS = 50;

export class TiesTable {
  /**
   * @param {HTMLElement} box
   * @param {{graph: Graph, whenText: (step: number) => string, onTie: (one: number, other: number) => void}} options
   */
  constructor(box, { graph, whenText, onTie }) {
    this.graph = graph;
    this.whenText = whenText;
    this.onTie = onTie;
    this.most = MOST_ROWS;
    /** @type {Tie[]} */
    this.ties = [];
    this.body = element("tbody");
    this.head = element("thead");
    this.next = element("button", { type: "button", class: "button plain" }, gettext("Show more"));
    this.none = element("p", { class: "soft" }, gettext("No ties of this kind at this moment."));
    box.replaceChildren(element("table", {}, this.head, this.body), this.next, this.none);
    this.head.append(headingRow([gettext("Who"), gettext("Tie"), gettext("Since"), gettext("Conversations so far")]));
    this.next.addEventListener("click", () => {
      this.most += MOST_ROWS;
      this.#draw();
    });
  }

  /** @param {Tie[]} ties */
  show(ties) {
    const order = (/** @type {Tie} */ tie) => `${this.graph.people[tie.who]} ${this.graph.people[tie.other]}`;
    this.ties = [...ties].sort((one, other) => order(one).localeCompare(order(other), language));
    this.most = MOST_ROWS;
    this.#draw();
  }

  #draw() {
    this.body.replaceChildren(...this.ties.slice(0, this.most).map((tie) => this.#row(tie)));
    this.next.hidden = this.ties.length <= this.most;
    this.none.hidden = this.ties.length > 0;
  }

  /** @param {Tie} tie */
  #row({ kind, who, other, since, mutual, talks }) {
    const [one, two] = [this.graph.people[who], this.graph.people[other]];
    const verb = kindVerb(kind, mutual);
    const names = mutual ? fill(gettext("%(one)s and %(other)s"), { one, other: two }) : one;
    const open = element("button", { type: "button", class: "linked", title: gettext("Show what is behind it") }, names);
    open.addEventListener("click", () => this.onTie(who, other));
    const begin = since <= this.graph.first ? gettext("from the start") : this.whenText(since);
    return element("tr", {}, element("th", { scope: "row" }, open), element("td", {}, mutual ? verb : `${verb} ${two}`), element("td", {}, begin), element("td", {}, talks));
  }
}
