/** What the live page tells beside the present: what has been said and done, and any earlier step. */

import { PastBar } from "../panel/past_bar.js";
import { WorthWatching } from "../panel/worth_watching.js";
import { Past } from "../playback/past.js";
import { get, retry, sleep } from "../server.js";
/** @import { Viewer } from "../pages/viewer.js" */
/** @import { LiveRun } from "../playback/live_run.js" */
/** @import { FeedTab } from "../tabs/feed.js" */
/** @import { MarksTab } from "../tabs/marks.js" */

const TIMELINE_INTERVAL = 4000; // milliseconds
const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);

export class LiveStory {
  /** @param {Viewer} viewer  @param {LiveRun} live */
  constructor(viewer, live) {
    this.viewer = viewer;
    this.live = live;
    this.past = new Past(viewer.page, live);
    const boxes = { bar: part("past"), strip: part("looking") };
    this.bar = new PastBar(boxes, this.past, { clock: viewer.clock, onNote: (text) => viewer.notice(text) });
    const onNote = (/** @type {string} */ text) => viewer.notice(text);
    new WorthWatching(boxes.bar.querySelector("[data-control=moment]"), viewer.page, { stepNow: () => this.past.step, goTo: (step, names) => this.#goTo(step, names), onNote });
    viewer.goTo = (step, names) => this.#goTo(step, names);
    this.feed = /** @type {FeedTab} */ (viewer.tabs.views.get("feed"));
    this.feed.onActs = () => this.#mark();
    const marks = /** @type {MarksTab} */ (viewer.tabs.views.get("marks"));
    marks.onMarks = (found) => this.bar.time.pin(found);
    this.past.onChange = () => document.body.classList.toggle("past", this.past.isLooking);
  }

  /** Never ends. */
  start() {
    this.feed.source.follow(() => this.past.newest);
    return this.#watchTimeline();
  }

  /** Shows the present, or what is looked at. Called on every tick. @param {number} passed */
  tick(passed) {
    const { past, viewer } = this;
    const shown = past.tick(passed);
    this.bar.update();
    this.feed.update(past.step, viewer.chosen, past.isLooking ? past.step : this.live.step); // also what is done before it
    if (!shown) return;
    const time = past.isLooking || this.live.walking ? shown.step : this.live.step; // at rest, that of the next step
    viewer.show(shown.scene, { step: shown.step, moment: viewer.clock.at(time), passed });
  }

  /** Notes a step of the run. @param {number} step  @returns {boolean} whether it is on screen */
  note(step) {
    const { live, viewer } = this;
    if (viewer.talks.observe(step, live.scene.after)) this.#mark();
    if (this.past.isLooking) return false;
    viewer.show(live.scene, { step, moment: viewer.clock.at(step), passed: 0 });
    return true;
  }

  /** @param {number} step  @param {string[]} names */
  #goTo(step, names) {
    this.past.seek(step);
    this.viewer.chooseOneOf(names);
  }

  /** Lists what has been said and done, and marks it above the slider. */
  #mark() {
    const { conversations } = this.viewer.talks;
    this.bar.mark(conversations, this.feed.log.acts);
    this.feed.setConversations(conversations);
  }

  /** Asks every few seconds for the conversations, unless nothing has happened. */
  async #watchTimeline() {
    for (let steps = -1; ; await sleep(TIMELINE_INTERVAL)) {
      if (steps === this.live.step || document.hidden) continue;
      const timeline = await retry(
        () => get(`/timeline/${this.viewer.page.sim_code}/?store=saved`),
        () => {},
      );
      steps = timeline.steps;
      this.past.first = timeline.first;
      this.viewer.talks.know(timeline.conversations, timeline.steps);
      this.#mark();
    }
  }
}
