/** Rings under the feet of those who differ. */

import { DEPTH } from "../town/map/map.js";
/** @import { PersonSprite } from "../town/person_sprite.js" */
/** @import { Town } from "../town/town.js" */

const COLOURS = [null, 0xf0c566, 0xe08a1a, 0xa04580, 0xa04580];
/** @type {[number, number]} */
const SIZE = [44, 24];
const FADED = 0.55; // opacity of those who do not differ, while others do

export class Rings {
  /** @param {Town} town */
  constructor(town) {
    this.town = town;
    /** @type {Map<string, Phaser.GameObjects.Ellipse>} */
    this.rings = new Map();
  }

  /** @param {(name: string) => number} howOf how a persona differs; 0 if not */
  show(howOf) {
    const { sprites } = this.town.people;
    const differ = new Map([...sprites.keys()].map((name) => /** @type {const} */ ([name, howOf(name)])).filter(([, how]) => how));
    for (const [name, person] of sprites) {
      this.#draw(name, person, differ.get(name) ?? 0);
      person.figure?.setAlpha(differ.size && !differ.has(name) ? FADED : 1);
    }
  }

  /** @param {string} name  @param {PersonSprite} person  @param {number} how */
  #draw(name, { figure, isAwake }, how) {
    const ring = this.rings.get(name) ?? (how ? this.#make(name) : null);
    if (!ring) return;
    ring.setVisible(Boolean(how && isAwake));
    if (!how || !isAwake) return;
    ring.setStrokeStyle(4, COLOURS[how], 1).setFillStyle(COLOURS[how], 0.45);
    ring.setPosition(figure.x, figure.y - 2 * figure.scaleY).setScale(figure.scaleX);
    ring.setDepth(DEPTH.people - 0.6);
  }

  /** @param {string} name */
  #make(name) {
    const ring = this.town.scene.add.ellipse(0, 0, ...SIZE);
    this.rings.set(name, ring);
    return ring;
  }
}
