/** The parts that live page, replays and demos share: town, clock, panel, and the followed persona. */

import { personaInHash, updateAddress } from "../page_address.js";
import { setText, showDamage } from "../dom.js";
import { registerKey } from "../keys.js";
import { MapTools } from "../panel/map_tools.js";
import { PersonaCard } from "../panel/persona_card.js";
import { partnersOf } from "../panel/descriptions.js";
import { Tabs } from "../panel/tabs.js";
import { Clock, dateText, hourOf, timeText } from "../playback/clock.js";
import { isAsleep, parseDescription } from "../playback/frames.js";
import { Talks } from "../playback/talks.js";
import { tameMenu } from "../running/menu.js";
import { Gazetteer } from "../town/gazetteer.js";
import { openTown } from "../town/town.js";
import { fill, gettext, language } from "../translation.js";
/** @import { Page, Persona } from "../dom.js" */
/** @import { Frame } from "../playback/frames.js" */
/** @import { Scene } from "../playback/player.js" */
/** @import { Talk } from "../playback/talks.js" */
/** @import { PeopleTab } from "../tabs/people.js" */
/** @import { Town } from "../town/town.js" */

const FOLLOW_ZOOM = 2; // lowest zoom when a persona is followed, in screen pixels
const NOTICE_TIME = 6000; // milliseconds
const PANEL_INTERVAL = 80; // milliseconds between updates of the panel

/** @param {string} name */
const part = (name) => document.querySelector(`[data-part="${name}"]`);

export class Viewer {
  /** Builds town and panel. Shows errors on the page and retries. @param {Page} page */
  static async open(page) {
    const onTrouble = (/** @type {string} */ text) => setText(part("notice"), text && `${gettext("Cannot show the town:")} ${text}`);
    const town = await openTown(part("town"), page, { onTrouble });
    showDamage(town.missing.map((file) => fill(gettext("Cannot load %(file)s."), { file })));
    const viewer = new Viewer(page, town);
    Gazetteer.fetch(page.maze_name).then((places) => viewer.learnPlaces(places));
    return viewer;
  }

  /** @param {Page} page  @param {Town} town */
  constructor(page, town) {
    this.page = page;
    this.town = town;
    this.clock = new Clock(page.start, page.sec_per_step);
    this.talks = new Talks(page);
    this.places = new Gazetteer();
    /** @type {?string} */
    this.chosen = null;
    /** @type {?Frame} */
    this.frame = null; // what is on screen, once it is known
    this.step = 0;
    this.moment = 0;
    /** @type {Talk[]} */
    this.conversing = [];
    this.sincePanelUpdate = PANEL_INTERVAL;
    /** @type {(step: number, names: string[]) => void} */
    this.goTo = () => {}; // shows a step, and follows one of these people
    this.tabs = new Tabs(part("tabs"), this);
    this.list = /** @type {PeopleTab} */ (this.tabs.views.get("people")).list;
    this.card = new PersonaCard(part("card"), page, () => this.choose(null));
    this.tools = new MapTools(part("town"), this);
    town.onPick = (name) => this.choose(name);
    if (part("run-menu")) tameMenu(/** @type {HTMLDetailsElement} */ (part("run-menu")));
    part("nearer").addEventListener("click", () => town.camera.zoomBy(1.5));
    part("farther").addEventListener("click", () => town.camera.zoomBy(1 / 1.5));
    part("overview").addEventListener("click", () => this.#overview());
    registerKey("/", gettext("Find a person, place or object"), () => this.#search());
    registerKey("Escape", gettext("Let go of the person"), () => this.choose(null));
    registerKey("f", gettext("Follow again"), () => this.chosen !== null && this.choose(this.chosen));
  }

  /**
   * Draws a scene. Called on every tick.
   * @param {Scene<Frame>} scene  @param {{step: number, moment: number, passed: number}} time
   */
  show({ before, after, fraction }, { step, moment, passed }) {
    this.town.people.show(before, after, fraction);
    const position = step - 1 + fraction;
    this.conversing = this.talks.at(after, position);
    this.town.people.talks.show(this.conversing, position, passed);
    this.tools.update(passed);
    this.sincePanelUpdate += passed;
    if (this.sincePanelUpdate < PANEL_INTERVAL) return;
    this.sincePanelUpdate = 0;
    const isFirst = !this.frame;
    [this.step, this.frame, this.moment] = [step, after, moment];
    this.#updatePanel(moment);
    if (isFirst && !this.chosen) this.choose(personaInHash(this.page.personas));
  }

  /** Adds people who came after the page was opened. @param {Persona[]} personas */
  async meet(personas) {
    const unknown = personas.filter(({ name }) => !this.list.people.has(name));
    this.page.personas.push(...unknown);
    unknown.forEach(this.list.add);
    await this.town.add(unknown);
  }

  /** Follows one of several people, still the same one if possible. @param {string[]} names */
  chooseOneOf(names) {
    const known = names.filter((name) => this.list.people.has(name));
    this.choose(known.includes(this.chosen) ? this.chosen : (known[0] ?? null));
  }

  /** Names of those in town whom the page cannot show yet. @param {Frame} frame */
  strangers(frame) {
    return Object.keys(frame).filter((name) => !this.list.people.has(name));
  }

  /** Follows a persona; null: no one. @param {?string} name */
  choose(name) {
    const { camera } = this.town;
    if (this.positions[name] && !this.chosen)
      camera.look(0, 0, { zoom: Math.max(camera.targetZoom, FOLLOW_ZOOM * this.town.density) });
    this.chosen = name;
    const persona = this.page.personas.find((one) => one.name === name);
    updateAddress({ hash: persona ? `#${encodeURIComponent(persona.underscore)}` : "" });
    this.town.choose(name, () => partnersOf(name, this.frame?.[name]?.chat));
    this.list.choose(name);
    this.card.choose(name);
    if (this.frame) this.card.update(this.frame, this.step, this.conversing);
  }

  /** Tiles where people are drawn: {name: [x, y]}. */
  get positions() {
    return this.town.people.positions;
  }

  /** Shows a message over the town for a while. @param {string} text */
  notice(text) {
    setText(part("notice"), text);
    clearTimeout(this.fading);
    this.fading = setTimeout(() => setText(part("notice"), ""), NOTICE_TIME);
  }

  /**
   * Reads a text to users of a screen reader. Only for what matters: whatever else is said meanwhile is cut off.
   * @param {string} text
   */
  announce(text) {
    setText(part("announcer"), text);
  }

  /** Follows a persona; whom the camera follows already is let go of. @param {string} name */
  pick(name) {
    this.choose(name === this.chosen && this.town.isFollowing ? null : name);
  }

  #overview() {
    this.choose(null);
    this.town.camera.overview();
  }

  /** Takes over the names of places. @param {Gazetteer} places */
  learnPlaces(places) {
    this.places = places;
    this.town.names.set(places);
  }

  /** The sector where somebody is; without names of places, where they mean to be. @param {string} name */
  placeOf(name) {
    if (this.places.sectors.length) return this.places.sectorAt(this.frame[name].movement);
    return parseDescription(this.frame[name].description).place.sector ?? "";
  }

  #search() {
    this.tabs.open("people");
    this.list.search();
  }

  /** @param {number} moment */
  #updatePanel(moment) {
    setText(part("time"), timeText(moment));
    setText(part("date"), dateText(moment, language));
    this.tabs.show();
    this.inTown = Object.keys(this.frame).length;
    if (this.page.mode === "simulate" && this.chosen && !this.frame[this.chosen]) this.choose(null); // moved away
    this.card.update(this.frame, this.step, this.conversing);
    const awake = Object.entries(this.frame).filter(([, record]) => record.description && !isAsleep(record));
    const spots = this.town.people.positions;
    this.town.daylight.show(hourOf(moment), awake.map(([name]) => spots[name]).filter(Boolean));
  }
}

export { part };
