/** What a receipt says once a request is carried out or refused: in words and clock times, not steps. Pure. */

import { fill, gettext } from "../translation.js";

const TOLD = ["whisper", "talk"]; // kinds of which the engine tells more than was asked for: what is remembered

/**
 * @param {{request?: string, kind?: string, steps?: unknown, until?: unknown}} request
 * @param {{step?: number, said?: string|string[]}} ack  its acknowledgement
 * @param {(step: number) => string} timeOf  words the game time of a step
 */
export function doneText(request, { step, said }, timeOf) {
  if (step === undefined) return gettext("done");
  const told = TOLD.includes(request.kind) ? [said ?? []].flat().join(" ") : "";
  const done = fill(doneWords(request), { time: timeOf(step), end: timeOf(endOf(request, step)) });
  return told ? `${done}: ${clockTimes(told, timeOf)}` : done;
}

/** @param {string} reason  of the engine  @param {(step: number) => string} timeOf */
export function refusedText(reason, timeOf) {
  return fill(gettext("refused: %(reason)s"), { reason: clockTimes(reason, timeOf) });
}

function doneWords(request) {
  if (request.request === "run") return gettext("begun at %(time)s");
  if (request.request !== "intervene") return gettext("done at %(time)s");
  return endOf(request, 0) ? gettext("from %(time)s to %(end)s") : gettext("happened at %(time)s");
}

/** The step at which what was asked for ends; 0 if it does not. @param {{steps?: unknown, until?: unknown}} request  @param {number} step */
function endOf({ steps, until }, step) {
  return Number(steps) ? step + Number(steps) : Number(until) || 0;
}

/** `until step 2,730` → `until 07:35`; places as pages name them. */
function clockTimes(text, timeOf) {
  return text.replace(/\bstep (\d[\d,]*)/g, (_, step) => timeOf(Number(step.replaceAll(",", "")))).replaceAll(" > ", " · ");
}
