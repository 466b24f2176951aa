/**
 * A visit: the user is a person in the town, walks by keys or clicks, and speaks. What the visitor does is decided by the
 * engine; this page only sends walks and words, and tells that it is there, so that the town waits for what is typed.
 */

import { parseDescription, isAsleep } from "../playback/frames.js";
import { post } from "../server.js";
import { gettext } from "../translation.js";
import { Heard } from "./heard.js";
import { distance } from "../acting/places.js";
import { recall, store } from "../acting/tab_storage.js";
import { VisitTabs } from "./visit_tabs.js";
import { Walker } from "./walker.js";
/** @import { Actor } from "../acting/actor.js" */
/** @import { Tile } from "../acting/places.js" */
/** @import { Frame } from "../playback/frames.js" */

const WALL = 3; // tiles around a wall among which a click on it is taken for another tile
const PRESENCE = 2000; // milliseconds between signs that the page is there

/** @typedef {"none"|"coming"|"here"|"elsewhere"|"gone"} VisitState  elsewhere: in another tab */

export class Visit {
  /**
   * @param {Actor} actor
   * @param {{onChange: () => void, onGoal: (tile: ?Tile) => void, isVisitor: (name: string) => boolean}} page
   */
  constructor(actor, { onChange, onGoal, isVisitor }) {
    this.actor = actor;
    this.onChange = onChange;
    this.onGoal = onGoal;
    this.isVisitor = isVisitor;
    /** @type {?string} */
    this.name = null; // of the visitor; null without a visit
    /** @type {VisitState} */
    this.state = "none";
    this.fault = "";
    this.typing = false;
    this.hasDraft = false; // whether words are begun
    this.approached = null; // whom the visitor walks to
    /** @type {?Frame} */
    this.frame = null;
    this.partner = null; // whom the user speaks to
    this.tabs = new VisitTabs(actor.simulation, () => this.#become("elsewhere"));
    setInterval(() => this.#tellPresence(), PRESENCE);
  }

  get #key() {
    return `ville.visitor.${this.actor.simulation}`;
  }

  /** Whether walks and words go to the town. */
  get isHere() {
    return this.state === "here" && this.actor.mayAct;
  }

  /** The tile of the visitor; null if it is not in town. */
  get tile() {
    return this.#record?.movement ?? null;
  }

  get #record() {
    return (this.name && this.frame?.[this.name]) || null;
  }

  /**
   * Goes on with the visit that this browser began, if the visitor is still in town. Call it once a frame is there.
   * @param {Frame} frame
   */
  async resume(frame) {
    const name = this.#storedName();
    if (!name || !frame[name]) return;
    this.frame = frame;
    await this.#begin(name, (await this.tabs.isTaken(name)) ? "elsewhere" : "here");
  }

  /** Begins a visit. The visitor appears with the next step. @param {string} name */
  begin(name) {
    this.#keepName(name);
    return this.#begin(name, "coming");
  }

  /** @param {string} name  @param {VisitState} state */
  async #begin(name, state) {
    this.name = name;
    this.partner = null;
    this.heard = new Heard(name, state === "coming" ? null : recall(this.#heardKey));
    this.places = await this.actor.places();
    this.walker = new Walker({
      places: this.places,
      tileOf: () => (this.isHere ? this.tile : null),
      send: (tile) => this.#walk(tile),
      onRefused: (error) => this.#say(error.message),
    });
    if (state !== "elsewhere") this.tabs.take(name);
    this.#become(state);
    this.#tellPresence();
  }

  /** Moves the visitor from this tab, not from the other one. */
  takeOver() {
    this.tabs.take(this.name);
    this.#become("here");
  }

  /** @param {Frame} frame what everyone does now */
  update(frame) {
    this.frame = frame;
    if (!this.name || this.state === "gone") return;
    const record = this.#record;
    if (record && this.state === "coming") this.#become("here");
    if (!record && (this.state === "here" || this.state === "elsewhere")) this.#end();
    const heard = record && this.heard.hear(record.chat ?? this.#lastWords());
    if (heard) store(this.#heardKey, this.heard);
    this.#choosePartner(parseDescription(record?.description ?? "").place.withPersona);
    if (this.goal && this.tile && distance(this.goal, this.tile) === 0) this.#showGoal(null);
  }

  /** A conversation that has just ended, with its last words, as the other one shows it for a while; else null. */
  #lastWords() {
    return Object.values(this.frame).find(({ chat }) => chat && this.heard.goesOn(chat))?.chat ?? null;
  }

  /**
   * Speaks to whom the visitor talks with, or to who is nearest; words that are begun keep their addressee.
   * @param {?string|undefined} talking
   */
  #choosePartner(talking) {
    if (talking) this.partner = talking;
    if (talking || this.hasDraft || this.state !== "here") return;
    const { near } = this;
    const kept = this.partner === this.approached || near.some(({ name }) => name === this.partner);
    if (!this.partner || !kept) this.partner = near.find(({ asleep }) => !asleep)?.name ?? null;
    if (near.some(({ name }) => name === this.approached)) this.approached = null;
  }

  tick() {
    this.walker?.tick();
  }

  /** People near enough to be spoken to, the nearest first: {name, asleep}. */
  get near() {
    const { tile, frame } = this;
    if (!tile) return [];
    return Object.entries(frame)
      .filter(([name, { movement }]) => !this.isVisitor(name) && this.places.withinEarshot(tile, movement))
      .sort(([, one], [, other]) => distance(tile, one.movement) - distance(tile, other.movement))
      .map(([name, record]) => ({ name, asleep: isAsleep(record) }));
  }

  get sector() {
    return this.tile ? this.places.sectorAt(this.tile) : null;
  }

  /** Walks to a tile, or beside it if no one can stand there. @param {Tile} tile */
  walkTo(tile) {
    const goal = this.places.isFree(tile) ? tile : this.places.besides(tile, this.tile, WALL);
    if (!goal) {
      this.#say(gettext("You cannot walk there."));
      return;
    }
    this.#showGoal(goal);
    this.walker.to(goal);
  }

  /** Goes up to a person, and chooses it to speak to. @param {string} name */
  approach(name) {
    this.partner = this.approached = name;
    const there = this.frame[name]?.movement;
    const near = this.near.some((one) => one.name === name);
    const goal = there && !near && this.places.besides(there, this.tile);
    if (goal) this.walkTo(goal);
    this.onChange();
  }

  /**
   * Says something to the partner.
   * @param {string} words  @returns {Promise<boolean>} whether it was taken; if not, `fault` says why
   */
  async say(words) {
    const line = this.heard.sent(words);
    this.#say("");
    try {
      await this.actor.intervene({ kind: "visitor_say", name: this.name, to: this.partner, words });
      return true;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.heard.refused(line);
      this.#say(error.message);
      return false;
    }
  }

  async leave() {
    const { name } = this;
    try {
      await this.actor.intervene({ kind: "visitor_out", name }, gettext("Leave the town"));
      if (this.name === name) this.#end();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#say(error.message);
    }
  }

  /** Puts away what is left of a visit that is over. */
  dismiss() {
    this.name = null;
    this.#become("none");
  }

  /** Tells at once when the user begins to type, so that the town waits. @param {boolean} typing */
  setTyping(typing) {
    const changed = typing && !this.typing;
    this.typing = typing;
    if (changed) this.#tellPresence();
  }

  /** @param {Tile} to */
  async #walk(to) {
    this.#say("");
    await this.actor.intervene({ kind: "visitor_walk", name: this.name, to });
  }

  /** @param {string} fault */
  #say(fault) {
    this.fault = fault;
    if (fault) this.#showGoal(null);
    this.onChange();
  }

  /** @param {Tile} tile */
  #showGoal(tile) {
    this.goal = tile;
    this.onGoal(tile);
  }

  #end() {
    this.#forgetName();
    this.tabs.release();
    this.#showGoal(null);
    this.#become("gone");
  }

  /** @param {VisitState} state */
  #become(state) {
    this.state = state;
    if (state !== "here") this.walker?.releaseAll();
    this.onChange();
  }

  async #tellPresence() {
    if (!this.isHere) return;
    try {
      await post(`/visit/${this.actor.simulation}/`, { name: this.name, typing: this.typing });
    } catch (error) {
      if (!(error instanceof Error)) throw error; // the next sign follows soon
    }
  }

  get #heardKey() {
    return `heard ${this.actor.simulation} ${this.name}`;
  }

  #storedName() {
    try {
      return localStorage.getItem(this.#key);
    } catch {
      return null; // storage is forbidden: the visit ends with the page
    }
  }

  /** @param {string} name */
  #keepName(name) {
    try {
      localStorage.setItem(this.#key, name);
    } catch {
      // as above
    }
  }

  #forgetName() {
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // as above
    }
  }
}
