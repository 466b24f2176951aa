/** The front page: the painted town with people walking through it, and the form that starts a town. */

import { StartForm } from "../running/start_form.js";
import { BranchList } from "../branching/branch_list.js";
import { pageData } from "../dom.js";
import { Promenade } from "../town/promenade.js";
import { StatusWatch } from "../playback/status_watch.js";
import { showSizes } from "../keeping/card_sizes.js";
import { keepInOrder } from "../keeping/housekeeping.js";
import { pageReady } from "../ready.js";

const STATUS_INTERVAL = 2500; // milliseconds
const FEW_TREES = 3; // of branches, which are shown unfolded

const watch = new StatusWatch(STATUS_INTERVAL);
const start = new StartForm(pageData(), watch);
keepInOrder({
  onShow: () => {
    start.findResumes();
    showSizes();
  },
});
new Promenade(document.querySelector("[data-part=preview]"));
const whatIf = /** @type {HTMLDetailsElement} */ (document.querySelector("[data-part=what-if]"));
const branches = new BranchList(whatIf.querySelector("[data-part=branches]"), {
  mayAct: () => watch.latest?.act === "yes",
  models: () => watch.latest?.engine?.models ?? "",
  onShow: (count) => {
    if (whatIf.hidden) whatIf.open = count <= FEW_TREES;
    whatIf.hidden = count === 0;
  },
});
watch.run();
branches.follow();
pageReady("front");
showSizes();
