/** Requests to the environment server. */

import { gettext } from "./translation.js";

const TIMEOUT = 10_000; // milliseconds
const LARGE_TIMEOUT = 60_000; // milliseconds for pictures and maps, over a slow line
const FIRST_DELAY = 1000; // milliseconds before the first retry
const MAX_DELAY = 10_000; // milliseconds between retries

/** No response: the server is down, or the network is. */
export class Unreachable extends Error {}

/** The server answered with an error. */
export class Refused extends Error {
  /** @param {?number} status  of HTTP; null if the engine has refused  @param {string} reason */
  constructor(status, reason) {
    super(reason || `HTTP ${status}`);
    this.status = status;
  }
}

/** Fetches JSON; its shape is that of the route. @param {string|URL} url  @param {{isLarge?: boolean}} options  of what takes a while over a slow line */
export async function get(url, { isLarge = false } = {}) {
  return (await request(url, isLarge ? { signal: AbortSignal.timeout(LARGE_TIMEOUT) } : {})).json();
}

/** Fetches a picture, as WebP if the server has it. @param {string|URL} url  @returns {Promise<Blob>} */
export async function getBlob(url) {
  const headers = { Accept: "image/webp,image/*" };
  return (await request(url, { headers, signal: AbortSignal.timeout(LARGE_TIMEOUT) })).blob();
}

/**
 * Posts JSON.
 * @param {string} url  @param {object} body  @returns {Promise<Response>} whose body depends on the route
 */
export function post(url, body) {
  return request(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/** @param {string|URL} url  @param {RequestInit} options */
async function request(url, options = {}) {
  const response = await send(url, { signal: AbortSignal.timeout(TIMEOUT), ...options });
  if (!response.ok) throw new Refused(response.status, await errorReason(response));
  return response;
}

/** @param {string|URL} url  @param {RequestInit} options */
async function send(url, options) {
  try {
    return await fetch(url, options);
  } catch (error) {
    throw new Unreachable(error instanceof Error ? error.message : "", { cause: error });
  }
}

/** @param {Response} response  @returns {Promise<string>} */
async function errorReason(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error;
  } catch {
    return text.length < 200 ? text : "";
  }
}

/** Milliseconds to wait after a number of failures in a row. @param {number} failures */
export const retryDelay = (failures) => Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (failures - 1));

/** Message for an error that is being retried. @param {Error} error */
export function errorText(error) {
  const what = error instanceof Unreachable ? gettext("The environment server is not responding.") : error.message;
  return `${what} ${gettext("Trying again …")}`;
}

/**
 * Repeats a request until it succeeds, with growing delays.
 * @template T
 * @param {() => Promise<T>} attempt  @param {(text: string) => void} onMessage gets the error, and "" once it is over
 * @returns {Promise<T>}
 */
export async function retry(attempt, onMessage) {
  for (let failures = 1; ; failures += 1) {
    try {
      const answer = await attempt();
      if (failures > 1) onMessage("");
      return answer;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      onMessage(errorText(error));
      await sleep(retryDelay(failures));
    }
  }
}

/** @param {number} milliseconds  @returns {Promise<void>} */
export const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
