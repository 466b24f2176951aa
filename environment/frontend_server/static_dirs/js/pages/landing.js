/** The front page: the painted town with people walking through it, and the form that starts a town. */

import { StartForm } from "../acting/start_form.js";
import { pageData } from "../dom.js";
import { Promenade } from "../landing/promenade.js";
import { StatusWatch } from "../playback/status_watch.js";

const STATUS_INTERVAL = 2500; // milliseconds

const watch = new StatusWatch(STATUS_INTERVAL);
new StartForm(pageData(), watch);
new Promenade(document.querySelector("[data-part=preview]"));
watch.run();
