/** /drafts/: the map of a town file, drawn again whenever the file is saved. */

import { setText } from "../dom.js";
import { pageReady } from "../ready.js";
import { errorText, get, sleep } from "../server.js";
import { gettext } from "../translation.js";

/** @typedef {{mark: string, state: "drawing"|"drawn"|"wrong", fault: string}} Draft  response of /draft/ */

const INTERVAL = 700; // milliseconds between two looks at the file

const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);
const town = /** @type {?HTMLSelectElement} */ (part("town"));
const map = /** @type {HTMLImageElement} */ (part("map"));
let shown = ""; // address of the picture on the page

/** @param {Draft} draft */
function show({ mark, state, fault }) {
  setText(part("state"), state === "drawing" ? gettext("Drawing …") : "");
  setText(part("fault"), fault);
  part("fault").hidden = !fault;
  const address = `/draft_picture/?town=${encodeURIComponent(town.value)}&mark=${mark}`;
  if (state === "drawn" && address !== shown) {
    shown = map.src = address;
    map.hidden = false;
  }
  map.classList.toggle("stale", address !== shown);
}

async function follow() {
  for (; ; await sleep(INTERVAL)) {
    if (document.hidden) continue;
    const asked = town.value;
    try {
      /** @type {Draft} */
      const draft = await get(`/draft/?town=${encodeURIComponent(asked)}`);
      if (asked === town.value) show(draft);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setText(part("state"), errorText(error));
    }
  }
}

if (town) {
  const named = new URLSearchParams(location.search).get("town");
  if ([...town.options].some(({ value }) => value === named)) town.value = named;
  follow();
}
pageReady("drafts");
