/** /replay/ and /demo/: a recording, played. */

import { settle } from "../address.js";
import { pageData, say, tellDamage, wantsStillness } from "../dom.js";
import { ControlBar, paceOf } from "../panel/control_bar.js";
import { ConversationList } from "../panel/conversations.js";
import { faultWords, get, insist, pause } from "../server.js";
import { Clock, dateText, timeText } from "../story/clock.js";
import { Player, STEP_TIMES, nextConversation } from "../story/player.js";
import { Reel } from "../story/reel.js";
import { fill, gettext, language } from "../words.js";
import { Viewer, part } from "./viewer.js";

const LOOK = 5000; // milliseconds between two looks at whether the server is there
const SETTLED = 500; // milliseconds between two looks at whether the address still names the moment

const page = pageData();
const [viewer, timeline] = await Promise.all([
  Viewer.open(page),
  insist(
    () => get(`/timeline/${page.sim_code}/?store=${page.store}`),
    (text) => say(part("status"), text),
  ),
]);
tellDamage(timeline.damage);
const clock = new Clock(timeline.start, timeline.sec_per_step);
const reel = new Reel(page.sim_code, { steps: timeline.steps, store: page.store });
reel.onDamage = tellDamage;
const player = new Player(reel, { step: page.step, speed: page.speed });
const bar = new ControlBar(part("controls"), player, { clock, timeline, onTalk: toNextTalk });
const { conversations } = timeline;
const heard = new ConversationList(document.querySelector(".panel"), page, { clock, conversations, onPick: goTo });

let noted = null;
let absent = ""; // what to say while the server is away
let shown = null; // the step that is drawn: the playhead may already wait for another

viewer.town.onTick = (passed) => {
  const here = player.tick(passed);
  bar.update();
  heard.update(player.step, viewer.chosen);
  note(here);
  if (!player.scene) return;
  const scene = wantsStillness() ? { ...player.scene, fraction: 1 } : player.scene;
  viewer.show(scene, { step: player.step, moment: clock.at(player.step), passed });
  if (here) shown = player.step;
};

/** Tells what the playhead is about. */
function note(here) {
  noted = !here ? "loading" : player.ended ? "ended" : player.playing ? "playing" : "paused";
  const fault = reel.fault ? faultWords(reel.fault) : absent;
  part("status").dataset.state = fault ? "unknown" : noted;
  const seconds = paceOf(STEP_TIMES[player.speed - 1], clock);
  const words = {
    loading: gettext("Fetching the recording …"),
    ended: fill(gettext("The recording ends here: %(date)s, %(time)s."), endWords()),
    playing: fill(gettext("Playing: an hour in %(seconds)s s"), { seconds }),
    paused: gettext("Paused"),
  };
  say(part("status"), fault || words[noted]);
}

function endWords() {
  const end = clock.at(player.last);
  return { date: dateText(end, language, { short: true }), time: timeText(end) };
}

function toNextTalk() {
  const talk = nextConversation(conversations, player.step);
  if (!talk) {
    viewer.notice(gettext("No more conversations in this recording."));
    return;
  }
  goTo(talk);
  viewer.notice(fill(gettext("Conversation: %(names)s"), { names: talk.names.join(", ") }));
}

function goTo(talk) {
  player.seek(talk.first);
  viewer.choose(talk.names.includes(viewer.chosen) ? viewer.chosen : talk.names[0]);
}

/** The step that is seen, and for a demo the speed, are in the address. */
function remember() {
  const place = page.mode === "demo" ? `${shown}/${player.speed}` : shown;
  const path = `/${page.mode}/${encodeURIComponent(page.sim_code)}/${place}/`;
  if (shown !== null && path !== location.pathname) settle({ path });
}

/** A recording that is here plays on without the server; what has to be fetched would not come. Never ends. */
async function watchServer() {
  for (;;) {
    await insist(
      () => get("/status/"),
      (text) => (absent = text),
    );
    await pause(LOOK);
  }
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
    return noted;
  },
};

setInterval(remember, SETTLED);
watchServer();
if (page.mode === "demo" && !player.ended) player.play();
document.documentElement.dataset.ready = "town"; // for who drives the page
