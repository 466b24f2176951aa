/** /simulator_home: the running simulation. */

import { pageData, setText, showDamage, prefersReducedMotion } from "../dom.js";
import { Acting, makeVisitBox } from "../acting/acting.js";
import { Actor } from "../acting/actor.js";
import { Receipts } from "../acting/receipts.js";
import { errorText, get } from "../server.js";
import { Clock, hourOf, timeText } from "../playback/clock.js";
import { LiveStory } from "../feed/live_story.js";
import { LiveRun } from "../playback/live_run.js";
import { stepTime } from "../playback/player.js";
import { statusText } from "../playback/backend_status.js";
import { StatusWatch } from "../playback/status_watch.js";
import { fill, gettext } from "../translation.js";
import { Viewer, part } from "./viewer.js";

const STATUS_INTERVAL = 1000; // milliseconds
const MORNING = 8; // hour before which most people are asleep
const SPEED = 3; // of the walk, as in replays

const page = pageData();
const viewer = await Viewer.open(page);
const clock = new Clock(page.start, page.sec_per_step);
const timeOf = (step) => timeText(clock.at(step));
const watch = new StatusWatch(STATUS_INTERVAL);
const live = new LiveRun(page, { walkTime: prefersReducedMotion() ? 0 : stepTime(SPEED, page.sec_per_step) });

const story = new LiveStory(viewer, live, clock);
const actor = new Actor(page, { secondsPerStep: page.sec_per_step, timeOf });
const acting = new Acting(viewer, actor, { box: part("do"), visitBox: makeVisitBox(part("card")) });

viewer.town.onTick = (passed) => {
  story.tick(passed);
  acting.looksBack = story.past.isLooking;
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
  if (!story.note(step)) return;
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
  story,
  get step() {
    return story.past.step;
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

story.start();
watch.run((text) => showStatus(text, "unknown"));
live.follow();
document.documentElement.dataset.ready = "town"; // for tests
