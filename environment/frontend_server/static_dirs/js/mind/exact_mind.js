/** Plan, places and character at a step between two saves: the server computes the steps since the earlier one again. */

import { get, sleep } from "../server.js";

const WAIT = 5; // seconds for which the server holds an answer back
const PAUSE = 200; // milliseconds

/**
 * Waits until the server knows everyone at a step; then its pages show them.
 * @param {string} address from /memories/
 * @throws {Error} that says why they cannot be computed
 */
export async function computed(address) {
  while ((await get(`${address}?wait=${WAIT}`)).state) await sleep(PAUSE);
}

/** Replaces a part of this page by what the server now has there. @param {string} selector */
export async function renew(selector) {
  const response = await fetch(location.href);
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector(selector);
  if (fresh) document.querySelector(selector).replaceWith(document.importNode(fresh, true));
}
