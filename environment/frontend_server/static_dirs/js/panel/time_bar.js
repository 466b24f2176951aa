/** The time of a run as a slider: conversations and interventions are marked above it, hours and days below. */

import { element } from "../dom.js";
import { DAY, HOUR, dateText, dayText, hourOf, timeText } from "../playback/clock.js";
import { recordedElement } from "../recorded.js";
import { language } from "../translation.js";
/** @import { Clock } from "../playback/clock.js" */

const MOST_HOURS = 13; // labels below the slider
/** @param {HTMLElement} bar  @param {string} name */
const part = (bar, name) => bar.querySelector(`[data-control="${name}"]`);

export class TimeBar {
  /**
   * @param {HTMLElement} bar with slider and boxes for marks and hours, from the template
   * @param {{clock: Clock, onSeek: (step: number) => void}} run `onSeek` gets the step that was chosen
   */
  constructor(bar, { clock, onSeek }) {
    this.clock = clock;
    this.slider = /** @type {HTMLInputElement} */ (part(bar, "slider"));
    this.marks = part(bar, "talks");
    this.hours = part(bar, "hours");
    this.slider.addEventListener("input", () => onSeek(Number(this.slider.value)));
    this.range = "";
    this.step = -1; // that is shown
    /** @type {Array<{step: number, text: string}>} */
    this.pins = []; // moments that a user has marked
    this.redraw = () => {};
  }

  /** Shows other marks of users. @param {Array<{step: number, text: string}>} pins */
  pin(pins) {
    this.pins = pins;
    this.redraw();
  }

  /**
   * Draws hours and marks anew.
   * @param {{first: number, last: number}} range steps
   * @param {Array<{first: number, last: number}>} talks
   * @param {Array<{step: number, text: string}>} acts what was done from outside
   */
  draw({ first, last }, talks, acts = []) {
    this.redraw = () => this.draw({ first, last }, talks, acts);
    [this.slider.min, this.slider.max] = [String(first), String(last)];
    const place = (/** @type {number} */ step) => `${(100 * (step - first)) / (last - first || 1)}%`;
    const spans = talks.map((talk) => {
      const mark = element("i");
      mark.style.left = place(talk.first);
      mark.style.width = place(first + talk.last - talk.first);
      return mark;
    });
    const points = acts.map(({ step, text }) => {
      const mark = recordedElement("b", { title: text });
      mark.style.left = place(step);
      return mark;
    });
    const pins = this.pins.map(({ step, text }) => {
      const mark = element("u", { title: text });
      mark.style.left = place(step);
      return mark;
    });
    this.marks.replaceChildren(...spans, ...points, ...pins);
    const range = `${first} ${last}`;
    if (range !== this.range) this.hours.replaceChildren(...hourMarks(this.clock, { first, last }));
    this.range = range;
  }

  /** Shows a step. @param {number} step */
  show(step) {
    const { slider } = this;
    if (Number(slider.max) < step) slider.max = String(step);
    if (Number(slider.value) !== step) slider.value = String(step);
    if (step === this.step) return;
    this.step = step;
    const moment = this.clock.at(step);
    slider.setAttribute("aria-valuetext", `${dateText(moment, language, { short: true })}, ${timeText(moment)}`);
  }
}

/** Hours (as many as fit) and days. @param {Clock} clock  @param {{first: number, last: number}} range */
function hourMarks(clock, { first, last }) {
  const [begin, end] = [clock.at(first), clock.at(last)];
  const whole = end - begin;
  const every = [0.25, 0.5, 1, 2, 3, 6, 12, 24].find((hours) => whole / (hours * HOUR) <= MOST_HOURS) ?? 24;
  const marks = [];
  for (let moment = Math.ceil(begin / (every * HOUR)) * every * HOUR; moment <= end; moment += every * HOUR) {
    const midnight = moment % DAY === 0;
    const hour = every < 1 ? timeText(moment) : String(hourOf(moment));
    const mark = element("span", { class: midnight ? "day" : "hour" }, midnight && whole > DAY ? dayText(moment, language) : hour);
    mark.style.left = `${(100 * (moment - begin)) / (whole || 1)}%`;
    marks.push(mark);
  }
  return marks;
}
