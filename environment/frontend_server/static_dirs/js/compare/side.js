/** One of two towns side by side: its map, people, talks and light. */

import { hourOf } from "../playback/clock.js";
import { isAsleep } from "../playback/frames.js";
import { Talks } from "../playback/talks.js";
import { Gazetteer } from "../town/gazetteer.js";
import { openTown } from "../town/town.js";
import { Rings } from "./rings.js";
/** @import { Page } from "../dom.js" */
/** @import { Frame } from "../playback/frames.js" */
/** @import { Scene } from "../playback/player.js" */
/** @import { Town, TownOptions } from "../town/town.js" */

const LIGHT_INTERVAL = 100; // milliseconds between updates of the light

/**
 * @typedef {Page & {name: string, until: ?number}} SidePage  data of a side; `until`: the step up to which it is compared
 * @typedef {Page & {sides: SidePage[], runs: Array<{sim_code: string, title: string}>}} ComparePage  `runs`: those to repeat with
 */

export class Side {
  /**
   * Opens a town inside an element.
   * @param {HTMLElement} element  @param {SidePage} page  @param {TownOptions} options
   */
  static async open(element, page, options) {
    const side = new Side(page, await openTown(element, page, options));
    Gazetteer.fetch(page.maze_name).then((places) => side.town.names.set(places));
    return side;
  }

  /** @param {SidePage} page  @param {Town} town */
  constructor(page, town) {
    this.page = page;
    this.town = town;
    this.talks = new Talks(page);
    this.rings = new Rings(town);
    /** @type {Frame} */
    this.frame = {};
    this.sinceLight = LIGHT_INTERVAL;
  }

  /**
   * Draws the people between two frames.
   * @param {Scene<Frame>} scene  @param {{step: number, moment: number, passed: number}} time
   */
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

  /** Marks a person as the one that is followed; null: no one. @param {?string} name */
  choose(name) {
    this.town.choose(this.town.people.sprites.has(name) ? name : null);
  }
}
