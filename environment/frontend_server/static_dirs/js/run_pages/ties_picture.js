/** The graph as a picture: people by their portraits, each always in the same place; ties as lines whose style is their kind. */

import { portraitAddress } from "../panel/people_list.js";
import { gettext } from "../translation.js";
import { highest } from "./ties_at.js";
/** @import { Page } from "../dom.js" */
/** @import { Graph, Tie } from "./ties_at.js" */

const SVG = "http://www.w3.org/2000/svg";
const MOST_PEOPLE = 60; // with more, those with the most ties
const NARROW = 560; // pixels of a narrow picture
const WIDE_SIZE = { portrait: 42, margin: 46, height: 0.66 }; // pixels; the height is a part of the width
const NARROW_SIZE = { portrait: 26, margin: 32, height: 1.65 };
const THICKEST = 5; // pixels of the line of those who talk most

export class TiesPicture {
  /**
   * @param {HTMLElement} box
   * @param {{page: Page, graph: Graph, onTie: (one: number, other: number) => void, onPerson: (person: ?number) => void}} options
   */
  constructor(box, { page, graph, onTie, onPerson }) {
    this.box = box;
    this.page = page;
    this.graph = graph;
    this.onTie = onTie;
    this.onPerson = onPerson;
    this.size = 0;
    /** @type {Array<[number, number]>} */
    this.spots = [];
    this.known = new Map(page.personas.map((persona) => [persona.name, persona]));
    const last = graph.moments.at(-1).measures[0];
    const drawn = graph.people.length > MOST_PEOPLE ? highest(last.degree, MOST_PEOPLE) : graph.people.map((_, number) => number);
    this.drawn = new Set(drawn);
    /** @type {Tie[]} */
    this.ties = [];
    /** @type {?number} */
    this.person = null;
    this.svg = shape("svg", { role: "group", "aria-label": gettext("People and their ties. The table below has all of them.") });
    this.svg.append(arrowHead());
    this.lines = this.svg.appendChild(shape("g", { class: "lines" }));
    this.people = this.svg.appendChild(shape("g", { class: "people" }));
    box.replaceChildren(this.svg);
    new ResizeObserver(() => this.#draw()).observe(box);
    this.#draw();
  }

  /** @param {Tie[]} ties */
  show(ties) {
    this.ties = ties.filter(({ who, other }) => this.drawn.has(who) && this.drawn.has(other));
    this.#drawLines();
  }

  /** Sets off a person and its ties. @param {?number} person */
  choose(person) {
    this.person = person;
    this.#mark();
  }

  #draw() {
    const width = Math.max(300, this.box.clientWidth);
    const { portrait, margin, height: part } = width < NARROW ? NARROW_SIZE : WIDE_SIZE;
    const height = Math.round(width * part);
    this.size = portrait;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.style.height = `${height}px`;
    const shown = [...this.drawn].map((number) => this.graph.places[number]);
    const [xs, ys] = [0, 1].map((axis) => shown.map((place) => place[axis]));
    const along = (/** @type {number} */ value, /** @type {number[]} */ all, /** @type {number} */ length) => {
      const [low, high] = [Math.min(...all), Math.max(...all)];
      return high > low ? margin + ((value - low) / (high - low)) * (length - 2 * margin) : length / 2;
    };
    this.spots = this.graph.places.map(([x, y]) => /** @type {[number, number]} */ ([along(x, xs, width), along(y, ys, height)]));
    this.people.replaceChildren(...[...this.drawn].map((number) => this.#person(number)));
    this.#drawLines();
  }

  /** @param {number} number */
  #person(number) {
    const [x, y] = this.spots[number];
    const name = this.graph.people[number];
    const persona = this.known.get(name);
    const group = shape("g", { class: "person", transform: `translate(${x} ${y})`, "data-person": number });
    const half = this.size / 2;
    group.append(shape("circle", { r: half + 3 }));
    if (persona) group.append(shape("image", { href: portraitAddress(persona, this.page.static), x: -half, y: -half, width: this.size, height: this.size }));
    const label = shape("text", { y: half + 15 });
    label.textContent = name.split(" ")[0];
    const title = shape("title", {});
    title.textContent = name;
    group.append(label, title);
    group.addEventListener("click", () => this.onPerson(this.person === number ? null : number));
    return group;
  }

  #drawLines() {
    const most = Math.max(1, ...this.ties.map(({ talks }) => talks));
    this.lines.replaceChildren(...this.ties.map((tie) => this.#line(tie, most)));
    this.#mark();
  }

  /** @param {Tie} tie  @param {number} most */
  #line(tie, most) {
    const { kind, who, other, mutual, talks } = tie;
    const [from, to] = [this.spots[who], this.spots[other]];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const short = (this.size / 2 + 6) / length;
    const end = mutual ? to : [to[0] - (to[0] - from[0]) * short, to[1] - (to[1] - from[1]) * short];
    const path = `M${from[0]} ${from[1]}L${end[0]} ${end[1]}`;
    const group = shape("g", { class: "tie", "data-kind": kind, "data-ends": `${who} ${other}` });
    const line = shape("path", { d: path, class: "line", "marker-end": mutual ? null : "url(#tie-arrow)" });
    if (kind === "talked") line.style.strokeWidth = String(1.2 + ((THICKEST - 1.2) * talks) / most);
    const title = shape("title", {});
    title.textContent = `${this.graph.people[who]} ${mutual ? "↔" : "→"} ${this.graph.people[other]}`;
    const core = kind === "likes" ? [shape("path", { d: path, class: "core" })] : []; // makes a double line of it
    group.append(line, ...core, shape("path", { d: path, class: "hit" }), title);
    group.addEventListener("click", () => this.onTie(who, other));
    return group;
  }

  #mark() {
    const { person } = this;
    this.svg.dataset.chosen = String(person !== null);
    const near = new Set([person]);
    for (const { who, other } of this.ties) if (who === person || other === person) near.add(who).add(other);
    for (const group of this.people.children) group.setAttribute("data-near", String(near.has(Number(group.getAttribute("data-person")))));
    for (const group of this.lines.children) group.setAttribute("data-near", String(group.getAttribute("data-ends").split(" ").map(Number).includes(person)));
  }
}

function arrowHead() {
  const head = shape("marker", { id: "tie-arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" });
  head.append(shape("path", { d: "M0 0L8 4L0 8z" }));
  const holder = shape("defs", {});
  holder.append(head);
  return holder;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag  @param {Record<string, string|number|null>} attributes  @returns {SVGElementTagNameMap[Tag]}
 */
function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, String(value));
  return made;
}
