/** /calls/NAME/: what a run asked models. Sums, curve and list follow the run while it goes on. */

import { pageData, setText } from "../dom.js";
import { pageReady } from "../ready.js";
import { errorText, get, sleep } from "../server.js";

const SOON = 150; // milliseconds, while calls of a long ledger are being read
const INTERVAL = 2000; // milliseconds, while the run goes on
const IDLE_INTERVAL = 10_000;

/** @type {{part: string}} */
const page = pageData();
const shown = new Map(); // what is on the page, by part
const part = (/** @type {string} */ which) => document.querySelector(`[data-part=${which}]`);

/** Replaces a part that has changed, unless the reader is in it. @param {string} which  @param {string} html */
function show(which, html) {
  const box = part(which);
  if (shown.get(which) === html || box.contains(document.activeElement)) return;
  shown.set(which, html);
  box.replaceChildren(document.createRange().createContextualFragment(html));
}

/** @returns {Promise<number>} milliseconds until the next look */
async function read() {
  const { parts, more, runs } = await get(page.part);
  for (const [which, html] of Object.entries(parts)) show(which, html);
  setText(part("state"), "");
  return more ? SOON : runs ? INTERVAL : IDLE_INTERVAL;
}

pageReady("calls");
for (let pause = part("now") ? SOON : 0; pause; await sleep(pause)) {
  if (document.hidden) continue;
  try {
    pause = await read();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    setText(part("state"), errorText(error));
    pause = IDLE_INTERVAL;
  }
}
