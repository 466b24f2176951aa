/** Paints the paper of speech bubbles: a picture whose corners keep their size while the rest is stretched. */

/** @import { Point, View } from "../camera.js" */








export const FONT = 'EmojiFirst, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
export const INK = "#2b2333";
export const TAIL = { width: 10, height: 9, overlap: 3 }; // all sizes are screen pixels
const CORNER = 8;
const CHOSEN = "#ffe9a8";

/**
 * Paints a bubble without its tail.
 * @param {CanvasRenderingContext2D} context
 * @param {HTMLImageElement|HTMLCanvasElement} picture
 * @param {{left: number, width: number, height: number, chosen: boolean}} box `chosen`: whether to highlight it
 */
export function paintBox(context, picture, { left, width, height, chosen }) {
  context.imageSmoothingEnabled = false;
  context.globalCompositeOperation = "source-over";
  const from = thirds(0, picture.width);
  const across = thirds(left, width);
  thirds(0, height).forEach(([y, high], row) =>
    across.forEach(([x, wide], column) => context.drawImage(picture, ...cut(from[column], from[row]), x, y, wide, high)),
  );
  if (chosen) highlight(context, left + 2, 2, width - 4, height - 4);
}

/**
 * Paints over a part of a bubble as with a marker.
 * @param {CanvasRenderingContext2D} context  @param {[number, number, number, number]} box
 */
export function highlight(context, ...box) {
  context.globalCompositeOperation = "multiply";
  context.fillStyle = CHOSEN;
  context.fillRect(...box);
  context.globalCompositeOperation = "source-over";
}

/**
 * Shows an image at a point of the view (device pixels), each of its pixels `scale` device pixels wide.
 * @param {Phaser.GameObjects.Image} image  @param {Point} point  @param {View} view
 */
export function pin(image, [x, y], view, scale = 1) {
  image.setPosition(Math.round(x) / view.zoom + view.scrollX, Math.round(y) / view.zoom + view.scrollY);
  return image.setScale(scale / view.zoom);
}

/**
 * Splits a side into corner, middle and corner: start and length of each.
 * @param {number} start  @param {number} length  @returns {Array<[number, number]>}
 */
function thirds(start, length) {
  return [
    [start, CORNER],
    [start + CORNER, length - 2 * CORNER],
    [start + length - CORNER, CORNER],
  ];
}

/** @param {[number, number]} across  @param {[number, number]} down  @returns {[number, number, number, number]} */
function cut([x, width], [y, height]) {
  return [x, y, width, height];
}
