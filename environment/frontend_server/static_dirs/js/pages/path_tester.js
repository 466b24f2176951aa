/** /path_tester/: a view that asks the engine what somebody would learn there. */

import { pageData, say } from "../dom.js";
import { countObjects, placesOf } from "../panel/places.js";
import { get, insist, pause, post } from "../server.js";
import { SIGHT, frameSight } from "../town/sight.js";
import { openTown } from "../town/town.js";
import { fill, gettext, ngettext } from "../words.js";

const START = [1856, 288]; // pixels; where the camera has always stood at first
const BEAT = 400; // milliseconds between two letters to the server
const ANSWER = 5; // beats without an answer after which one asks whether the engine listens

const page = pageData();
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const town = await insist(
  () => openTown(part("town"), page, { collisions: true }),
  (text) => say(part("status"), text && `${gettext("The town cannot be shown:")} ${text}`),
);
town.camera.look(...START, { zoom: town.density * wholeSight(part("town")), at: "once" });
const sight = frameSight(town);
town.onTick = () => {
  const [column, row] = sight.show(town.camera);
  say(part("tile"), `${column}, ${row}`);
};
for (const [name, factor] of [
  ["nearer", 1.5],
  ["farther", 1 / 1.5],
]) {
  part(name).addEventListener("click", () => town.camera.approach(factor));
}
part("overview").addEventListener("click", () => town.camera.overview());

/** The zoom at which all that would be seen is in view, at most 1. */
function wholeSight({ clientWidth, clientHeight }) {
  return Math.min(1, Math.min(clientWidth, clientHeight) / ((2 * SIGHT + 4) * town.map.tile));
}

let told = "";
let shown = null;
let silent = 0;

async function beat() {
  const { x, y } = town.camera;
  const here = `${Math.round(x)} ${Math.round(y)}`;
  if (here !== told) await post("/path_tester_update/", { camera: { maze: page.maze_name, x, y } });
  silent = here === told ? silent : 0;
  told = here;
  const tree = await get("/path_tester_out/");
  silent += 1;
  if (JSON.stringify(tree) !== shown) show(tree);
  const words = gettext("Type “start path tester mode” in the backend's terminal: it is the engine that answers.");
  say(part("status"), silent > ANSWER && !countObjects(tree) ? words : "");
}

function show(tree) {
  shown = JSON.stringify(tree);
  silent = 0;
  const count = countObjects(tree);
  say(part("found"), fill(ngettext("%(count)s object", "%(count)s objects", count), { count }));
  part("places").replaceChildren(placesOf(tree, { open: 2 }));
  part("download").hidden = count === 0;
}

window.ville = {
  mode: page.mode,
  town,
  sight: SIGHT,
  get tree() {
    return JSON.parse(shown);
  },
};

document.documentElement.dataset.ready = "town"; // for who drives the page

for (;;) {
  await insist(beat, (text) => say(part("status"), text));
  await pause(BEAT);
}
