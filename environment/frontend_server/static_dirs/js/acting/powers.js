/** What a user may do from a page at the moment, by the latest response of /status/. Pure functions. */

/** @import { Status } from "../playback/status_watch.js" */










export const RULES = "offline rules"; // `models` of a status without a language model
const OPEN = ["running", "paused", "waiting"]; // states of a backend that listens

/**
 * Whether the engine has this simulation open and this user may change it.
 * @param {?Status} status  @param {string} simulation
 */
export function mayAct(status, simulation) {
  return status?.act === "yes" && isOpen(status, simulation);
}

/** Whether the engine has this simulation open. @param {?Status} status  @param {string} simulation */
export function isOpen(status, simulation) {
  return status?.sim_code === simulation && OPEN.includes(status.backend);
}

/**
 * How a question reaches a persona of a simulation.
 * @param {?Status} status  @param {string} simulation
 * @returns {"open"|"saved"|"sign in"|"start"|"no"}  through the simulation that is open; through the engine, as last
 *   saved; after signing in; once an engine has been started; not from here
 */
export function wayToAsk(status, simulation) {
  if (!status) return "no";
  if (status.act === "sign in") return "sign in";
  if (mayAct(status, simulation)) return "open";
  if (status.act !== "yes") return "no";
  return (status.engine?.state ?? "none") === "none" ? "start" : "saved";
}
