/** /simulator_home: the running town. */

import { pageData, say, tellDamage, wantsStillness } from "../dom.js";
import { faultWords, get, insist, pause } from "../server.js";
import { Clock, hourOf } from "../story/clock.js";
import { Live } from "../story/live.js";
import { STEP_TIMES } from "../story/player.js";
import { statusWords } from "../story/status.js";
import { fill, gettext } from "../words.js";
import { Viewer, part } from "./viewer.js";

const LOOK = 1000; // milliseconds between two looks at the backend
const MORNING = 8; // o'clock; earlier most people are asleep
const PACE = 3; // speed of the walk, as in replays

const page = pageData();
const viewer = await Viewer.open(page);
const clock = new Clock(page.start, page.sec_per_step);
const live = new Live(page, { walkTime: wantsStillness() ? 0 : STEP_TIMES[PACE - 1] });

viewer.town.onTick = (passed) => {
  live.tick(passed);
  viewer.show(live.scene, { step: live.shown, moment: clock.at(live.shown), passed });
};
live.onDamage = tellDamage;
live.onStep = (step) => {
  viewer.show(live.scene, { step, moment: clock.at(step), passed: 0 });
  const detail = { step, positions: viewer.positions };
  document.dispatchEvent(new CustomEvent("ville:step", { detail }));
};

/** What to do where nothing happens: before the first step, and after the last. */
function advise({ backend, step }) {
  const command = hourOf(clock.at(0)) < MORNING ? "run until 08:00" : "run 100";
  say(part("waiting"), fill(gettext("Type “%(command)s” in the terminal, and time begins to pass."), { command }));
  part("waiting").hidden = backend !== "waiting" || step > 0;
  part("stopped").hidden = backend !== "stopped" || live.step === 0;
  part("replay").href = `/replay/${encodeURIComponent(page.sim_code)}/${live.shown}/`;
}

function tell(text, state) {
  say(part("status"), text);
  part("status").dataset.state = page.backend = state;
}

/** Never ends. */
async function watchBackend() {
  for (;;) {
    const status = await insist(
      () => get("/status/"),
      (text) => text && tell(text, "unknown"),
    );
    if (status.sim_code && status.sim_code !== page.sim_code && status.backend !== "stopped") location.reload();
    live.newest = status.step;
    advise(status);
    tell(live.fault ? faultWords(live.fault) : statusWords(status, page.personas.length), status.backend);
    await pause(LOOK);
  }
}

window.ville = {
  mode: page.mode,
  viewer,
  get step() {
    return live.shown;
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

watchBackend();
live.follow();
document.documentElement.dataset.ready = "town"; // for who drives the page
