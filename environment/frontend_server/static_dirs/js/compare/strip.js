/** The strip: a row for each person, pale while both runs are equal, coloured where that person differs. */

import { element } from "../dom.js";
import { portraitImage } from "../panel/people_list.js";
import { DAY, HOUR, dayText, hourOf, timeText } from "../playback/clock.js";
import { fill, gettext, language, ngettext } from "../translation.js";
/** @import { Comparison } from "./comparison_words.js" */
/** @import { DifferentSpan } from "./spans.js" */
/** @import { Persona } from "../dom.js" */
/** @import { Clock } from "../playback/clock.js" */

const ROW = 18; // screen pixels of a row
const BAR = 10; // screen pixels of its bar
const MOST_HOURS = 12; // labels of the axis
const SNAP = 5; // screen pixels within which a click means a span
const ABSENT = 4; // how one differs who is in one of the towns only: drawn as the kind before

export class Strip {
  /**
   * @param {HTMLElement} box from the template
   * @param {{page: {personas: Persona[]}, found: Comparison, clock: Clock, onPick: (step: number, name: ?string) => void}} options
   */
  constructor(box, { page, found, clock, onPick }) {
    this.clock = clock;
    this.onPick = onPick;
    this.found = found;
    this.step = -1; // on screen
    this.first = found.equal.first;
    this.last = Math.max(found.equal.end - 1, this.first + 1);
    const known = new Map(page.personas.map((persona) => [persona.name, persona]));
    this.people = Object.entries(found.people).filter(([, spans]) => spans.length);
    this.people.sort(([, one], [, other]) => one[0].first - other[0].first);
    this.names = element("ol", { class: "strip-names" }, ...this.people.map(([name, spans]) => this.#nameRow(known.get(name), name, spans)));
    this.canvas = element("canvas", { role: "img", "aria-label": this.#label() });
    this.head = element("i", { class: "strip-head", "aria-hidden": "true" });
    this.axis = element("div", { class: "strip-axis", "aria-hidden": "true" });
    this.track = element("div", { class: "strip-track" }, this.canvas, this.head);
    const rows = [element("div", { class: "strip-rows" }, this.names, this.track), this.axis];
    this.legend = legend();
    box.replaceChildren(...(this.people.length ? [...rows, this.#equalLine(), this.legend] : [this.#equalLine()]));
    this.canvas.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(() => this.#draw()).observe(this.track);
    document.addEventListener("ville:theme", () => this.#draw());
    this.#draw();
  }

  /** Moves the line of the playhead. @param {number} step */
  show(step) {
    if (step === this.step) return;
    this.step = step;
    this.head.style.left = `${100 * this.#share(step)}%`;
  }

  /** @param {string} name */
  choose(name) {
    for (const button of this.names.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(button.dataset.name === name));
  }

  /** @param {number} step */
  #share(step) {
    return Math.min(1, Math.max(0, (step - this.first) / (this.last - this.first)));
  }

  #label() {
    const text = ngettext("%(count)s person differs at some time", "%(count)s people differ at some time", this.people.length);
    return fill(text, { count: this.people.length });
  }

  /** @param {Persona|undefined} persona  @param {string} name  @param {DifferentSpan[]} spans */
  #nameRow(persona, name, spans) {
    const face = persona ? portraitImage(persona, this.found.static) : null;
    const begins = timeText(this.clock.at(spans[0].first));
    const title = fill(gettext("%(name)s differs from %(time)s on"), { name, time: begins });
    const button = element("button", { type: "button", "data-name": name, "aria-pressed": "false", title }, face, element("span", {}, firstName(name), element("span", { class: "rest" }, name.slice(firstName(name).length))));
    button.addEventListener("click", () => this.onPick(spans[0].first, name));
    return element("li", {}, button);
  }

  #equalLine() {
    const equal = Object.entries(this.found.people).flatMap(([name, spans]) => (spans.length ? [] : [name]));
    if (!equal.length) return "";
    const text = ngettext("%(count)s person does the same throughout", "%(count)s people do the same throughout", equal.length);
    return element("p", { class: "strip-equal", title: equal.join(", ") }, fill(text, { count: equal.length }));
  }

  #draw() {
    const width = this.track.clientWidth;
    const height = Math.max(1, this.people.length) * ROW;
    const density = devicePixelRatio;
    [this.canvas.width, this.canvas.height] = [width * density, height * density];
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    const brush = this.canvas.getContext("2d");
    brush.scale(density, density);
    const colours = [...this.legend.querySelectorAll("i")].map((one) => getComputedStyle(one).backgroundColor);
    this.people.forEach(([, spans], row) => this.#drawRow(brush, spans, { top: row * ROW + (ROW - BAR) / 2, width, colours }));
    this.axis.replaceChildren(...this.#hours(width));
  }

  /**
   * @param {CanvasRenderingContext2D} brush  @param {DifferentSpan[]} spans
   * @param {{top: number, width: number, colours: string[]}} row
   */
  #drawRow(brush, spans, { top, width, colours }) {
    brush.fillStyle = colours[0];
    brush.fillRect(0, top, width, BAR);
    for (const { first, last, how } of spans) {
      const left = this.#share(first) * width;
      brush.fillStyle = colours[Math.min(how, ABSENT - 1)];
      brush.fillRect(left, top, Math.max(1, this.#share(last + 1) * width - left), BAR);
    }
  }

  /** Goes to the step under the pointer, or to the beginning of a difference beside it. @param {MouseEvent} event */
  #click(event) {
    const { left, top, width } = this.canvas.getBoundingClientRect();
    const [name, spans] = this.people[Math.floor((event.clientY - top) / ROW)] ?? [];
    const at = (/** @type {number} */ pixels) => this.first + ((event.clientX - left + pixels) / width) * (this.last - this.first);
    const step = Math.round(at(0));
    const hit = spans?.find(({ first, last }) => first <= at(SNAP) && last >= at(-SNAP));
    const inside = hit && step > hit.first && step <= hit.last;
    this.onPick(hit && !inside ? hit.first : step, hit ? name : null);
  }

  /** @param {number} width */
  #hours(width) {
    const [begin, end] = [this.clock.at(this.first), this.clock.at(this.last)];
    const most = Math.max(2, Math.min(MOST_HOURS, Math.floor(width / 52)));
    const every = [0.25, 0.5, 1, 2, 3, 6, 12, 24, 48, 96, 168].find((hours) => (end - begin) / (hours * HOUR) <= most) ?? 336;
    const marks = [];
    for (let moment = Math.ceil(begin / (every * HOUR)) * every * HOUR; moment <= end; moment += every * HOUR) {
      const midnight = moment % DAY === 0;
      const words = midnight ? dayText(moment, language) : every < 1 ? timeText(moment) : String(hourOf(moment));
      const mark = element("span", { class: midnight ? "day" : "hour" }, words);
      mark.style.left = `${(100 * (moment - begin)) / (end - begin)}%`;
      marks.push(mark);
    }
    return marks;
  }
}

const firstName = (/** @type {string} */ name) => name.split(" ")[0];

function legend() {
  const entries = [gettext("same"), gettext("elsewhere"), gettext("does something else"), gettext("talks otherwise")];
  return element(
    "p",
    { class: "strip-legend" },
    ...entries.map((words, how) => element("span", {}, element("i", { "data-how": how }), words)),
  );
}
