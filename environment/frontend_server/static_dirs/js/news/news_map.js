/** The way of a fact through the town: arrows over its map, from where one had heard it to where it was told on. */

import { element, prefersReducedMotion } from "../dom.js";
import { fill, gettext } from "../translation.js";
import { howText } from "./news_words.js";
/** @import { Knower, News, NewsView } from "./news_words.js" */

const NS = "http://www.w3.org/2000/svg";
const PAUSE = 900; // milliseconds from one telling to the next

/**
 * @typedef {{picture: ?{url: string}, tiles: ?[number, number]}} TownPicture  the map, and its columns and rows
 */

export class NewsMap {
  /** @param {HTMLElement} box  @param {News} news  @param {TownPicture & {view: NewsView}} town */
  constructor(box, news, { picture, tiles, view }) {
    this.placed = news.knowers.filter(({ at }) => at);
    this.parents = news.parents;
    this.view = view;
    const [columns, rows] = tiles;
    this.drawing = svg("svg", { viewBox: `0 0 ${columns} ${rows}`, class: "arrows", role: "img" });
    this.slider = element("input", { type: "range", min: 0, max: this.placed.length, value: this.placed.length, "aria-label": gettext("How far it has come") });
    this.said = element("p", { class: "soft", role: "status" });
    this.play = element("button", { type: "button", class: "button plain" }, gettext("Play"));
    const image = element("img", { src: picture.url, alt: "" });
    box.replaceChildren(element("div", { class: "town-picture" }, image, this.drawing), element("div", { class: "map-bar" }, this.play, this.slider), this.said);
    this.slider.addEventListener("input", () => this.#stop());
    this.slider.addEventListener("input", () => this.show());
    this.play.addEventListener("click", () => (this.timer ? this.#stop() : this.#start()));
    this.timer = 0;
    this.show();
  }

  /** Shows the first tellings, as many as the slider says; the last of them stands out. */
  show() {
    const count = Number(this.slider.value);
    const known = this.placed.slice(0, count);
    const byName = new Map(known.map((knower) => [knower.who, knower]));
    const arrows = known.flatMap((knower, place) => {
      const teller = byName.get(this.parents[knower.who]);
      return teller ? [arrow(teller.at, knower.at, place === count - 1)] : [];
    });
    this.drawing.replaceChildren(...arrows, ...known.map((knower, place) => this.#spot(knower, place === count - 1)));
    const last = known.at(-1);
    const words = last ? `${this.view.timeText(last.step)}: ${last.who}, ${howText(last)}` : gettext("Nobody knows yet.");
    this.said.textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
    this.drawing.setAttribute("aria-label", fill(gettext("%(count)s people know of it"), { count }));
  }

  /** @param {Knower} knower  @param {boolean} isLast */
  #spot(knower, isLast) {
    const [x, y] = knower.at;
    const link = svg("a", { href: this.view.watch(knower.step, knower.who), tabindex: -1 });
    const spot = svg("circle", { cx: x + 0.5, cy: y + 0.5, r: isLast ? 1.7 : 1.2, class: isLast ? "spot last" : "spot", "data-how": knower.how });
    const title = svg("title", {});
    title.textContent = `${knower.who}, ${this.view.timeText(knower.step)}`;
    spot.append(title);
    link.append(spot);
    return link;
  }

  #start() {
    if (Number(this.slider.value) >= this.placed.length) this.slider.value = "0";
    this.play.textContent = gettext("Pause");
    const step = () => {
      this.slider.value = String(Number(this.slider.value) + 1);
      this.show();
      if (Number(this.slider.value) >= this.placed.length) this.#stop();
    };
    this.timer = window.setInterval(step, prefersReducedMotion() ? 2 * PAUSE : PAUSE);
  }

  #stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.play.textContent = gettext("Play");
  }
}

/** A bent arrow between two tiles. @param {[number, number]} from  @param {[number, number]} to  @param {boolean} isLast */
function arrow([x1, y1], [x2, y2], isLast) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = Math.hypot(dx, dy) || 1;
  const bend = Math.min(8, length / 4);
  const [mx, my] = [(x1 + x2) / 2 - (dy / length) * bend, (y1 + y2) / 2 + (dx / length) * bend];
  const group = svg("g", { class: isLast ? "arrow last" : "arrow" });
  const angle = (Math.atan2(y2 - my, x2 - mx) * 180) / Math.PI;
  const path = `M${x1 + 0.5},${y1 + 0.5} Q${mx.toFixed(1)},${my.toFixed(1)} ${x2 + 0.5},${y2 + 0.5}`;
  group.append(svg("path", { d: path, class: "under" }), svg("path", { d: path }));
  group.append(svg("path", { d: "M0,0 L-3,-1.3 L-3,1.3 Z", class: "head", transform: `translate(${x2 + 0.5} ${y2 + 0.5}) rotate(${angle.toFixed(1)}) translate(-1 0)` }));
  return group;
}

/** @param {string} tag  @param {Record<string, string|number>} attributes  @returns {SVGElement} */
function svg(tag, attributes) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return /** @type {SVGElement} */ (made);
}
