/** What the live page, replays and demos share: the town, the clock, the panel, and who is followed. */

import { followed, settle } from "../address.js";
import { say, tellDamage } from "../dom.js";
import { Card } from "../panel/card.js";
import { PeopleList } from "../panel/people.js";
import { partnersOf } from "../panel/words.js";
import { insist } from "../server.js";
import { dateText, hourOf, timeText } from "../story/clock.js";
import { isAsleep } from "../story/frames.js";
import { openTown } from "../town/town.js";
import { fill, gettext, language } from "../words.js";

const LOOK = 2; // zoom, in screen pixels, from which somebody is followed
const NOTICED = 6000; // milliseconds
const REST = 80; // milliseconds between two updates of the panel

const part = (name) => document.querySelector(`[data-part="${name}"]`);

export class Viewer {
  /** Builds town and panel; what goes wrong is said on the page, and tried again. */
  static async open(page) {
    const town = await insist(
      () => openTown(part("town"), page),
      (text) => say(part("notice"), text && `${gettext("The town cannot be shown:")} ${text}`),
    );
    tellDamage(town.missing.map((file) => fill(gettext("%(file)s cannot be loaded."), { file })));
    return new Viewer(page, town);
  }

  constructor(page, town) {
    this.page = page;
    this.town = town;
    this.chosen = null;
    this.rested = REST;
    this.list = new PeopleList(part("people"), page, (name) => this.choose(this.#isFollowed(name) ? null : name));
    this.card = new Card(part("card"), page, () => this.choose(null));
    town.onPick = (name) => this.choose(name);
    part("nearer").addEventListener("click", () => town.camera.approach(1.5));
    part("farther").addEventListener("click", () => town.camera.approach(1 / 1.5));
    part("overview").addEventListener("click", () => this.#overview());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.choose(null));
  }

  /** Shows a scene: two frames and how far it is from one to the other. Called at every tick. */
  show({ before, after, fraction }, { step, moment, passed }) {
    this.town.cast.show(before, after, fraction);
    this.rested += passed;
    if (this.rested < REST) return;
    this.rested = 0;
    const isFirst = !this.frame;
    [this.step, this.frame] = [step, after];
    this.#tell(moment);
    if (isFirst && !this.chosen) this.choose(followed(this.page.personas));
  }

  choose(name) {
    if (name && !this.chosen)
      this.town.camera.look(0, 0, { zoom: Math.max(this.town.camera.wishZoom, LOOK * this.town.density) });
    this.chosen = name;
    const persona = this.page.personas.find((one) => one.name === name);
    settle({ hash: persona ? `#${encodeURIComponent(persona.underscore)}` : "" });
    this.town.choose(name, () => partnersOf(name, this.frame?.[name]?.chat));
    this.list.choose(name);
    this.card.choose(name);
    if (this.frame) this.card.update(this.frame, this.step);
  }

  /** Where everybody is drawn, {name: [x, y]}. */
  get positions() {
    return this.town.cast.positions;
  }

  /** Says something over the town for a while. */
  notice(text) {
    say(part("notice"), text);
    clearTimeout(this.fading);
    this.fading = setTimeout(() => say(part("notice"), ""), NOTICED);
  }

  /** Whoever was chosen is no longer followed after the view was moved by hand. */
  #isFollowed(name) {
    return name === this.chosen && this.town.isFollowing;
  }

  #overview() {
    this.choose(null);
    this.town.camera.overview();
  }

  #tell(moment) {
    say(part("time"), timeText(moment));
    say(part("date"), dateText(moment, language));
    this.list.update(this.frame);
    this.card.update(this.frame, this.step);
    const awake = Object.entries(this.frame).filter(([, record]) => record.description && !isAsleep(record));
    const spots = this.town.cast.positions;
    this.town.daylight.show(hourOf(moment), awake.map(([name]) => spots[name]).filter(Boolean));
  }
}

export { part };
