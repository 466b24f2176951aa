/** The town from which the runs of a study begin, as far as its form has to know it. */

import { get } from "../server.js";
import { Clock, timeText } from "../playback/clock.js";
/** @import { Page } from "../dom.js" */

const TIME = /^(\d\d?):(\d\d)$/;
const DAY = 86_400; // seconds

export class StudyTown {
  /** @param {string} name  @param {string} base of static files  @returns {Promise<StudyTown>} */
  static async fetch(name, base) {
    return new StudyTown({ ...(await get(`/live/${encodeURIComponent(name)}/`)), static: base });
  }

  /** @param {Page} page  response of /live/ */
  constructor(page) {
    this.page = { ...page, store: "saved" };
    this.clock = new Clock(page.start, page.sec_per_step);
    this.begin = page.step; // where runs begin
  }

  get people() {
    return this.page.personas.filter(({ visitor }) => !visitor);
  }

  /** Lets runs begin at a moment: a step or a time; empty for the last save. @param {string} moment */
  beginAt(moment) {
    const step = /^\d+$/.test(moment) ? Number(moment) : this.stepAt(moment, 0);
    this.begin = step ?? this.page.step;
  }

  /**
   * The first step at a time, not before another one; null if it is no time.
   * @param {string} time  as `12:30`  @returns {?number}
   */
  stepAt(time, from = this.begin) {
    const found = TIME.exec(time);
    if (!found) return null;
    const start = new Date(this.clock.at(0));
    const midnight = Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate());
    const seconds = Number(found[1]) * 3600 + Number(found[2]) * 60 - (this.clock.start - midnight) / 1000;
    const perStep = this.page.sec_per_step;
    const passed = from * perStep;
    const days = Math.max(0, Math.ceil((passed - seconds) / DAY));
    return Math.ceil((seconds + days * DAY) / perStep);
  }

  /** @param {number} step */
  timeOf(step) {
    return timeText(this.clock.at(step));
  }
}
