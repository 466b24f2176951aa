/** /path_tester/: sends the middle of the view to the backend, and shows what a persona would perceive there. */

import { element, pageData, setText } from "../dom.js";
import { registerKey } from "../keys.js";
import { FoundObjects } from "../panel/found_objects.js";
import { countObjects, renderPlaces } from "../mind/spatial_tree.js";
import { get, retry, sleep, post } from "../server.js";
import { Gazetteer } from "../town/gazetteer.js";
import { VISION_RADIUS, drawVision } from "../town/vision_frame.js";
import { pageReady } from "../ready.js";
import { openTown } from "../town/town.js";
import { fill, gettext, ngettext } from "../translation.js";
/** @import { SpatialTree } from "../mind/spatial_tree.js" */

/** @type {[number, number]} */
const START = [1856, 288]; // first position of the camera in pixels, as in the released code
const INTERVAL = 400; // milliseconds between requests
const MAX_SILENCE = 5; // requests without an answer before the page says how to start path tester mode

const page = pageData();
const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);
const onTrouble = (/** @type {string} */ text) => setText(part("status"), text && `${gettext("Cannot show the town:")} ${text}`);
const town = await openTown(part("town"), page, { collisions: true, onTrouble });
town.camera.look(...START, { zoom: town.density * zoomToFitVision(part("town")), at: "once" });
const vision = drawVision(town);
town.onTick = () => {
  const [column, row] = vision.show(town.camera);
  setText(part("tile"), `${column}, ${row}`);
};
part("nearer").addEventListener("click", () => town.camera.zoomBy(1.5));
part("farther").addEventListener("click", () => town.camera.zoomBy(1 / 1.5));
part("overview").addEventListener("click", () => town.camera.overview());

offerSearch(part("search"), await Gazetteer.fetch(page.maze_name));

/**
 * A field that finds objects by what people call them; one that is chosen is in the middle of the view.
 * @param {HTMLElement} box  @param {Gazetteer} places
 */
function offerSearch(box, places) {
  const label = gettext("Search the objects");
  const field = element("input", { type: "search", "aria-label": label, placeholder: gettext("stove, cafe …"), title: `${label} ( / )` });
  const found = new FoundObjects((object) => town.showObject(object));
  field.addEventListener("input", () => found.show(field.value.trim() ? places.find(field.value) : []));
  box.replaceChildren(element("div", { class: "people-tools" }, field), found.list);
  registerKey("/", label, () => field.focus());
}

/** Zoom at which the whole field of vision fits the element, at most 1. @param {HTMLElement} box */
function zoomToFitVision({ clientWidth, clientHeight }) {
  return Math.min(1, Math.min(clientWidth, clientHeight) / ((2 * VISION_RADIUS + 4) * town.map.tile));
}

let sent = "";
/** @type {?string} */
let shown = null;
let silent = 0;

async function exchange() {
  const { x, y } = town.camera;
  const here = `${Math.round(x)} ${Math.round(y)}`;
  if (here !== sent) await post("/path_tester_update/", { camera: { maze: page.maze_name, x, y } });
  silent = here === sent ? silent : 0;
  sent = here;
  const tree = await get("/path_tester_out/");
  silent += 1;
  if (JSON.stringify(tree) !== shown) show(tree);
  const words = gettext("Type “start path tester mode” at the backend's prompt.");
  setText(part("status"), silent > MAX_SILENCE && !countObjects(tree) ? words : "");
}

/** @param {SpatialTree} tree */
function show(tree) {
  shown = JSON.stringify(tree);
  silent = 0;
  const count = countObjects(tree);
  setText(part("found"), fill(ngettext("%(count)s object", "%(count)s objects", count), { count }));
  part("places").replaceChildren(renderPlaces(tree, { open: 2 }));
  part("download").hidden = count === 0;
}

window.ville = {
  mode: page.mode,
  town,
  vision: VISION_RADIUS,
  get tree() {
    return JSON.parse(shown);
  },
};

pageReady("town");

for (;;) {
  await retry(exchange, (text) => setText(part("status"), text));
  await sleep(INTERVAL);
}
