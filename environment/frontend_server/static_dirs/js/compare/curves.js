/** Curves of who knows of some news: two lines over time, drawn as SVG. */

import { element } from "../dom.js";
import { DAY, HOUR, dayText, timeText } from "../playback/clock.js";
import { language } from "../translation.js";
import { bySide, curveText, wayText } from "./comparison_words.js";
/** @import { Curve, Spreading } from "./comparison_words.js" */
/** @import { Clock } from "../playback/clock.js" */

const NS = "http://www.w3.org/2000/svg";
const MOST_TIMES = 6;
const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [520, 170, 30, 22, 10];

/**
 * @typedef {(value: number) => number} Scale  from a step or a count to pixels
 * @typedef {{clock: Clock, first: number, last: number, onPick: (step: number, who: string) => void}} CurveView
 * @param {Curve} curve  @param {CurveView} view
 */
export function curveFigure(curve, view) {
  const figure = element("figure", { class: "curve" });
  figure.append(element("figcaption", {}, curveText(curve)), curveDrawing(bySide(curve.a, curve.b), curveText(curve), view));
  return figure;
}

/**
 * Draws who knew since when, one line for each side.
 * @param {Array<[string, Spreading]>} sides  @param {string} label  @param {CurveView} view
 */
export function curveDrawing(sides, label, { clock, first, last, onPick }) {
  const most = Math.max(2, ...sides.map(([, heard]) => heard.length));
  const x = (/** @type {number} */ step) => LEFT + ((WIDTH - LEFT - 8) * (step - first)) / Math.max(1, last - first);
  const y = (/** @type {number} */ count) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * count) / most;
  const box = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  for (const count of ticks(most)) {
    box.append(svg("line", { x1: LEFT, x2: WIDTH - 8, y1: y(count), y2: y(count), class: "grid" }));
    box.append(svg("text", { x: LEFT - 6, y: y(count) + 4, class: "count" }, count));
  }
  for (const moment of moments(clock.at(first), clock.at(last))) {
    const step = first + ((moment - clock.at(first)) / (clock.at(last) - clock.at(first))) * (last - first);
    const words = moment % DAY === 0 ? dayText(moment, language) : timeText(moment);
    box.append(svg("text", { x: x(step), y: HEIGHT - 5, class: "time" }, words));
  }
  for (const [side, heard] of sides) box.append(line(heard, { side, x, y, last }));
  for (const [side, heard] of sides) box.append(...heard.map((entry, place) => dot(entry, place, { side, x, y, clock, onPick })));
  return box;
}

/** @param {Spreading} entries  @param {{side: string, x: Scale, y: Scale, last: number}} view */
function line(entries, { side, x, y, last }) {
  const points = entries.flatMap(([step], place) => [`H${x(step).toFixed(1)}`, `V${y(place + 1).toFixed(1)}`]);
  return svg("path", { d: `M${LEFT},${y(0)} ${points.join(" ")} H${x(last).toFixed(1)}`, class: "line", "data-side": side });
}

/**
 * @param {Spreading[0]} entry  @param {number} place
 * @param {{side: string, x: Scale, y: Scale} & Pick<CurveView, "clock"|"onPick">} view
 */
function dot([step, who, teller], place, { side, x, y, clock, onPick }) {
  const made = svg("circle", { cx: x(step), cy: y(place + 1), r: 3.5, class: "dot", "data-side": side });
  const way = teller ? `, ${wayText({ via: "talk", through: teller })}` : "";
  made.append(svg("title", {}, `${side} ${timeText(clock.at(step))}: ${who}${way}`));
  made.addEventListener("click", () => onPick(step, who));
  return made;
}

/** A few whole numbers up to the highest. Pure. @param {number} most */
export function ticks(most) {
  const step = [1, 2, 5, 10, 20, 50, 100].find((each) => most / each <= 5) ?? 200;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, place) => place * step);
}

/** Whole hours of a span, at most six. Pure. @param {number} begin  @param {number} end */
function moments(begin, end) {
  const every = HOUR * ([0.25, 0.5, 1, 2, 3, 6, 12, 24, 48, 96].find((hours) => (end - begin) / (hours * HOUR) <= MOST_TIMES) ?? 336);
  const first = Math.ceil(begin / every) * every;
  return Array.from({ length: Math.floor((end - first) / every) + 1 }, (_, place) => first + place * every);
}

/** @param {string} tag  @param {Record<string, string|number>} attributes  @param {...(string|number)} children */
function svg(tag, attributes, ...children) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children.map(String).map((text) => document.createTextNode(text)));
  return made;
}
