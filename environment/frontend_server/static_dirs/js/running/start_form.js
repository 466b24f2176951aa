/** Starting a town, or going on with a saved one: asks the engine to open it, then goes there. */

import { element, setText } from "../dom.js";
import { START, noEngineText, openingText } from "../playback/backend_status.js";
import { Refused } from "../server.js";
import { fill, gettext } from "../translation.js";
import { askEngine } from "../acting/engine.js";
import { NIGHT, WATCHING_SPEED } from "./first_night.js";
import { allow, onUse } from "./menu.js";
import { RULES } from "../acting/powers.js";
import { codeOf, freeCode } from "./sim_code.js";
/** @import { Status, StatusWatch } from "../playback/status_watch.js" */

const MORNING = "07:00";
const HOME = "/simulator_home";

const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);

/**
 * @typedef {HTMLFormControlsCollection & Record<"title"|"name"|"seed"|"past"|"night", HTMLInputElement> &
 *   {other?: HTMLSelectElement}} StartFields
 */

export class StartForm {
  /** @param {{taken: string[]}} page  @param {StatusWatch} watch */
  constructor(page, watch) {
    this.form = /** @type {HTMLFormElement} */ (part("start"));
    this.fields = /** @type {StartFields} */ (this.form.elements);
    /** @type {?Status} */
    this.status = null;
    this.taken = page.taken;
    this.named = false; // whether the user has typed a short name, which then no longer follows the title
    this.opening = ""; // title of what is being opened
    this.fields.title.addEventListener("input", () => this.#showName());
    this.fields.name.addEventListener("input", () => (this.named = this.fields.name.value !== ""));
    this.fields.other?.addEventListener("change", () => this.#chooseOther());
    this.form.addEventListener("change", () => this.#show());
    this.form.addEventListener("submit", (event) => this.#start(event));
    /** @type {HTMLElement[]} */
    this.resumes = [];
    this.#chooseAsked();
    this.findResumes();
    this.#showName();
    watch.subscribe((status) => {
      this.status = status;
      this.#show();
    });
    if (!this.status) this.#show();
  }

  /** Lets the buttons of saved towns open them, also those that have come since. */
  findResumes() {
    const found = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-open]")]);
    for (const button of found) if (!this.resumes.includes(button)) onUse(button, () => this.#goOn(button));
    this.resumes = found;
    if (this.status) this.#show();
  }

  /**
   * The chosen starting point: a radio button, or an option of the list.
   * @returns {HTMLInputElement|HTMLOptionElement}
   */
  get #origin() {
    const chosen = /** @type {HTMLInputElement} */ (this.form.querySelector("[name=origin]:checked"));
    return chosen.value ? chosen : this.fields.other.selectedOptions[0];
  }

  /** Chooses the starting point that the address of the page names. */
  #chooseAsked() {
    const asked = new URLSearchParams(location.search).get("origin");
    const options = /** @type {Array<HTMLInputElement|HTMLOptionElement>} */ ([...this.form.querySelectorAll("[name=origin], [name=other] option")]);
    const found = options.find(({ value }) => value && value === asked);
    if (found instanceof HTMLInputElement) found.checked = true;
    if (!(found instanceof HTMLOptionElement)) return;
    found.selected = true;
    this.#chooseOther();
  }

  #chooseOther() {
    /** @type {HTMLInputElement} */ (this.form.querySelector(".other [name=origin]")).checked = true;
  }

  #showName() {
    if (!this.named) this.fields.name.value = freeCode(codeOf(this.fields.title.value) || "town", this.taken);
  }

  /** Whether the town thinks without a model, and so without costs. */
  get #free() {
    return this.status?.engine.models === RULES;
  }

  /** Whether the town is asleep at first, so that nothing is missed if it runs until the morning by itself. */
  get #sleeps() {
    return this.#free && (this.#origin?.dataset.time ?? "") < MORNING;
  }

  get #runsByItself() {
    return this.#sleeps && this.fields.night.checked;
  }

  #show() {
    const origin = this.#origin;
    part("past").hidden = !origin?.dataset.past;
    part("night").hidden = !this.#sleeps;
    const people = /** @type {?HTMLAnchorElement} */ (part("edit-people"));
    if (people && origin) people.href = `/people/${encodeURIComponent(origin.value)}/`;
    const why = this.#obstacle();
    for (const button of [part("begin"), ...this.resumes]) allow(button, !why && !this.opening && Boolean(this.status));
    if (!this.status) return;
    part("begin-hint").replaceChildren(...(why ?? [this.#hint()]));
    if (this.opening) this.#say("progress", openingText(this.status.engine, this.opening));
  }

  /** Why nothing can be started here; null if it can. */
  #obstacle() {
    const { act, engine } = this.status ?? {};
    if (!act) return null;
    if (act === "no") return [gettext("This server shows towns, but takes no requests.")];
    if (act === "sign in") return [gettext("To start a town:"), " ", signInLink()];
    return engine.state === "none" ? [noEngineText(), " ", element("code", {}, START)] : null;
  }

  #hint() {
    const { models } = this.status.engine;
    if (this.#runsByItself) return gettext("They think by rules, without a model: nothing is paid. It runs until 07:00 by itself.");
    if (this.#free) return gettext("They think by rules, without a model: nothing is paid.");
    return fill(gettext("They think with %(models)s, which may cost money. Time stands still until you press Run."), { models });
  }

  /** @param {SubmitEvent} event */
  #start(event) {
    event.preventDefault();
    const { title, name, seed, past } = this.fields;
    if (part("begin").hasAttribute("aria-disabled")) return;
    const wrong = [name, seed].find((field) => !field.checkValidity());
    if (wrong) {
      wrong.closest("details").open = true;
      wrong.reportValidity();
      return;
    }
    const origin = this.#origin;
    const request = {
      origin: origin.value,
      name: name.value,
      ...(title.value.trim() && { title: title.value.trim() }),
      ...(seed.value && { seed: Number(seed.value) }),
      ...(past.checked && origin.dataset.past && { past: origin.dataset.past }),
      ...(this.#runsByItself ? { run_until: MORNING, speed: "max" } : { speed: WATCHING_SPEED }),
    };
    this.#open(request, title.value.trim() || name.value);
  }

  /** @param {HTMLElement} button */
  #goOn({ dataset }) {
    this.#open({ origin: dataset.open, name: dataset.open, speed: WATCHING_SPEED }, dataset.title);
  }

  /**
   * @param {{origin: string, name: string, run_until?: string, [field: string]: unknown}} request
   * @param {string} title
   */
  async #open(request, title) {
    this.opening = title;
    this.#say("start-error", "");
    this.#say("progress", openingText({}, title));
    this.#show();
    try {
      await askEngine({ request: "open", ...request });
      if (request.run_until) sessionStorage.setItem(NIGHT, request.name);
      location.assign(HOME);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.opening = "";
      this.#say("progress", "");
      this.#say("start-error", error.message);
      this.#show();
    }
  }

  /** @param {string} name  @param {string} text */
  #say(name, text) {
    setText(part(name), text);
    part(name).hidden = !text;
    if (text && name === "start-error") part(name).scrollIntoView({ block: "nearest" });
  }
}

function signInLink() {
  return element("a", { href: `/sign_in/?next=${encodeURIComponent(location.pathname)}` }, gettext("Sign in"));
}
