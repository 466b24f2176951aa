/**
 * Requests to the engine: sent once however often a button is pressed or an answer is lost, because a request keeps its
 * id until it is acknowledged. `onRequest` tells of each what becomes of it.
 */

import { Refused, Unreachable, get, post, retryDelay, sleep } from "../server.js";
import { gettext } from "../translation.js";
/** @import { CitedMemory } from "../asking/cited_memories.js" */

/**
 * @typedef {{request: string, [field: string]: unknown}} EngineRequest  as in docs/storage.md, without `id`
 */

/**
 * @typedef {Object} Ack  the acknowledgement of a request; what is there depends on the request
 * @property {string} id
 * @property {"done"|"applied"|"refused"} result
 * @property {string} [reason]  why it was refused
 * @property {number} [step]
 * @property {string[]} [said]
 * @property {string} [text]  the answer of a persona
 * @property {CitedMemory[]} [memories]  that came to mind for it
 * @property {boolean} [by_rules]
 * @property {boolean} [over]  whether the persona has ended the conversation
 * @property {string} [role]
 * @property {Array<Record<string, string|number>>} [residents]  their characters
 */

const WAIT = 4; // seconds that the server may wait before it answers
const PATIENCE = 120_000; // milliseconds until a server that does not respond is given up
const BUSY = [429, 502, 503, 504]; // statuses after which the same request is sent again

const requests = new EventTarget();
/** @type {Map<string, Promise<Ack>>} */
const underway = new Map(); // JSON of a request → promise of its acknowledgement

/**
 * @typedef {{id: string, text: string, request: EngineRequest, ack?: Ack, reason?: string}} Asked  what was asked for, its
 *   acknowledgement once it is done, and why it was refused
 */

/**
 * Tells of all requests of this page what becomes of them.
 * @param {"sent"|"done"|"refused"} event  @param {(asked: Asked) => void} listener
 */
export function onRequest(event, listener) {
  requests.addEventListener(event, (happened) => listener(/** @type {CustomEvent<Asked>} */ (happened).detail));
}

/**
 * Asks the open simulation for something, and waits until that is carried out.
 * @param {string} simulation
 * @param {EngineRequest} request
 * @param {{text?: string}} options  `text` says what is asked for; without it, no receipt is shown
 * @returns {Promise<Ack>}
 * @throws {Refused} with the reason, also if the server cannot be reached
 */
export function ask(simulation, request, options = {}) {
  return once(`act/${encodeURIComponent(simulation)}`, `acts/${encodeURIComponent(simulation)}`, { request, ...options });
}

/**
 * Asks the engine itself: to open or close a simulation, or to interview in one that is not open. See `ask`.
 * @param {EngineRequest} request  @param {{text?: string}} options
 */
export function askEngine(request, options = {}) {
  return once("engine", "engine", { request, ...options });
}

/**
 * A request that is still underway is not sent again: both callers get the same acknowledgement.
 * @param {string} to  @param {string} from  @param {{request: EngineRequest, text?: string}} asked
 * @returns {Promise<Ack>}
 */
function once(to, from, asked) {
  const key = `${to} ${JSON.stringify(asked.request)}`;
  if (!underway.has(key)) underway.set(key, carryOut(to, from, asked).finally(() => underway.delete(key)));
  return underway.get(key);
}

/**
 * @param {string} to  @param {string} from  @param {{request: EngineRequest, text?: string}} asked
 * @returns {Promise<Ack>}
 */
async function carryOut(to, from, { request, text = "" }) {
  const id = newId();
  const tell = (/** @type {string} */ event, more = {}) => requests.dispatchEvent(new CustomEvent(event, { detail: { id, text, request, ...more } }));
  tell("sent");
  try {
    const { number } = await persist(async () => (await post(`/${to}/`, { ...request, id })).json());
    const ack = await acknowledgement(`/${from}/${number}/?wait=${WAIT}`);
    if (ack.result === "refused") throw new Refused(null, ack.reason);
    tell("done", { ack });
    return ack;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const refusal = error instanceof Refused ? error : new Refused(null, gettext("The server does not answer."));
    tell("refused", { reason: refusal.message });
    throw refusal;
  }
}

/** @param {string} url  @returns {Promise<Ack>} */
async function acknowledgement(url) {
  for (;;) {
    const { ack } = await persist(() => get(url));
    if (ack) return ack;
    await sleep(100); // a server that does not wait must not be asked without a pause
  }
}

/**
 * Repeats a request while the server does not respond, or is busy, for as long as PATIENCE.
 * @template T
 * @param {() => Promise<T>} attempt  @returns {Promise<T>}
 */
async function persist(attempt) {
  const end = Date.now() + PATIENCE;
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      const passing = error instanceof Unreachable || (error instanceof Refused && BUSY.includes(error.status));
      if (!passing || Date.now() > end) throw error;
      await sleep(retryDelay(failures));
    }
  }
}

/** A UUID, also on pages without HTTPS, where `crypto.randomUUID` is missing. */
export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
