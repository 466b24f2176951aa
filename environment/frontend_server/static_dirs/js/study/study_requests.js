/** What pages ask of the engine about studies. */

import { askEngine } from "../acting/engine.js";
import { START, noEngineText } from "../playback/backend_status.js";
import { get } from "../server.js";
import { gettext } from "../translation.js";
/** @import { Estimate } from "./estimate_words.js" */

/**
 * The keys of a study file.
 * @typedef {{title?: string, base: string, seeds: number, arms?: Record<string, object>, [key: string]: unknown}} StudyContent
 * @typedef {{says: string, line: number, path: Array<string|number>}} StudyFault  `path`: the keys that lead to what is wrong
 * @typedef {{text: string, faults: StudyFault[], notes: string[], estimate: ?Estimate}} StudyCheck  `text`: the study file;
 *   `notes`: lines of the engine; there is an estimate if there are no faults
 */

/** Why studies cannot be run from here; empty if they can. */
export async function obstacle() {
  const { act, engine } = await get("/status/");
  if (act === "sign in") return gettext("Sign in with the pass phrase first.");
  if (act !== "yes") return gettext("This server shows towns, but takes no requests.");
  return (engine?.state ?? "none") === "none" ? `${noEngineText()} ${START}` : "";
}

/**
 * The study that repeats a comparison. @param {string} a  @param {string} b  @returns {Promise<StudyContent>}
 */
export async function repeatedComparison(a, b) {
  const { study } = /** @type {{study: StudyContent}} */ (/** @type {unknown} */ (await askEngine({ request: "repeat_comparison", a, b })));
  return study;
}

/**
 * Checks a study as the command does. @param {string} name  @param {?StudyContent} study  null: the one of this name
 * @returns {Promise<StudyCheck>}
 */
export async function checkStudy(name, study) {
  return /** @type {StudyCheck} */ (/** @type {unknown} */ (await askEngine({ request: "check_study", name, ...(study && { study }) })));
}

/** @param {string} name  @param {?StudyContent} study  null: the one of this name goes on  @param {{retry?: boolean}} options */
export function runStudy(name, study, { retry = false } = {}) {
  return askEngine({ request: "run_study", name, ...(study && { study }), ...(retry && { retry }) });
}

/** @param {string} name */
export function stopStudy(name) {
  return askEngine({ request: "stop_study", name });
}
