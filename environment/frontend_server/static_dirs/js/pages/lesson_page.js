/** /lesson/: the steps of the lesson, for those who have the town on another page. */

import { pageData } from "../dom.js";
import { Lesson } from "../guiding/lesson.js";
import { StatusWatch } from "../playback/status_watch.js";
import { pageReady } from "../ready.js";

const STATUS_INTERVAL = 2000; // milliseconds

const watch = new StatusWatch(STATUS_INTERVAL);
new Lesson(document.querySelector("[data-part=lesson]"), { base: pageData().base }).follow(watch);
watch.run();
pageReady("lesson");
