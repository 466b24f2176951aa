/** One of two towns side by side: its map, people, talks and light. */

import { hourOf } from "../playback/clock.js";
import { isAsleep } from "../playback/frames.js";
import { Talks } from "../playback/talks.js";
import { Gazetteer } from "../town/gazetteer.js";
import { openTown } from "../town/town.js";
import { Rings } from "./rings.js";

const LIGHT_INTERVAL = 100; // milliseconds between updates of the light

export class Side {
  /** Opens a town inside an element. @param {Object} page data of this side  @param {Object} options of openTown */
  static async open(element, page, options) {
    const side = new Side(page, await openTown(element, page, options));
    Gazetteer.fetch(page.maze_name).then((places) => side.town.names.set(places));
    return side;
  }

  constructor(page, town) {
    this.page = page;
    this.town = town;
    this.talks = new Talks(page);
    this.rings = new Rings(town);
    this.frame = {};
    this.sinceLight = LIGHT_INTERVAL;
  }

  /** Draws the people between two frames. @param {{step: number, moment: number, passed: number}} time */
  show({ before, after, fraction }, { step, moment, passed }) {
    this.frame = after;
    this.town.people.show(before, after, fraction);
    const position = step - 1 + fraction;
    this.town.people.talks.show(this.talks.at(after, position), position, passed);
    this.sinceLight += passed;
    if (this.sinceLight < LIGHT_INTERVAL) return;
    this.sinceLight = 0;
    const awake = Object.entries(after).filter(([, record]) => record.description && !isAsleep(record));
    const spots = this.town.people.positions;
    this.town.daylight.show(hourOf(moment), awake.map(([name]) => spots[name]).filter(Boolean));
  }

  /** Marks a person as the one that is followed; null: no one. */
  choose(name) {
    this.town.choose(this.town.people.sprites.has(name) ? name : null);
  }
}
