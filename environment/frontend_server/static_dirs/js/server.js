/** Talking with the environment server. */

import { gettext } from "./words.js";

const PATIENCE = 10_000; // milliseconds until a request is given up
const FIRST = 1000; // milliseconds before the second try
const LONGEST = 10_000; // milliseconds between two tries

/** No answer came. */
export class Unreachable extends Error {}

/** The server answered, but not what was asked for. */
export class Refused extends Error {
  constructor(status, reason) {
    super(reason || `HTTP ${status}`);
    this.status = status;
  }
}

export async function get(url) {
  return (await request(url)).json();
}

/** Posts JSON; answers the response, whose form differs from route to route. */
export function post(url, body) {
  return request(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

async function request(url, options = {}) {
  const response = await reach(url, { ...options, signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok) throw new Refused(response.status, await reasonOf(response));
  return response;
}

async function reach(url, options) {
  try {
    return await fetch(url, options);
  } catch (fault) {
    throw new Unreachable(fault.message, { cause: fault });
  }
}

async function reasonOf(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error;
  } catch {
    return text.length < 200 ? text : "";
  }
}

/** Milliseconds to wait after so many failures: longer each time. */
export const patience = (failures) => Math.min(LONGEST, FIRST * 2 ** (failures - 1));

/** What to tell about a fault that is tried again. */
export function faultWords(fault) {
  const what = fault instanceof Unreachable ? gettext("The environment server does not answer.") : fault.message;
  return `${what} ${gettext("Trying again …")}`;
}

/**
 * Asks until there is an answer, with growing pauses.
 * @param {function(): Promise} ask  @param {function(string)} tell what is wrong; "" when it is over
 */
export async function insist(ask, tell) {
  for (let failures = 1; ; failures += 1) {
    try {
      const answer = await ask();
      if (failures > 1) tell("");
      return answer;
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      tell(faultWords(fault));
      await pause(patience(failures));
    }
  }
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
