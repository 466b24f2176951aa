/** The front page: the painted town with people walking through it, and the form that starts a town. */

import { StartForm } from "../running/start_form.js";
import { BranchList } from "../branching/branch_list.js";
import { pageData } from "../dom.js";
import { Promenade } from "../town/promenade.js";
import { StatusWatch } from "../playback/status_watch.js";
import { pageReady } from "../ready.js";

const STATUS_INTERVAL = 2500; // milliseconds

const watch = new StatusWatch(STATUS_INTERVAL);
new StartForm(pageData(), watch);
new Promenade(document.querySelector("[data-part=preview]"));
const whatIf = document.querySelector("[data-part=what-if]");
const branches = new BranchList(whatIf.querySelector("[data-part=branches]"), {
  mayAct: () => watch.latest?.act === "yes",
  onShow: (count) => (whatIf.hidden = count === 0),
});
watch.run();
branches.follow();
pageReady("front");
