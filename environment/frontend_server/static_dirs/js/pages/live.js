/** /simulator_home: the open simulation, as it is now. */

import { Acting, makeVisitBox } from "../acting/acting.js";
import { Actor } from "../acting/actor.js";
import { endFirstNight } from "../running/first_night.js";
import { Receipts } from "../acting/receipts.js";
import { RunBar } from "../running/run_bar.js";
import { momentOfText } from "../running/run_words.js";
import { Branching } from "../branching/branching.js";
import { pageData, prefersReducedMotion, setText, showDamage } from "../dom.js";
import { LiveStory } from "../feed/live_story.js";
import { offerFirstMinute } from "../guiding/first_minute.js";
import { START, noEngineText, statusText } from "../playback/backend_status.js";
import { dayText, timeText } from "../playback/clock.js";
import { LiveRun, walkTime } from "../playback/live_run.js";
import { StatusWatch } from "../playback/status_watch.js";
import { pageReady } from "../ready.js";
import { errorText, get } from "../server.js";
import { fill, gettext, language } from "../translation.js";
import { Viewer, part } from "./viewer.js";
/** @import { Status } from "../playback/status_watch.js" */

const STATUS_INTERVAL = 1000; // milliseconds
const FOLLOWED = "ville.followed"; // name of the simulation that this page has moved on to

const page = pageData();
const viewer = await Viewer.open(page);
const { clock } = viewer;
const timeOf = (/** @type {number} */ step) => timeText(clock.at(step));
const watch = new StatusWatch(STATUS_INTERVAL);
const live = new LiveRun(page, { walkTime: 0 });
const still = prefersReducedMotion();
const announce = (/** @type {string} */ text) => viewer.announce(text);
let announced = "";

const bar = new RunBar(part("run"), page, { clock, watch, onNote: (text) => viewer.notice(text) });
const story = new LiveStory(viewer, live);
const actor = new Actor(page, { secondsPerStep: page.sec_per_step, timeOf });
const acting = new Acting(viewer, actor, makeVisitBox(part("card")));

const run = { clock, secondsPerStep: page.sec_per_step, step: () => story.past.isLooking ? story.past.step : live.step, last: () => live.step, pause: () => {} };
const branching = new Branching(viewer, actor, run, [part("branch-past"), part("run").querySelector("[data-run=branch]")]);

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

watch.subscribe((status) => {
  followOther(status);
  live.newest = status.step;
  live.walkTime = still ? 0 : walkTime(status.speed, page.sec_per_step);
  showHints(status);
  const text = live.error ? errorText(live.error) : statusText(status, viewer.inTown ?? page.personas.length);
  showStatus(text, status.backend);
  announceChange(status, text);
  acting.onStatus(status);
  branching.update();
  viewer.tabs.offer("do", status.act === "yes" || status.act === "sign in");
});

/** Goes on to another simulation once that is open. @param {Status} status */
function followOther({ sim_code: other, backend }) {
  if (!other || other === page.sim_code || !["running", "paused", "waiting"].includes(backend)) return;
  sessionStorage.setItem(FOLLOWED, other);
  location.reload();
}

/** Says what to do before the first step, and after the simulation was closed. @param {Status} status */
function showHints({ backend, ended, step, act, cost, models, engine }) {
  const fresh = backend === "waiting" && step === 0 && !ended;
  const paid = cost ? fill(gettext("People think with %(models)s, which may cost money."), { models }) : "";
  const paused = backend === "paused" ? gettext("Paused: time stands still.") : "";
  const first = fresh && act === "yes" ? [gettext("Press Run: time begins to pass."), paid].filter(Boolean).join(" ") : "";
  setText(part("waiting"), paused || first);
  part("waiting").hidden = !paused && !first;
  const closed = backend === "stopped" || backend === "none";
  part("stopped").hidden = !closed || engine?.state === "opening";
  setText(part("stopped-text"), engine?.state === "idle" ? gettext("This simulation is saved and closed.") : `${noEngineText()} ${START}`);
  part("replay").hidden = live.step === 0;
  /** @type {HTMLAnchorElement} */ (part("replay")).href = `/replay/${encodeURIComponent(page.sim_code)}/${live.shown}/`;
}

/** @param {string} text  @param {string} state */
function showStatus(text, state) {
  setText(part("status"), text);
  part("status").dataset.state = page.backend = state;
}

/**
 * Reads the sentence to users of a screen reader when the state has changed, not whenever somebody thinks.
 * @param {Status} status  @param {string} text
 */
function announceChange({ backend, ended, fault, engine, curr_time: now }, text) {
  const key = [backend, ended, fault, engine?.state].join();
  if (key === announced) return;
  announced = key;
  const moment = momentOfText(now);
  announce(now ? `${text} ${dayText(moment, language)} ${timeText(moment)}` : text);
}

new Receipts(part("receipts"), { timeOf, announce });

endFirstNight(page.sim_code, watch);

const followed = sessionStorage.getItem(FOLLOWED);
sessionStorage.removeItem(FOLLOWED);
if (followed) viewer.notice(fill(gettext("Another simulation was opened: %(name)s."), { name: page.title || followed }));

window.ville = {
  mode: page.mode,
  viewer,
  watch,
  bar,
  story,
  acting,
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
pageReady("town");
offerFirstMinute(document.querySelector(".panel"), watch, () => ({ name: page.sim_code, isLive: true, mayBranch: branching.isOffered }));
