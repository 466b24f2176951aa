/**
 * The bubbles of all people: what they say, or their names. None covers another. In a crowd that is seen from afar, one
 * badge stands for all.
 */

import { isCrowded, placeBubble } from "./bubble_layout.js";
import { commonSigns, findClusters } from "./bubble_layout.js";
import { DEPTH } from "../map/map.js";
import { SpeechBubble } from "./speech_bubble.js";
/** @import { BubbleBox } from "./bubble_layout.js" */
/** @import { WordsBubble } from "./words_bubble.js" */
/** @import { Point, View } from "../camera.js" */
/** @import { PersonSprite } from "../person_sprite.js" */

const NAME_ZOOM = 0.7; // lowest zoom with first names
const INITIALS_ZOOM = 0.17; // lowest zoom with initials; below, only emoji
const INTERVAL = 80; // milliseconds between changes of the layout; bubbles glide in between
const WORDS_AFAR = 2; // conversations that are shown in words at low zooms, besides that of the chosen person
const WIDE = 700; // screen pixels; at low zooms, narrower views have no room for words
const FARTHEST_AFAR = 110; // screen pixels between such words and their place
const CROWD = { reach: 30, least: 4 }; // screen pixels between neighbours; people
const SIGNS = 3; // on a badge
const INK = 0x2b2333;
const LINE_WIDTH = 1.25; // screen pixels of the line from a moved bubble to its person
const LINE_END = 4; // screen pixels above the end of a bubble's tail

/** @typedef {{placed: BubbleBox[], faces: BubbleBox[], view: View, most?: number}} Room */
/**
 * @typedef {{people: PersonSprite[], end: Point, box: [number, number, number, number]}} Crowd  that has a badge; in town pixels
 */

export class BubbleLayer {
  /** @param {Phaser.Scene} scene  @param {{density: number}} options */
  constructor(scene, { density }) {
    this.scene = scene;
    this.density = density;
    this.lines = scene.add.graphics().setDepth(DEPTH.light + 0.5);
    /** @type {Array<{bubble: SpeechBubble, cluster: ?Crowd}>} */
    this.badges = []; // cluster is null while it is not shown
    this.since = 0;
    this.zoom = null;
  }

  /**
   * Moves all bubbles, and lays them out anew from time to time.
   * @param {PersonSprite[]} here those in town  @param {{chosen: ?string, view: View, passed: number}} now
   */
  layOut(here, { chosen, view, passed }) {
    this.since += passed;
    const isDue = this.since >= INTERVAL || view.zoom !== this.zoom;
    if (isDue || here.some((person) => person.goal === undefined)) this.#arrange(here, chosen, view);
    this.lines.clear().lineStyle(LINE_WIDTH * (this.density / view.zoom), INK, 0.6);
    for (const person of here) {
      const anchor = person.anchor(view);
      person.moveBubble(passed);
      person.drawBubble(anchor, view);
      this.#drawLine(person, anchor, view);
    }
    for (const { bubble, cluster } of this.badges) if (cluster) drawBadge(bubble, cluster, view);
  }

  /**
   * Returns the crowd whose badge is at a point of the view (device pixels), or null.
   * @param {Point} point  @param {View} view  @returns {?Crowd}
   */
  clusterAt([x, y], view) {
    const found = this.badges.find(({ bubble, cluster }) => {
      if (!cluster) return false;
      const [left, bottom] = screenSpot(cluster.end, view);
      const height = (bubble.height + bubble.tailHeight) * this.density;
      return Math.abs(x - left) * 2 <= bubble.width * this.density && bottom - y >= 0 && bottom - y <= height;
    });
    return found?.cluster ?? null;
  }

  /**
   * Finds room: first for the chosen person, then for crowds, for those who speak, and for others from front to back.
   * @param {PersonSprite[]} here  @param {?string} chosen  @param {View} view
   */
  #arrange(here, chosen, view) {
    [this.since, this.zoom] = [0, view.zoom];
    const zoom = view.zoom / this.density;
    const detail = zoom >= NAME_ZOOM ? "name" : zoom >= INITIALS_ZOOM ? "initials" : "emoji";
    this.#chooseSpeakers(here, chosen, { isFar: detail !== "name", isWide: view.width >= WIDE * this.density });
    const order = inOrder(here, chosen);
    const spots = order.map((person) => person.anchor(view));
    const faces = order.map((person, number) => person.faceBox(spots[number], view));
    /** @type {{placed: BubbleBox[], faces: BubbleBox[], view: View}} */
    const room = { placed: [], faces, view };
    order.forEach((person, number) => (person.depth = order.length - number));
    let hidden = new Set();
    const show = (/** @type {PersonSprite} */ person, /** @type {number} */ number) =>
      this.#showBubble(person, spots[number], { detail, chosen, spots, room, isHidden: hidden.has(person) });
    const isFirst = order[0]?.name === chosen;
    if (isFirst) show(order[0], 0);
    hidden = this.#arrangeBadges(detail === "name" ? [] : order, room);
    order.forEach((person, number) => (number || !isFirst) && show(person, number));
  }

  /**
   * From afar, only some conversations are shown in words.
   * @param {PersonSprite[]} here  @param {?string} chosen  @param {{isFar: boolean, isWide: boolean}} view
   */
  #chooseSpeakers(here, chosen, { isFar, isWide }) {
    let left = !isFar ? Infinity : isWide ? WORDS_AFAR : 0;
    for (const person of here) {
      const isTheirs = person.name === chosen || person.partners.includes(chosen);
      person.speaks = Boolean(person.saying) && (isTheirs || left > 0);
      if (person.speaks && !isTheirs) left -= 1;
    }
  }

  /**
   * Shows what the person says if there is room, else the label unless it is hidden.
   * @param {PersonSprite} person  @param {Point} spot  @param {{detail: "name"|"initials"|"emoji", chosen: ?string, spots: Point[], room: Room, isHidden: boolean}} how
   */
  #showBubble(person, spot, { detail, chosen, spots, room, isHidden }) {
    const crowded = detail === "initials" && isCrowded(spot, spots, this.density);
    const look = { chosen: person.name === chosen, detail: crowded ? "emoji" : detail };
    if (person.speaks) {
      person.write("words", look);
      const most = detail === "name" || look.chosen ? Infinity : FARTHEST_AFAR * this.density;
      person.goal = this.#roomFor(person.bubble, spot, { ...room, most });
      if (person.goal) return;
    }
    person.write("label", look);
    person.goal = isHidden ? null : this.#roomFor(person.bubble, spot, room);
  }

  /**
   * Shows a badge for every crowd.
   * @param {PersonSprite[]} order  @param {Room} room
   * @returns {Set<PersonSprite>} those who are in one that has room
   */
  #arrangeBadges(order, room) {
    const hidden = new Set();
    const { view } = room;
    const spots = order.map((person) => person.anchor(view));
    const reach = CROWD.reach * this.density;
    const clusters = findClusters(spots, { reach, least: CROWD.least });
    for (const badge of this.badges) badge.cluster = null;
    clusters.forEach((numbers, place) => {
      const badge = (this.badges[place] ??= this.#newBadge(place));
      const people = numbers.map((number) => order[number]);
      badge.bubble.write(commonSigns(people.map(({ emoji }) => emoji), SIGNS).join(""), String(people.length), false);
      const x = numbers.reduce((sum, number) => sum + spots[number][0], 0) / numbers.length;
      const y = Math.min(...numbers.map((number) => spots[number][1]));
      const move = this.#roomFor(badge.bubble, [x, y], room);
      if (!move) return;
      badge.cluster = { people, end: townSpot([x + move[0], y - move[1]], view), box: boxOf(people) };
      people.forEach((person) => hidden.add(person));
    });
    for (const { bubble, cluster } of this.badges) bubble.setVisible(cluster !== null);
    return hidden;
  }

  /** @param {number} number  @returns {{bubble: SpeechBubble, cluster: ?Crowd}} */
  #newBadge(number) {
    return { bubble: new SpeechBubble(this.scene, `badge ${number}`, this.density), cluster: null };
  }

  /**
   * Returns the offset [across, up] of a bubble, or null. Keeps it below the upper edge if its figure is visible.
   * @param {SpeechBubble|WordsBubble} bubble  @param {Point} point
   * @param {{placed: BubbleBox[], faces: BubbleBox[], view: View, most?: number}} room  @returns {?Point}
   */
  #roomFor(bubble, [x, y], { placed, faces, view, most }) {
    const sizes = [bubble.width, bubble.height, bubble.tailHeight, bubble.slide];
    const [width, height, tail, slide] = sizes.map((size) => size * this.density);
    const bottom = y > 0 ? Math.max(y - tail, height) : y - tail;
    const move = placeBubble(placed, { x, bottom, width, height, tail, slide, most }, view, faces);
    return move && [move[0], move[1] + (y - tail - bottom)];
  }

  /**
   * Draws a line to a bubble that is not right above its person.
   * @param {PersonSprite} person  @param {Point} anchor  @param {View} view
   */
  #drawLine({ bubble, shift }, [x, y], view) {
    if (!shift) return;
    const slide = bubble.slide * this.density;
    const across = shift[0] - Math.max(-slide, Math.min(slide, shift[0]));
    if (Math.hypot(across, shift[1]) < bubble.tailHeight * this.density) return;
    const [toX, toY] = [x + across, y - shift[1] - LINE_END * this.density];
    this.lines.lineBetween(...townSpot([x, y], view), ...townSpot([toX, toY], view));
  }
}

/**
 * The chosen person, those who speak, and the others from front to back.
 * @param {PersonSprite[]} here  @param {?string} chosen
 */
function inOrder(here, chosen) {
  const rank = (/** @type {PersonSprite} */ person) => 2 * Number(person.name === chosen) + Number(person.speaks);
  return here.toSorted(
    (one, other) => rank(other) - rank(one) || other.figure.y - one.figure.y || other.figure.x - one.figure.x,
  );
}

/** @param {SpeechBubble} bubble  @param {Crowd} crowd  @param {View} view */
function drawBadge(bubble, { end }, view) {
  bubble.draw(screenSpot(end, view), null, view, DEPTH.labels);
}

/**
 * The box around people: left, top, right and bottom in town pixels.
 * @param {PersonSprite[]} people  @returns {Crowd["box"]}
 */
function boxOf(people) {
  const [xs, ys] = [people.map(({ figure }) => figure.x), people.map(({ figure }) => figure.y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** @param {Point} point of the view  @param {View} view  @returns {Point} */
function townSpot([x, y], { zoom, scrollX, scrollY }) {
  return [x / zoom + scrollX, y / zoom + scrollY];
}

/** @param {Point} point of the town  @param {View} view  @returns {Point} */
function screenSpot([x, y], { zoom, scrollX, scrollY }) {
  return [(x - scrollX) * zoom, (y - scrollY) * zoom];
}
