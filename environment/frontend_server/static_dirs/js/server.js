/** Talking with the environment server. */

const PATIENCE = 10_000; // milliseconds until a request is given up

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
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok) throw new Refused(response.status, await reasonOf(response));
  return response;
}

async function reasonOf(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error;
  } catch {
    return text.length < 200 ? text : "";
  }
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
