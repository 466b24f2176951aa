/** /simulator_home: the running simulation. */

import { pageData, setText, showDamage, prefersReducedMotion } from "../dom.js";
import { Acting, makeVisitBox } from "../acting/acting.js";
import { Actor } from "../acting/actor.js";
import { Receipts } from "../acting/receipts.js";
import { errorText, get, retry, sleep } from "../server.js";
import { Clock, hourOf, timeText } from "../playback/clock.js";
import { Past } from "../playback/past.js";
import { PastBar } from "../panel/past_bar.js";
import { LiveRun } from "../playback/live_run.js";
import { stepTime } from "../playback/player.js";
import { statusText } from "../playback/backend_status.js";
import { StatusWatch } from "../playback/status_watch.js";
import { fill, gettext } from "../translation.js";
import { Viewer, part } from "./viewer.js";

const STATUS_INTERVAL = 1000; // milliseconds
const TIMELINE_INTERVAL = 4000; // milliseconds
const MORNING = 8; // hour before which most people are asleep
const SPEED = 3; // of the walk, as in replays

const page = pageData();
const viewer = await Viewer.open(page);
const clock = new Clock(page.start, page.sec_per_step);
const timeOf = (step) => timeText(clock.at(step));
const watch = new StatusWatch(STATUS_INTERVAL);
const live = new LiveRun(page, { walkTime: prefersReducedMotion() ? 0 : stepTime(SPEED, page.sec_per_step) });

const past = new Past(page, live);
const pastBar = new PastBar({ bar: part("past"), strip: part("looking") }, past, {
  clock,
  onNote: (text) => viewer.notice(text),
});
past.onChange = () => {
  document.body.classList.toggle("past", past.isLooking);
  acting.looksBack = past.isLooking;
};

const actor = new Actor(page, { secondsPerStep: page.sec_per_step, timeOf });
const acting = new Acting(viewer, actor, { box: part("do"), visitBox: makeVisitBox(part("card")) });

viewer.town.onTick = (passed) => {
  const shown = past.tick(passed);
  pastBar.update();
  if (shown) viewer.show(shown.scene, { step: shown.step, moment: clock.at(shown.step), passed });
  acting.onFrame(live.scene.after);
  acting.tick();
};
live.onDamage = showDamage;
live.onFrame = async (frame) => {
  if (!viewer.strangers(frame).length) return;
  const { personas } = await get(`/live/${page.sim_code}/`);
  await viewer.meet(personas);
};
live.onStep = (step) => {
  viewer.talks.observe(step, live.scene.after);
  if (past.isLooking) return;
  viewer.show(live.scene, { step, moment: clock.at(step), passed: 0 });
  const detail = { step, positions: viewer.positions };
  document.dispatchEvent(new CustomEvent("ville:step", { detail }));
};

/** Says what to do before the first step and after the last one. */
function showHints({ backend, step }) {
  const command = hourOf(clock.at(0)) < MORNING ? "run until 08:00" : "run 100";
  setText(part("waiting"), fill(gettext("Type “%(command)s” in the terminal to start."), { command }));
  part("waiting").hidden = backend !== "waiting" || step > 0;
  part("stopped").hidden = backend !== "stopped" || live.step === 0;
  part("replay").href = `/replay/${encodeURIComponent(page.sim_code)}/${live.shown}/`;
}

function showStatus(text, state) {
  setText(part("status"), text);
  part("status").dataset.state = page.backend = state;
}

watch.subscribe((status) => {
  if (status.sim_code && status.sim_code !== page.sim_code && status.backend !== "stopped") location.reload();
  live.newest = status.step;
  showHints(status);
  showStatus(live.error ? errorText(live.error) : statusText(status, viewer.inTown ?? page.personas.length), status.backend);
  acting.onStatus(status);
  viewer.tabs.offer("do", status.act === "yes" || status.act === "sign in");
});

new Receipts(part("receipts"), { timeOf, announce: (text) => viewer.announce(text) });

window.ville = {
  mode: page.mode,
  viewer,
  watch,
  past,
  get step() {
    return past.step;
  },
  get next() {
    return live.step;
  },
  get positions() {
    return viewer.positions;
  },
  get state() {
    return live.walking ? "walking" : (page.backend ?? "unknown");
  },
};

/** Asks every few seconds what has been said and done. Runs forever. */
async function watchTimeline() {
  for (let steps = -1; ; await sleep(TIMELINE_INTERVAL)) {
    if (steps === live.step || document.hidden) continue;
    const timeline = await retry(
      () => get(`/timeline/${page.sim_code}/?store=saved`),
      () => {},
    );
    steps = timeline.steps;
    past.first = timeline.first;
    viewer.talks.know(timeline.conversations, timeline.steps);
    pastBar.mark(viewer.talks.conversations, []);
  }
}

watchTimeline();
watch.run((text) => showStatus(text, "unknown"));
live.follow();
document.documentElement.dataset.ready = "town"; // for tests
