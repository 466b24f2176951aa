/** /simulator_home: the open simulation, as it is now. */

import { Acting, makeVisitBox } from "../acting/acting.js";
import { Actor } from "../acting/actor.js";
import { Receipts } from "../acting/receipts.js";
import { RunBar } from "../acting/run_bar.js";
import { momentOfText } from "../acting/run_words.js";
import { pageData, prefersReducedMotion, setText, showDamage } from "../dom.js";
import { PastBar } from "../panel/past_bar.js";
import { START, noEngineText, statusText } from "../playback/backend_status.js";
import { Clock, dayText, timeText } from "../playback/clock.js";
import { LiveRun, walkTime } from "../playback/live_run.js";
import { Past } from "../playback/past.js";
import { StatusWatch } from "../playback/status_watch.js";
import { errorText, get, retry, sleep } from "../server.js";
import { fill, gettext, language } from "../translation.js";
import { Viewer, part } from "./viewer.js";

const STATUS_INTERVAL = 1000; // milliseconds
const TIMELINE_INTERVAL = 4000; // milliseconds
const FOLLOWED = "ville.followed"; // name of the simulation that this page has moved on to

const page = pageData();
const viewer = await Viewer.open(page);
const clock = new Clock(page.start, page.sec_per_step);
const timeOf = (step) => timeText(clock.at(step));
const watch = new StatusWatch(STATUS_INTERVAL);
const live = new LiveRun(page, { walkTime: 0 });
const still = prefersReducedMotion();
const announce = (text) => viewer.announce(text);
let announced = "";

const bar = new RunBar(part("run"), page, { clock, watch });
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
  const now = past.isLooking || live.walking ? shown?.step : live.step;
  if (shown) viewer.show(shown.scene, { step: shown.step, moment: clock.at(now), passed });
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

watch.subscribe((status) => {
  followOther(status);
  live.newest = status.step;
  live.walkTime = still ? 0 : walkTime(status.speed, page.sec_per_step);
  showHints(status);
  const text = live.error ? errorText(live.error) : statusText(status, viewer.inTown ?? page.personas.length);
  showStatus(text, status.backend);
  announceChange(status, text);
  acting.onStatus(status);
  viewer.tabs.offer("do", status.act === "yes" || status.act === "sign in");
});

/** Goes on to another simulation once that is open. */
function followOther({ sim_code: other, backend }) {
  if (!other || other === page.sim_code || !["running", "paused", "waiting"].includes(backend)) return;
  sessionStorage.setItem(FOLLOWED, other);
  location.reload();
}

/** Says what to do before the first step, and after the simulation was closed. */
function showHints({ backend, ended, step, act, cost, models, engine }) {
  const fresh = backend === "waiting" && step === 0 && !ended;
  const paid = cost ? fill(gettext("People think with %(models)s, which may cost money."), { models }) : "";
  setText(part("waiting"), act === "yes" ? [gettext("Press Run: time begins to pass."), paid].filter(Boolean).join(" ") : "");
  part("waiting").hidden = !fresh;
  const closed = backend === "stopped" || backend === "none";
  part("stopped").hidden = !closed || engine?.state === "opening";
  setText(part("stopped-text"), engine?.state === "idle" ? gettext("This simulation is saved and closed.") : `${noEngineText()} ${START}`);
  part("replay").hidden = live.step === 0;
  part("replay").href = `/replay/${encodeURIComponent(page.sim_code)}/${live.shown}/`;
}

function showStatus(text, state) {
  setText(part("status"), text);
  part("status").dataset.state = page.backend = state;
}

/** Reads the sentence to users of a screen reader when the state has changed, not whenever somebody thinks. */
function announceChange({ backend, ended, fault, engine, curr_time: now }, text) {
  const key = [backend, ended, fault, engine?.state].join();
  if (key === announced) return;
  announced = key;
  const moment = momentOfText(now);
  announce(now ? `${text} ${dayText(moment, language)} ${timeText(moment)}` : text);
}

new Receipts(part("receipts"), { timeOf, announce });

const followed = sessionStorage.getItem(FOLLOWED);
sessionStorage.removeItem(FOLLOWED);
if (followed) viewer.notice(fill(gettext("Another simulation was opened: %(name)s."), { name: page.title || followed }));

window.ville = {
  mode: page.mode,
  viewer,
  watch,
  bar,
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
