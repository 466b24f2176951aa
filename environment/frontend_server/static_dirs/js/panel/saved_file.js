/** Saves what is on a page as one file that needs no server: has the server make it, and downloads it. */

import { element, setText } from "../dom.js";
import { get, sleep } from "../server.js";
import { allow, onUse } from "../running/menu.js";
import { fill, gettext } from "../translation.js";

const WAIT = 4; // seconds for which the server holds a request while it makes a file
const PAUSE = 300; // milliseconds between two requests

/**
 * @param {string} address  that has the file made  @param {(text: string) => void} onNote  gets what becomes of it
 */
export async function saveFile(address, onNote) {
  onNote(gettext("Making the file. This takes up to a minute …"));
  const asked = `${address}${address.includes("?") ? "&" : "?"}wait=${WAIT}`;
  try {
    for (;;) {
      const made = await get(asked);
      if (made.file) return download(made, onNote);
      await sleep(PAUSE);
    }
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    onNote(fault.message || gettext("The environment server is not responding."));
  }
  return null;
}

/** @param {{file: string, bytes: number}} made  @param {(text: string) => void} onNote */
function download({ file, bytes }, onNote) {
  element("a", { href: file, download: "" }).click();
  onNote(fill(gettext("The file is saved: %(size)s MB."), { size: (bytes / 1e6).toFixed(1) }));
}

/**
 * Lets a button save a file.
 * @param {HTMLElement} button  @param {HTMLElement} status  for what becomes of it  @param {string} address
 */
export function offerFile(button, status, address) {
  onUse(button, async () => {
    allow(button, false);
    await saveFile(address, (text) => setText(status, text));
    allow(button, true);
  });
}
