/** /replay/ and /demo/: play a recording. */

import { offerAsking } from "../acting/acting.js";
import { Actor } from "../acting/actor.js";
import { Branching } from "../branching/branching.js";
import { offerFirstMinute } from "../guiding/first_minute.js";
import { updateAddress } from "../page_address.js";
import { pageData, setText, showDamage, prefersReducedMotion } from "../dom.js";
import { ControlBar, speedName } from "../panel/control_bar.js";
import { WorthWatching } from "../panel/worth_watching.js";
import { pageReady } from "../ready.js";
import { errorText, get, retry } from "../server.js";
import { dateText, timeText } from "../playback/clock.js";
import { Player, SPEEDS, nextConversation } from "../playback/player.js";
import { StatusWatch } from "../playback/status_watch.js";
import { FrameLoader } from "../playback/frame_loader.js";
import { fill, gettext, language } from "../translation.js";
import { Viewer, part } from "./viewer.js";
/** @import { Conversation } from "../playback/talks.js" */
/** @import { FeedTab } from "../tabs/feed.js" */
/** @import { MarksTab } from "../tabs/marks.js" */

const STATUS_INTERVAL = 5000; // milliseconds between checks whether the server responds
const ADDRESS_INTERVAL = 500; // milliseconds between updates of the address

const page = pageData();
const opening = Viewer.open(page);
const timeline = await retry(
  () => get(`/timeline/${page.sim_code}/?store=${page.store}`),
  (text) => setText(part("status"), text),
);
showDamage(timeline.damage);
const loader = new FrameLoader(page.sim_code, { first: timeline.first, steps: timeline.steps, store: page.store, people: page.personas.length });
loader.onDamage = showDamage;
loader.peek(page.step); // is loaded at the same time as the town
const viewer = await opening;
const { clock } = viewer;
const player = new Player(loader, { step: page.step, speed: page.speed, secondsPerStep: timeline.sec_per_step });
const bar = new ControlBar(part("controls"), player, { clock, timeline, onTalk: toNextConversation });
new WorthWatching(part("controls").querySelector("[data-control=moment]"), page, { stepNow: () => player.step, goTo, onNote: (text) => viewer.notice(text) });
/** @type {Conversation[]} */
const conversations = timeline.conversations;
viewer.talks.know(conversations, timeline.steps);
const feed = /** @type {FeedTab} */ (viewer.tabs.views.get("feed"));
viewer.goTo = goTo;
feed.setConversations(conversations);
feed.onActs = (acts) => bar.mark(acts);
const marks = /** @type {MarksTab} */ (viewer.tabs.views.get("marks"));
marks.onMarks = (found) => bar.time.pin(found);

const watch = new StatusWatch(STATUS_INTERVAL); // loaded frames play on without the server, but no others would load
const time = { secondsPerStep: timeline.sec_per_step, timeOf: (/** @type {number} */ step) => timeText(clock.at(step)) };
const actor = new Actor(page, time, () => (shown ?? page.step) + 1); // people are asked after what is on screen
const asking = offerAsking(viewer, actor);
const run = { clock, secondsPerStep: timeline.sec_per_step, step: () => shown ?? page.step, last: () => timeline.steps, pause: () => player.pause() };
const branching = new Branching(viewer, actor, run, [part("controls").querySelector("[data-control=branch]")]);
let away = ""; // message while the server does not respond
watch.subscribe((status) => {
  away = "";
  actor.status = status;
  asking.update();
  branching.update();
});

/** @type {?string} */
let state = null;
/** @type {?number} */
let shown = null; // the step on screen; the playhead may be waiting for another

viewer.town.onTick = (passed) => {
  const loaded = player.tick(passed);
  bar.update();
  feed.update(player.step, viewer.chosen);
  showState(loaded);
  if (!player.scene) return;
  const scene = prefersReducedMotion() ? { ...player.scene, fraction: 1 } : player.scene;
  viewer.show(scene, { step: player.step, moment: clock.at(player.step), passed });
  if (loaded) shown = player.step;
};

/** Shows the state of the playback. @param {boolean} loaded whether the frames are loaded */
function showState(loaded) {
  state = !loaded ? "loading" : player.ended ? "ended" : player.playing ? "playing" : "paused";
  const error = loader.error ? errorText(loader.error) : away;
  part("status").dataset.state = error ? "unknown" : state;
  /** @type {Record<string, string>} */
  const words = {
    loading: gettext("Loading the recording …"),
    ended: fill(gettext("The recording ends here: %(date)s, %(time)s."), endWords()),
    playing: fill(gettext("Playing, %(speed)s"), { speed: speedName(SPEEDS[player.speed - 1]) }),
    paused: gettext("Paused"),
  };
  setText(part("status"), error || words[state]);
}

function endWords() {
  const end = clock.at(player.last);
  return { date: dateText(end, language, { short: true }), time: timeText(end) };
}

function toNextConversation() {
  const talk = nextConversation(conversations, player.step);
  if (!talk) {
    viewer.notice(gettext("No more conversations in this recording."));
    return;
  }
  goTo(talk.first, talk.names);
  viewer.notice(fill(gettext("Conversation: %(names)s"), { names: talk.names.join(", ") }));
}

/** @param {number} step  @param {string[]} names */
function goTo(step, names) {
  player.seek(step);
  viewer.chooseOneOf(names);
}

/** Puts the step on screen into the address; for a demo, the speed too. */
function updatePath() {
  const place = page.mode === "demo" ? `${shown}/${player.speed}` : shown;
  const path = `/${page.mode}/${encodeURIComponent(page.sim_code)}/${place}/`;
  if (shown !== null && path !== location.pathname) updateAddress({ path });
}

window.ville = {
  mode: page.mode,
  viewer,
  player,
  get step() {
    return shown;
  },
  get positions() {
    return viewer.positions;
  },
  get state() {
    return state;
  },
};

feed.source.read();
setInterval(updatePath, ADDRESS_INTERVAL);
watch.run((text) => (away = text));
if (page.mode === "demo" && !player.ended) player.play();
pageReady("town");
offerFirstMinute(document.querySelector(".panel"), watch, () => ({ name: page.sim_code, isLive: false, mayBranch: branching.isOffered }));
