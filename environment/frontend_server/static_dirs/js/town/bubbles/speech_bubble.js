/** The label above a person: a bubble with an emoji and a name, the same size on screen at every zoom. */

import { FONT, INK, TAIL, paintBox, pin } from "./bubble_box.js";
/** @import { Point, View } from "../camera.js" */

const HEIGHT = 26; // of the bubble; all sizes are screen pixels
const PADDING = 7;
const MAX_WIDTH = 190;

export class SpeechBubble {
  /**
   * @param {Phaser.Scene} scene  that has loaded `bubble` and `bubble tail`  @param {string} key name of the texture
   * @param {number} density
   */
  constructor(scene, key, density) {
    this.density = density;
    this.texture = scene.textures.createCanvas(key, MAX_WIDTH * density, (HEIGHT + TAIL.height) * density);
    this.image = scene.add.image(0, 0, key).setOrigin(0.5, 1);
    this.pictures = {
      bubble: /** @type {HTMLCanvasElement} */ (scene.textures.get("bubble").getSourceImage()),
      tail: /** @type {HTMLCanvasElement} */ (scene.textures.get("bubble tail").getSourceImage()),
    };
    this.width = 0;
    this.written = "";
  }

  /** @param {string} emoji  @param {string} name  @param {boolean} chosen whether to highlight it */
  write(emoji, name, chosen) {
    const wanted = `${chosen} ${emoji} ${name}`;
    if (wanted === this.written) return;
    this.written = wanted;
    const context = this.texture.getContext();
    context.setTransform(this.density, 0, 0, this.density, 0, 0);
    context.clearRect(0, 0, MAX_WIDTH, HEIGHT + TAIL.height);
    context.textBaseline = "middle";
    const emojiWidth = this.#measure(context, `16px ${FONT}`, emoji);
    const nameWidth = this.#measure(context, `600 12px ${FONT}`, name);
    const gap = emoji && name ? 5 : 0;
    this.width = Math.min(MAX_WIDTH, Math.ceil(emojiWidth + gap + nameWidth + 2 * PADDING));
    const edge = (MAX_WIDTH - this.width) / 2;
    paintBox(context, this.pictures.bubble, { left: edge, width: this.width, height: HEIGHT, chosen });
    const middle = (MAX_WIDTH - TAIL.width) / 2;
    context.drawImage(this.pictures.tail, middle, HEIGHT - TAIL.overlap, TAIL.width, TAIL.height);
    const left = edge + PADDING;
    context.fillStyle = INK;
    context.font = `16px ${FONT}`;
    context.fillText(emoji, left, HEIGHT / 2 + 1);
    context.font = `600 12px ${FONT}`;
    context.fillText(name, left + emojiWidth + gap, HEIGHT / 2 + 0.5, MAX_WIDTH - 2 * PADDING - emojiWidth - gap);
    this.texture.refresh();
  }

  get height() {
    return HEIGHT;
  }

  /** How far the tail can be from the middle. */
  get slide() {
    return 0;
  }

  /** Height of the tail below the bubble. */
  get tailHeight() {
    return TAIL.height;
  }

  destroy() {
    this.image.destroy();
    this.texture.destroy();
  }

  /** @param {boolean} shown */
  setVisible(shown) {
    this.image.setVisible(shown);
  }

  /**
   * Puts the end of the tail at a point of the view (device pixels).
   * @param {Point} end  @param {?Point} _anchor  @param {View} view  @param {number} depth
   */
  draw(end, _anchor, view, depth) {
    pin(this.image, end, view).setDepth(depth);
  }

  /** @param {CanvasRenderingContext2D} context  @param {string} font  @param {string} text */
  #measure(context, font, text) {
    context.font = font;
    return context.measureText(text).width;
  }
}
