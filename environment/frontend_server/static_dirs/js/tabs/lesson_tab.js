/** The tab "Lesson" of a town, live or in the past, for those who have begun a lesson in it. */

import { Lesson } from "../guiding/lesson.js";
import { readRecord } from "../guiding/lesson_record.js";
import { registerTab } from "../panel/tabs.js";
import { StatusWatch } from "../playback/status_watch.js";
import { gettext } from "../translation.js";
/** @import { TownView } from "../guiding/lesson.js" */
/** @import { Viewer } from "../pages/viewer.js" */

const STATUS_INTERVAL = 2000; // milliseconds

registerTab({ name: "lesson", order: 5, title: () => gettext("Lesson"), waits: true, draw: (box, viewer) => new LessonTab(box, viewer) });

export class LessonTab {
  /** @param {HTMLElement} box  @param {Viewer} viewer */
  constructor(box, { page }) {
    this.box = box;
    this.isLive = page.mode === "simulate";
    this.due = readRecord()?.town === page.sim_code;
  }

  /** Begins when the page is there. @param {Viewer} viewer */
  show(viewer) {
    if (!this.due || !viewer.tabs) return;
    this.due = false;
    const watch = new StatusWatch(STATUS_INTERVAL);
    /** @type {?TownView} */
    const town = this.isLive && { choose: (name) => viewer.choose(name), goTo: (step, names) => viewer.goTo(step, names) };
    new Lesson(this.box, { town, onEnd: () => viewer.tabs.offer("lesson", false) }).follow(watch);
    watch.run();
    viewer.tabs.offer("lesson", true);
    viewer.tabs.open("lesson");
  }
}
