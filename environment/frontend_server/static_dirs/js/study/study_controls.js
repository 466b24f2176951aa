/** The buttons of a study's page: go on, run again what has failed, stop. */

import { setText } from "../dom.js";
import { allow, onUse } from "../running/menu.js";
import { gettext } from "../translation.js";
import { openContinuation } from "./study_dialogs.js";
import { obstacle, stopStudy } from "./study_requests.js";
/** @import { Study } from "./study_words.js" */

/** @typedef {"go-on"|"retry"|"stop"} Act */

/** @type {Record<Study["state"], Act[]>} */
const OFFERED = { waiting: ["go-on"], stopped: ["go-on", "retry"], failed: ["retry"], running: ["stop"], done: [] };

const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);

export class StudyControls {
  /** @param {string} name  of the study  @param {() => void} onChange  called after something was asked for */
  constructor(name, onChange) {
    this.name = name;
    this.onChange = onChange;
    /** @type {?Study["state"]} */
    this.state = null; // as shown last
    this.#offer("go-on", () => openContinuation(name, { onBegun: () => this.#changed("") }));
    this.#offer("retry", () => openContinuation(name, { retry: true, onBegun: () => this.#changed("") }));
    this.#offer("stop", async () => {
      await stopStudy(name);
      this.#changed(gettext("Saving all runs. This takes until their current step is done."));
    });
  }

  /** @param {Study} study */
  show({ state, has_failed: failed }) {
    for (const act of /** @type {Act[]} */ (["go-on", "retry", "stop"])) {
      part(act).hidden = !OFFERED[state].includes(act) || (act === "retry" && !failed);
    }
    if (state !== this.state) setText(part("asked"), "");
    this.state = state;
  }

  /** @param {Act} act  @param {() => unknown} carryOut */
  #offer(act, carryOut) {
    const button = part(act);
    onUse(button, async () => {
      allow(button, false);
      setText(part("asked"), "");
      try {
        const why = await obstacle();
        if (why) setText(part("asked"), why);
        else await carryOut();
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        setText(part("asked"), error.message);
      }
      allow(button, true);
    });
  }

  /** @param {string} text */
  #changed(text) {
    setText(part("asked"), text);
    this.onChange();
  }
}
