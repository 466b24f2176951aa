/** What was asked of the engine lately, and what became of it: sent, done at 14:02, or refused because …. */

import { element, setText } from "../dom.js";
import { fill, gettext } from "../translation.js";
import { onRequest } from "./engine.js";
/** @import { Asked } from "./engine.js" */

const SHOWN = 3; // receipts
const REST = 20_000; // milliseconds that a receipt stays after it is done
const TOLD = ["whisper", "talk"]; // kinds of which the engine tells more than was asked for: what is remembered

export class Receipts {
  /**
   * @param {HTMLElement} list
   * @param {{timeOf: (step: number) => string, announce: (text: string) => void}} page  `timeOf` words the game time of a
   *   step; `announce` reads a text to users of a screen reader
   */
  constructor(list, { timeOf, announce }) {
    this.list = list;
    this.announce = announce;
    this.rows = new Map(); // by id of the request
    onRequest("sent", (asked) => asked.text && this.#add(asked));
    onRequest("done", (asked) => this.#end(asked, "done", doneText(asked.request, asked.ack, timeOf)));
    onRequest("refused", (asked) => this.#end(asked, "refused", refusedText(asked.reason, timeOf)));
  }

  /** @param {Asked} asked */
  #add({ id, text }) {
    const state = element("span", { class: "state" }, gettext("sent"));
    const row = element("li", { "data-state": "sent" }, element("span", { class: "asked" }, text), " ", state);
    this.rows.set(id, { row, state, text });
    this.list.append(row);
    while (this.list.childElementCount > SHOWN) this.list.firstElementChild.remove();
  }

  /** @param {Asked} asked  @param {string} outcome  @param {string} words */
  #end({ id }, outcome, words) {
    const receipt = this.rows.get(id);
    if (!receipt) return;
    this.rows.delete(id);
    receipt.row.dataset.state = outcome;
    setText(receipt.state, words);
    this.announce(`${receipt.text}: ${words}`);
    if (outcome === "refused") receipt.row.append(dismissal(receipt.row));
    else setTimeout(() => receipt.row.remove(), REST);
  }
}

/** @param {HTMLElement} row */
function dismissal(row) {
  const button = element("button", { type: "button", class: "close", "aria-label": gettext("Dismiss") }, "×");
  button.addEventListener("click", () => row.remove());
  return button;
}

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

/** @param {{request?: string, steps?: unknown, until?: unknown}} request */
function doneWords(request) {
  if (request.request === "run") return gettext("begun at %(time)s");
  if (request.request !== "intervene") return gettext("done at %(time)s");
  return endOf(request, 0) ? gettext("from %(time)s to %(end)s") : gettext("happened at %(time)s");
}

/**
 * The step at which what was asked for ends; 0 if it does not.
 * @param {{steps?: unknown, until?: unknown}} request  @param {number} step
 */
function endOf({ steps, until }, step) {
  return Number(steps) ? step + Number(steps) : Number(until) || 0;
}

/**
 * `until step 2,730` → `until 07:35`; places as pages name them.
 * @param {string} text  @param {(step: number) => string} timeOf
 */
function clockTimes(text, timeOf) {
  return text.replace(/\bstep (\d[\d,]*)/g, (_, step) => timeOf(Number(step.replaceAll(",", "")))).replaceAll(" > ", " · ");
}
