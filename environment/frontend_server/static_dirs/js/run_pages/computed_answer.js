/** What the server computes for a page, asked for until it is there. */

import { Refused, get, retry, sleep } from "../server.js";

const WAIT = 4; // seconds for which the server holds a request while it computes
const PAUSE = 500; // milliseconds between two requests

/**
 * Asks until it is there; its shape is that of the route. Throws Refused if it cannot be computed, or was asked for wrongly.
 * @param {string} address  @param {(text: string) => void} onTrouble gets why it takes longer, and "" once that is over
 */
export async function computedAnswer(address, onTrouble) {
  const url = new URL(address, location.origin);
  url.searchParams.set("wait", String(WAIT));
  for (;;) {
    const answer = await retry(() => get(url).catch(refusal), onTrouble);
    if (answer instanceof Refused) throw answer;
    if (answer.state !== "computing") return answer;
    await sleep(PAUSE);
  }
}

/** Returns what asking again would not change, and throws what it may. @param {Error} fault */
function refusal(fault) {
  if (fault instanceof Refused && fault.status >= 400 && fault.status < 500 && fault.status !== 429) return fault;
  throw fault;
}
