/** What was asked of the engine lately, and what became of it: sent, done at 14:02, or refused because …. */

import { element, setText } from "../dom.js";
import { gettext } from "../translation.js";
import { onRequest } from "./engine.js";
import { doneText, refusedText } from "./receipt_words.js";

const SHOWN = 3; // receipts
const REST = 20_000; // milliseconds that a receipt stays after it is done

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

  #add({ id, text }) {
    const state = element("span", { class: "state" }, gettext("sent"));
    const row = element("li", { "data-state": "sent" }, element("span", { class: "asked" }, text), " ", state);
    this.rows.set(id, { row, state, text });
    this.list.append(row);
    while (this.list.childElementCount > SHOWN) this.list.firstElementChild.remove();
  }

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

function dismissal(row) {
  const button = element("button", { type: "button", class: "close", "aria-label": gettext("Dismiss") }, "×");
  button.addEventListener("click", () => row.remove());
  return button;
}
