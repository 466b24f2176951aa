/** The bubble with the words of a persona: a name and at most three short lines, the same size on screen at every zoom. */

import { FONT, INK, TAIL, highlight, paintBox, pin } from "./bubble_box.js";
/** @import { Point, View } from "../camera.js" */

const PADDING = { across: 10, top: 6, bottom: 8 }; // all sizes are screen pixels
const LINE = 16;
const MOST_LINES = 3;
const MOST = { width: 232, height: PADDING.top + (MOST_LINES + 1) * LINE + PADDING.bottom };
const TEXT = `12.5px ${FONT}`;
const NAME = `600 11px ${FONT}`;
const ROUNDING = 8; // of widths, so that not every word moves the bubbles around
const TAIL_MARGIN = 14; // from the tail's middle to the bubble's edge
const MARKED_TAIL = "highlighted bubble tail";
const NAME_COLOUR = "#9c3f24";

export class WordsBubble {
  /**
   * @param {Phaser.Scene} scene  that has loaded `bubble` and `bubble tail`  @param {string} key name of the texture
   * @param {number} density
   */
  constructor(scene, key, density) {
    this.density = density;
    this.texture = scene.textures.createCanvas(key, MOST.width * density, MOST.height * density);
    this.image = scene.add.image(0, 0, key).setVisible(false);
    this.tail = scene.add.image(0, 0, "bubble tail").setOrigin(0.5, 1).setVisible(false);
    addMarkedTail(scene);
    this.picture = /** @type {HTMLCanvasElement} */ (scene.textures.get("bubble").getSourceImage());
    this.written = "";
    this.width = 0;
    this.height = 0;
  }

  /** @param {string} name  @param {string} words  @param {boolean} chosen whether to highlight it */
  write(name, words, chosen) {
    const wanted = `${chosen} ${name}: ${words}`;
    if (wanted === this.written) return;
    this.written = wanted;
    const context = this.texture.getContext();
    context.setTransform(this.density, 0, 0, this.density, 0, 0);
    context.clearRect(0, 0, MOST.width, MOST.height);
    context.font = TEXT;
    const measure = (/** @type {string} */ text) => context.measureText(text).width;
    const lines = wrapped(words, { width: MOST.width - 2 * PADDING.across, most: MOST_LINES, measure });
    context.font = NAME;
    const widest = Math.max(measure(name), ...lines.map(({ width }) => width));
    this.width = Math.min(MOST.width, Math.ceil((widest + 2 * PADDING.across) / ROUNDING) * ROUNDING);
    this.height = PADDING.top + (lines.length + 1) * LINE + PADDING.bottom;
    const left = (MOST.width - this.width) / 2;
    paintBox(context, this.picture, { left, width: this.width, height: this.height, chosen });
    this.#writeLines(context, name, lines, left + PADDING.across);
    this.image.setOrigin(0.5, this.height / MOST.height);
    this.tail.setTexture(chosen ? MARKED_TAIL : "bubble tail");
    this.texture.refresh();
  }

  /** How far the tail can be from the middle. */
  get slide() {
    return this.width / 2 - TAIL_MARGIN;
  }

  destroy() {
    this.image.destroy();
    this.tail.destroy();
    this.texture.destroy();
  }

  /** @param {boolean} shown */
  setVisible(shown) {
    this.image.setVisible(shown);
    this.tail.setVisible(shown);
  }

  /**
   * Puts the bubble where its tail would end at a point, and the tail as near as possible to the person.
   * @param {Point} end device pixels of the view  @param {Point} anchor of the person
   * @param {View} view  @param {number} depth
   */
  draw([x, y], anchor, view, depth) {
    const slide = this.slide * this.density;
    const tip = Math.max(x - slide, Math.min(x + slide, anchor[0]));
    pin(this.image, [x, y - TAIL.height * this.density], view).setDepth(depth);
    pin(this.tail, [tip, y - TAIL.overlap * this.density], view, this.density).setDepth(depth + 0.5);
  }

  /** Height of the tail below the bubble. */
  get tailHeight() {
    return TAIL.height;
  }

  /**
   * @param {CanvasRenderingContext2D} context  @param {string} name
   * @param {Array<{text: string, width: number}>} lines  @param {number} left
   */
  #writeLines(context, name, lines, left) {
    context.textBaseline = "middle";
    const middle = (/** @type {number} */ line) => PADDING.top + (line + 0.5) * LINE;
    context.font = NAME;
    context.fillStyle = NAME_COLOUR;
    context.fillText(name, left, middle(0) - 1);
    context.font = TEXT;
    context.fillStyle = INK;
    lines.forEach(({ text }, line) => context.fillText(text, left, middle(line + 1)));
  }
}

/** Adds the tail of a highlighted bubble to the textures. @param {Phaser.Scene} scene */
function addMarkedTail(scene) {
  if (scene.textures.exists(MARKED_TAIL)) return;
  const texture = scene.textures.createCanvas(MARKED_TAIL, TAIL.width, TAIL.height);
  const context = texture.getContext();
  context.drawImage(/** @type {HTMLCanvasElement} */ (scene.textures.get("bubble tail").getSourceImage()), 0, 0);
  context.globalCompositeOperation = "source-atop";
  highlight(context, 0, 0, TAIL.width, TAIL.height);
  texture.refresh();
}

/**
 * Breaks a text into lines; what does not fit into the last one ends with "…". Pure.
 * @param {string} text  @param {{width: number, most: number, measure: (text: string) => number}} room
 * @returns {Array<{text: string, width: number}>}
 */
export function wrapped(text, { width, most, measure }) {
  const lines = [""];
  for (const word of text.split(/\s+/u)) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (measure(longer) <= width || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const shown = lines.slice(0, most);
  if (lines.length > most) shown[most - 1] += " …";
  return shown.map((line) => fitted(line, width, measure));
}

/**
 * Shortens a line until it fits.
 * @param {string} line  @param {number} width  @param {(text: string) => number} measure
 */
function fitted(line, width, measure) {
  let text = line;
  while (measure(text) > width && text.length > 2) text = `${text.replace(/…$/u, "").trimEnd().slice(0, -1)}…`;
  return { text, width: measure(text) };
}
