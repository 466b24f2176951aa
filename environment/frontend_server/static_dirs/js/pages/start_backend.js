/** /simulator_home while no town is open: starts one, and goes there as soon as one is open. */

import { StartForm } from "../running/start_form.js";
import { pageData, setText } from "../dom.js";
import { StatusWatch } from "../playback/status_watch.js";
import { keepInOrder } from "../keeping/housekeeping.js";
import { pageReady } from "../ready.js";

const STATUS_INTERVAL = 1500; // milliseconds

const hint = document.querySelector("[data-part=hint]");
const words = hint.textContent;
const watch = new StatusWatch(STATUS_INTERVAL);
const start = new StartForm(pageData(), watch);
keepInOrder({ onShow: () => start.findResumes() });
watch.subscribe(({ backend }) => {
  setText(hint, words);
  if (["running", "paused", "waiting"].includes(backend)) location.reload();
});
watch.run((text) => setText(hint, text));
pageReady("start");
