/** Everything that forms need to change a town: requests in the name of the user, and data of places and people. */

import { get } from "../server.js";
import { stateUrl } from "../panel/persona_card.js";
import { ask, askEngine } from "./engine.js";
import { signature } from "./forms/own_name.js";
import { gettext, language } from "../translation.js";
import { Places } from "./places.js";
import { RULES, isOpen, mayAct, wayToAsk } from "./powers.js";
/** @import { Ack, EngineRequest } from "./engine.js" */
/** @import { Kind } from "./forms/kind_form.js" */
/** @import { Look } from "./forms/fields.js" */
/** @import { MemoryLinks } from "../asking/cited_memories.js" */
/** @import { Page, Persona } from "../dom.js" */
/** @import { Line } from "../playback/dialogue.js" */
/** @import { Status } from "../playback/status_watch.js" */

export class Actor {
  /**
   * @param {Page} page
   * @param {{secondsPerStep: number, timeOf: (step: number) => string}} time  `timeOf` words the game time of a step
   * @param {() => ?number} shown  the step that a page of the past shows; null for a live town
   */
  constructor(page, { secondsPerStep, timeOf }, shown = () => null) {
    this.page = page;
    this.secondsPerStep = secondsPerStep;
    this.timeOf = timeOf;
    this.shown = shown;
    /** @type {?Status} */
    this.status = null; // latest response of /status/
    this.loaded = new Map();
  }

  get simulation() {
    return this.page.sim_code;
  }

  get mayAct() {
    return mayAct(this.status, this.simulation);
  }

  /** Whether the engine has this simulation open and computes steps. */
  get isRunning() {
    return isOpen(this.status, this.simulation) && this.status.backend === "running";
  }

  get wayToAsk() {
    return wayToAsk(this.status, this.simulation);
  }

  /**
   * Asks the open simulation for something.
   * @param {EngineRequest} request  @param {string} text  of the receipt; "" for none
   */
  ask(request, text = "") {
    return ask(this.simulation, { ...request, ...signature() }, { text });
  }

  /**
   * @param {{kind: string, [field: string]: unknown}} fields  of the intervention
   * @param {string} text  of the receipt
   * @returns {Promise<Partial<Ack>>}
   */
  intervene(fields, text = "") {
    return this.ask({ request: "intervene", ...fields }, text);
  }

  /** The step of the past at which a persona can be asked; null: it is asked as it is now, or as last saved. */
  async moment() {
    const step = this.shown();
    const listens = (this.status?.engine?.state ?? "none") !== "none";
    if (step === null || this.page.store !== "saved" || !listens) return null;
    return (await get(`/reach/${encodeURIComponent(this.simulation)}/${step}/`)).exact ? step : null;
  }

  /**
   * Asks a persona; of a simulation that is not open, as last saved.
   * @param {{who: string, words: string, role?: string, history?: Line[], at?: ?number}} asked  `at` is a step of the past,
   *   see `moment`
   * @returns {Promise<Ack>}
   */
  interview({ who, words, role, history, at = null }) {
    const asked = { request: "interview", who, question: words, role, history };
    if (this.wayToAsk === "open" && at === null) return this.ask(asked);
    const simulation = at === null ? this.simulation : `${this.simulation}@${at}`;
    return askEngine({ ...asked, sim_code: simulation, store: this.page.store ?? "saved", ...signature() });
  }

  /** A warning for users of other languages; empty if a model answers. */
  get languageNote() {
    const models = this.wayToAsk === "saved" ? this.status.engine.models : this.status?.models;
    return language === "en" || models !== RULES
      ? ""
      : gettext("Without a language model, people understand only English.");
  }

  /** Number of the step that is so many minutes from now. @param {number} minutes */
  stepAfter(minutes) {
    return (this.status?.step ?? 0) + this.steps(minutes);
  }

  /** Steps in so many minutes, at least one. @param {number} minutes */
  steps(minutes) {
    return Math.max(1, Math.round((minutes * 60) / this.secondsPerStep));
  }

  /** @returns {Promise<Places>} */
  places() {
    return this.#once("places", () => Places.fetch(this.page.maze_name));
  }

  /** @returns {Promise<Look[]>} */
  looks() {
    return this.#once("looks", () => get("/looks/"));
  }

  /** The kinds of interventions. @returns {Promise<{kinds: Kind[]}>} */
  kinds() {
    return this.#once("kinds", () => get("/kinds/"));
  }

  /** The characters of all residents, as they are now. @returns {Promise<Ack["residents"]>} */
  async residents() {
    return (await this.ask({ request: "residents" })).residents;
  }

  /** Free beds by address of a home, and where each resident lives. @returns {Promise<Map<string, number>>} */
  async freeBeds() {
    const [places, residents] = await Promise.all([this.places(), this.residents()]);
    const living = new Map();
    for (const { living_area: home } of residents) living.set(home, (living.get(home) ?? 0) + 1);
    return new Map(places.beds.map(({ home, beds }) => [home, beds - (living.get(home) ?? 0)]));
  }

  /**
   * Links to memories of a persona at a step; one that is not saved yet is saved first. See `citedMemories`.
   * @param {Persona} persona  @returns {(step: number) => MemoryLinks}
   */
  linksTo(persona) {
    return (step) => {
      const href = (/** @type {string} */ node) => `${stateUrl(this.page, step, persona.underscore)}#${node}`;
      return { href, open: (event, node) => this.#open(event, href(node)) };
    };
  }

  /**
   * Closes the dialog over the stream on this very page; leaves for another one when everything is saved.
   * @param {MouseEvent} event  @param {string} href
   */
  #open(event, href) {
    const link = /** @type {Element} */ (event.currentTarget);
    if (new URL(href, location.href).pathname === location.pathname) link.closest("dialog").close();
    else if (this.mayAct && !event.ctrlKey && !event.metaKey && !event.shiftKey) this.#saveAndOpen(event, href);
  }

  /** @param {MouseEvent} event  @param {string} href */
  async #saveAndOpen(event, href) {
    event.preventDefault();
    const link = /** @type {Element} */ (event.currentTarget);
    if (link.getAttribute("aria-busy")) return;
    link.setAttribute("aria-busy", "true");
    try {
      await this.ask({ request: "save" });
    } catch (error) {
      if (!(error instanceof Error)) throw error; // a memory may be saved all the same
    }
    link.removeAttribute("aria-busy");
    location.assign(href);
  }

  /**
   * Loads something once; after a failure, again.
   * @template T
   * @param {string} name  @param {() => Promise<T>} load  @returns {Promise<T>}
   */
  #once(name, load) {
    if (!this.loaded.has(name)) {
      const loading = load();
      this.loaded.set(name, loading);
      loading.catch(() => this.loaded.delete(name));
    }
    return this.loaded.get(name);
  }
}
