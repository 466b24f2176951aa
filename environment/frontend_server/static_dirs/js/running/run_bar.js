/** The bar of the live page: run, pause, how far, how fast, save, close. */

import { element, setText } from "../dom.js";
import { registerKey } from "../keys.js";
import { Pace } from "../playback/pace.js";
import { Refused } from "../server.js";
import { fill, gettext } from "../translation.js";
import { ask, askEngine } from "../acting/engine.js";
import { openUndo } from "../keeping/undoing.js";
import { allow, onUse, tameMenu } from "./menu.js";
import { SPEEDS, goalText, modelsText, nextGoal, paceText, runUntilText, speedText } from "./run_words.js";
import { SaveAs } from "./save_as.js";
/** @import { Ack, EngineRequest } from "../acting/engine.js" */
/** @import { Clock } from "../playback/clock.js" */
/** @import { Status, StatusWatch } from "../playback/status_watch.js" */

export class RunBar {
  /**
   * @param {HTMLElement} bar  from the template
   * @param {{sim_code: string, sec_per_step: number}} page
   * @param {{clock: Clock, watch: StatusWatch, onNote: (text: string) => void}} live  `onNote` shows a message
   */
  constructor(bar, page, { clock, watch, onNote }) {
    this.onNote = onNote;
    this.bar = bar;
    this.simulation = page.sim_code;
    this.clock = clock;
    this.watch = watch;
    this.pace = new Pace(page.sec_per_step);
    this.asking = 0; // requests to run or pause that are not answered yet
    this.#addListeners();
    this.#addSpeeds();
    this.#registerKeys();
    new SaveAs(this.#part("save-as"), page);
    watch.subscribe((status) => this.#show(status));
  }

  /** Whether this page may run the town at the moment. */
  get allowed() {
    const { act, engine, backend } = this.watch.latest ?? {};
    return act === "yes" && (isOpen(backend) || engine?.state === "idle");
  }

  /** @param {string} name */
  #part(name) {
    return this.bar.querySelector(`[data-run="${name}"]`);
  }

  #addListeners() {
    onUse(this.#part("toggle"), () => this.toggle());
    onUse(this.#part("morning"), () => this.#run({ until: "morning" }, gettext("Run until morning")));
    onUse(this.#part("talk"), () => this.#run({ until: "talk" }, gettext("Run until someone talks")));
    this.#part("time").addEventListener("submit", (event) => this.#runToTime(event));
    onUse(this.#part("save"), () => this.#ask({ request: "save" }, gettext("Save")));
    onUse(this.#part("stop"), () => this.#close());
    onUse(this.#part("undo"), () => this.#undo());
    onUse(this.#part("unfold"), () => this.#unfold());
    tameMenu(/** @type {HTMLDetailsElement} */ (this.#part("menu")));
  }

  #addSpeeds() {
    this.speeds = SPEEDS.map((speed) => {
      const title = speed === "max" ? gettext("As fast as they think") : fill(gettext("%(speed)s× as fast as the day"), { speed });
      const button = element("button", { type: "button", "aria-pressed": "false", "aria-disabled": "true", title }, speedText(speed));
      onUse(button, (event) => {
        if (event.detail) button.blur(); // clicked: the space bar pauses again
        this.#setSpeed(speed);
      });
      return { speed, button };
    });
    this.#part("speeds").append(...this.speeds.map(({ button }) => button));
  }

  #registerKeys() {
    registerKey(" ", gettext("Run or pause"), () => this.allowed && void this.toggle());
    const digits = SPEEDS.map((_, place) => String(place + 1));
    /** @param {KeyboardEvent} event  @returns {unknown} */
    const choose = ({ key }) => this.allowed && void this.#setSpeed(SPEEDS[Number(key) - 1]);
    registerKey(digits, gettext("Speed of the run"), choose, { shown: `1 – ${SPEEDS.length}` });
  }

  /** Runs or pauses, whichever is possible. */
  toggle() {
    const { backend, curr_time: now } = this.watch.latest;
    if (this.asking) return;
    if (backend === "running") this.#begin({ request: "pause" }, gettext("Pause"));
    else if (backend === "paused") this.#begin({ request: "run" }, gettext("Go on"));
    else if (backend === "waiting") this.#run({ until: nextGoal(now) }, runUntilText(nextGoal(now)));
    else this.#reopen();
  }

  /** @param {{until: string}} goal  @param {string} text */
  #run(goal, text) {
    this.#begin({ request: "run", ...goal }, text);
  }

  /** @param {SubmitEvent} event */
  #runToTime(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("until"));
    if (this.#part("go").hasAttribute("aria-disabled") || !field.reportValidity()) return;
    this.#run({ until: field.value }, runUntilText(field.value));
  }

  /**
   * Sends what begins or holds a run; until it is answered, the button waits.
   * @param {EngineRequest} request  @param {string} text
   */
  async #begin(request, text) {
    this.asking += 1;
    this.#show(this.watch.latest);
    await this.#ask(request, text);
    this.asking -= 1;
    this.#show(this.watch.latest);
  }

  /** @param {number|"max"} speed */
  async #setSpeed(speed) {
    await this.#ask({ request: "speed", speed }, fill(gettext("Speed: %(speed)s"), { speed: paceText(speed, null) }));
  }

  #reopen() {
    const request = { request: "open", origin: this.simulation, name: this.simulation };
    return this.#settle(askEngine(request, { text: gettext("Open again") }));
  }

  /** Saves and closes: a served engine stays; one at a prompt ends. */
  #close() {
    const text = gettext("Stop and close");
    const served = this.watch.latest.engine?.state === "open";
    return this.#settle(served ? askEngine({ request: "close" }, { text }) : ask(this.simulation, { request: "stop" }, { text }));
  }

  async #undo() {
    try {
      await openUndo(this.simulation);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.onNote(error.message);
    }
  }

  /** @param {EngineRequest} request  @param {string} text */
  #ask(request, text) {
    return this.#settle(ask(this.simulation, request, { text }));
  }

  /**
   * Waits for an answer, whose receipt the user sees, and looks at once what has become of it.
   * @param {Promise<Ack>} answer
   */
  async #settle(answer) {
    try {
      await answer;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    await this.watch.refresh();
  }

  #unfold() {
    const open = this.bar.dataset.open !== "true";
    this.bar.dataset.open = String(open);
    this.#part("unfold").setAttribute("aria-expanded", String(open));
  }

  /** @param {Status} status */
  #show(status) {
    if (!status) return;
    this.pace.note(status.step, performance.now(), status.backend === "running");
    this.#showRight(status);
    this.#showToggle(status);
    setText(this.#part("goal"), this.#goal(status));
    setText(this.#part("pace"), isOpen(status.backend) ? paceText(status.speed ?? "max", this.pace.reached) : "");
    setText(this.#part("models"), modelsText(status));
    for (const { speed, button } of this.speeds) button.setAttribute("aria-pressed", String(speed === status.speed));
    const open = this.allowed && isOpen(status.backend);
    for (const name of ["morning", "talk", "go", "save", "save-as", "undo", "stop"]) allow(this.#part(name), open);
    for (const { button } of this.speeds) allow(button, open);
  }

  /** @param {Status} status */
  #goal(status) {
    if (this.asking && status.backend === "running") return gettext("Pausing after this step …");
    if (!isOpen(status.backend)) return this.allowed ? gettext("Open again") : gettext("Closed");
    return goalText(status, this.clock, nextGoal(status.curr_time));
  }

  /** Who may only watch sees why, and where to sign in, instead of the controls. @param {Status} status */
  #showRight({ act }) {
    const watching = this.#part("watching");
    this.bar.dataset.act = act;
    watching.hidden = act === "yes";
    if (watching.childNodes.length || act === "yes") return;
    const link = element("a", { href: `/sign_in/?next=${encodeURIComponent(location.pathname)}` }, gettext("Sign in"));
    if (act === "sign in") watching.append(gettext("You are watching. To run the town and to talk to people:"), " ", link);
    else watching.append(gettext("You are watching. This server shows the town, but takes no requests."));
  }

  /** @param {Status} status */
  #showToggle({ backend }) {
    const toggle = this.#part("toggle");
    const running = backend === "running";
    allow(toggle, this.allowed && !this.asking);
    toggle.dataset.playing = String(running);
    toggle.dataset.waits = String(this.asking > 0);
    const label = running ? gettext("Pause") : isOpen(backend) ? gettext("Run") : gettext("Open again");
    if (toggle.getAttribute("aria-label") !== label) {
      toggle.setAttribute("aria-label", label);
      toggle.title = `${label} ( ${gettext("Space")} )`;
    }
  }
}

/** @param {Status["backend"]} backend */
function isOpen(backend) {
  return ["running", "paused", "waiting"].includes(backend);
}
