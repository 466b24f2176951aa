/** All people on the map: their positions, the layout of their bubbles, and the chosen one. */

import { byName } from "../by_name.js";
import { BubbleLayer } from "./bubbles/bubble_layer.js";
import { Cells, boundsOf } from "./cells.js";
import { DotLayer } from "./dot_layer.js";
import { tileOffsets } from "./person_figure.js";
import { PersonSprite } from "./person_sprite.js";
import { TalkLayer } from "./talk_layer.js";
/** @import { Tile } from "../acting/places.js" */
/** @import { Persona } from "../dom.js" */
/** @import { Frame } from "../playback/frames.js" */
/** @import { Crowd } from "./crowds.js" */
/** @import { Point, View } from "./camera.js" */

export const MOST_WHOLE = 100; // people of a town that shows the faces of all, at every zoom
export const FACE_ZOOM = 0.25; // lowest zoom at which a larger town shows faces, in screen pixels
const TOGETHER = 400; // town pixels; the camera shows both partners if they are nearer
const CLICK_RADIUS = 22; // screen pixels around a figure
const DOT_RADIUS = 12; // screen pixels around a dot
const MARGIN = 240; // screen pixels around the view, from where bubbles may reach into it
const MOST_BODIES = 400; // figures that are kept; those that were not seen for longest are given up
const CELL = 8; // tiles

export class PeopleLayer {
  /**
   * @param {Phaser.Scene} scene  @param {Persona[]} personas
   * @param {{tile: number, density: number, hasSheet: (sprite: string) => boolean}} options  `hasSheet`: whether a sheet of
   *   pictures is there; if not, it is asked for
   */
  constructor(scene, personas, { tile, density, hasSheet }) {
    this.density = density;
    this.tile = tile;
    this.hasSheet = hasSheet;
    this.isWhole = personas.length <= MOST_WHOLE;
    /** @type {Map<string, PersonSprite>} */
    this.sprites = new Map();
    /** @type {Cells<PersonSprite>} */
    this.cells = new Cells(CELL * tile); // those in town, by their middle at the end of a step
    /** @type {Set<PersonSprite>} */
    this.bodies = new Set(); // those with a figure, the one seen last comes last; of a large town
    /** @type {Set<PersonSprite>} */
    this.awake = new Set(); // those whose figure is shown
    /** @type {PersonSprite[]} */
    this.dots = []; // those shown as one
    /** @type {{before: ?Frame, after: ?Frame}} */
    this.frames = { before: null, after: null };
    /** @type {PersonSprite[]} */
    this.moving = []; // those who walk in this step
    this.add = (/** @type {Persona} */ persona) => this.#add(new PersonSprite(scene, persona, { tile, density }));
    personas.forEach(this.add);
    this.talks = new TalkLayer(scene, this.sprites, { tile, density });
    this.bubbles = new BubbleLayer(scene, { density });
    this.dotLayer = new DotLayer(scene, { density });
    /** @type {?string} */
    this.chosen = null;
  }

  /** @param {PersonSprite} person */
  #add(person) {
    this.sprites.set(person.name, person);
    this.frames = { before: null, after: null };
    if (this.isWhole) person.embody();
  }

  /**
   * Puts everyone at their position between two frames; those who are not in the second have left.
   * @param {Frame} before  @param {Frame} after  @param {number} fraction
   */
  show(before, after, fraction) {
    if (before !== this.frames.before || after !== this.frames.after) this.#takeOver(before, after, fraction);
    for (const person of this.moving) person.advance(fraction);
  }

  /** What is new in a step. @param {Frame} before  @param {Frame} after  @param {number} fraction */
  #takeOver(before, after, fraction) {
    const offsets = tileOffsets(after);
    this.frames = { before, after };
    this.moving = [];
    for (const [name, person] of this.sprites) {
      const record = after[name];
      if (!record) {
        if (person.place) this.cells.delete(person);
        person.hide();
        continue;
      }
      const [from, to, offset] = [before[name]?.movement ?? record.movement, record.movement, offsets.get(name)];
      person.emoji = record.pronunciatio;
      if (person.place && from === person.from && to === person.to && offset === person.offset && !person.isMoving) continue;
      Object.assign(person, { from, to, offset });
      person.advance(fraction);
      this.cells.put(person, [(to[0] + 0.5) * this.tile, (to[1] + 0.5) * this.tile]);
      if (person.isMoving) this.moving.push(person);
    }
  }

  /** Tiles as drawn, by name. @returns {Record<string, Tile>} */
  get positions() {
    return byName(
      [...this.sprites].flatMap(([name, person]) => (person.place ? [/** @type {[string, Tile]} */ ([name, person.spot])] : [])),
    );
  }

  /**
   * How far a person is from the middle of the view, in town pixels, and whether they are in it.
   * @param {string} name  @param {View} view
   */
  viewOf(name, view) {
    const person = this.sprites.get(name);
    if (!person?.place) return { distance: Infinity, isInView: false };
    const [across, down] = person.middle.map((part, axis) => {
      const [scroll, size] = axis ? [view.scrollY, view.height] : [view.scrollX, view.width];
      return part - scroll - size / view.zoom / 2;
    });
    const isInView = Math.abs(across) * 2 < view.width / view.zoom && Math.abs(down) * 2 < view.height / view.zoom;
    return { distance: Math.hypot(across, down), isInView };
  }

  /**
   * Returns the middle, in town pixels, of the first person and the others who are near; null if not in town.
   * @param {string[]} names  @returns {?Point}
   */
  middleOf([name, ...others]) {
    if (!this.sprites.get(name).place) return null;
    const first = this.sprites.get(name).middle;
    const spots = others.flatMap((other) => (this.sprites.get(other)?.place ? [this.sprites.get(other).middle] : []));
    const near = spots.filter(([x, y]) => Math.hypot(x - first[0], y - first[1]) < TOGETHER);
    const mean = (/** @type {0|1} */ axis) => [first, ...near].reduce((sum, spot) => sum + spot[axis], 0) / (near.length + 1);
    return [mean(0), mean(1)];
  }

  /** Lays out figures, dots and bubbles. @param {View} view  @param {number} passed */
  layOut(view, passed) {
    const here = this.isWhole ? [...this.sprites.values()].filter((person) => person.place) : this.#inView(view, passed);
    for (const person of here) {
      person.wake();
      person.setZoom(view.zoom, person.name === this.chosen);
    }
    this.bubbles.layOut(here, { chosen: this.chosen, view, passed });
    this.talks.draw(view);
  }

  /**
   * Those who have a face in a view of a large town; shows the others as dots.
   * @param {View} view  @param {number} passed
   */
  #inView(view, passed) {
    const isNear = view.zoom >= FACE_ZOOM * this.density;
    const marked = [this.chosen, ...(this.sprites.get(this.chosen)?.partners ?? [])].map((name) => this.sprites.get(name)).filter((person) => person?.place);
    const seen = this.cells.within(boundsOf(view, MARGIN * this.density));
    const faces = new Set((isNear ? [...marked, ...seen] : marked).filter((person) => this.#hasBody(person)));
    for (const person of this.awake) if (!faces.has(person)) person.rest();
    this.awake = faces;
    this.dots = seen.filter((person) => !faces.has(person));
    this.dotLayer.show(this.dots, { chosen: this.chosen, marked, view, passed, mayGather: !isNear });
    return [...faces];
  }

  /** Whether somebody has a figure; makes one, if the pictures are there. @param {PersonSprite} person */
  #hasBody(person) {
    if (!person.figure) {
      if (!this.hasSheet(person.sheet)) return false;
      person.embody();
      const oldest = [...this.bodies].slice(0, Math.max(0, this.bodies.size - MOST_BODIES)).filter((one) => !one.isAwake);
      for (const one of oldest) {
        one.disembody();
        this.bodies.delete(one);
      }
    } else this.bodies.delete(person);
    this.bodies.add(person);
    return true;
  }

  /**
   * The crowd whose number or badge is at a point of the view (device pixels), or null.
   * @param {Point} point  @param {View} view  @returns {?{box: Crowd<PersonSprite>["box"], isFar: boolean}}
   */
  crowdAt(point, view) {
    const cluster = this.bubbles.clusterAt(point, view);
    if (cluster) return { box: cluster.box, isFar: false };
    const disc = this.dotLayer.at(point, view);
    return disc && { box: disc.box, isFar: true };
  }

  /**
   * Returns the name of the person at a point of the view (device pixels), or null.
   * @param {Point} point  @param {View} view  @returns {?string}
   */
  at([x, y], view) {
    let found = null;
    let least = CLICK_RADIUS * this.density;
    for (const person of this.isWhole ? this.sprites.values() : this.awake) {
      if (!person.place) continue;
      const [left, top] = person.anchor(view);
      const half = (person.bubble.width * this.density) / 2;
      const [across, up] = person.shift ?? [0, 0];
      const above = top - up - y;
      const height = (person.bubble.height + person.bubble.tailHeight) * this.density;
      const isOnBubble = Math.abs(x - left - across) <= half && above >= 0 && above <= height;
      const distance = isOnBubble ? 0 : awayFrom(person, [x, y], view);
      if (distance < least) [found, least] = [person.name, distance];
    }
    if (found) return found;
    least = DOT_RADIUS * this.density;
    for (const person of this.dots) {
      const distance = this.dotLayer.gathered.has(person) ? Infinity : awayFrom(person, [x, y], view);
      if (distance < least) [found, least] = [person.name, distance];
    }
    return found;
  }
}

/** Device pixels between a person and a point of the view. @param {PersonSprite} person  @param {Point} point  @param {View} view */
function awayFrom({ middle }, [x, y], { zoom, scrollX, scrollY }) {
  return Math.hypot((middle[0] - scrollX) * zoom - x, (middle[1] - scrollY) * zoom - y);
}
