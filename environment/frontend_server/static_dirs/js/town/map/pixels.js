/**
 * Paints tiles pixel by pixel, which is faster than fifty thousand calls of a canvas. A picture is a Uint32Array with
 * one number per pixel (alpha in the highest byte, as in ImageData). Pure functions.
 */

const CLEAR = 0;
const SOLID = 255;

/** @typedef {{width: number, height: number, pixels: Uint32Array}} Picture */

/**
 * Cuts a tile out of a picture and flips it as Tiled does: diagonally, then across and down.
 * @param {Picture} picture  @param {{x: number, y: number, width: number, height: number}} rect
 * @param {{across: boolean, down: boolean, diagonal: boolean, opacity?: number}} flips  @returns {Picture}
 */
export function cutTile(picture, { x, y, width, height }, { across, down, diagonal, opacity = 1 }) {
  const size = diagonal ? { width: height, height: width } : { width, height };
  const pixels = new Uint32Array(width * height);
  for (let row = 0; row < size.height; row += 1) {
    for (let column = 0; column < size.width; column += 1) {
      const turnedX = across ? size.width - 1 - column : column;
      const turnedY = down ? size.height - 1 - row : row;
      const [fromX, fromY] = diagonal ? [turnedY, turnedX] : [turnedX, turnedY];
      const pixel = picture.pixels[(y + fromY) * picture.width + x + fromX];
      pixels[row * size.width + column] = opacity < 1 ? fade(pixel, opacity) : pixel;
    }
  }
  return { ...size, pixels };
}

/**
 * Paints a tile onto a picture, clipped at its edges.
 * @param {Picture} picture  @param {Picture} tile  @param {number} left  @param {number} top
 */
export function paintTile(picture, tile, left, top) {
  const firstColumn = Math.max(0, -left);
  const lastColumn = Math.min(tile.width, picture.width - left);
  const lastRow = Math.min(tile.height, picture.height - top);
  for (let row = Math.max(0, -top); row < lastRow; row += 1) {
    let to = (top + row) * picture.width + left + firstColumn;
    let from = row * tile.width + firstColumn;
    for (let column = firstColumn; column < lastColumn; column += 1, to += 1, from += 1) {
      const pixel = tile.pixels[from];
      const alpha = pixel >>> 24;
      if (alpha === SOLID) picture.pixels[to] = pixel;
      else if (alpha !== CLEAR) picture.pixels[to] = blend(pixel, picture.pixels[to]);
    }
  }
}

/**
 * A picture at half its size: four pixels become their mean, each counting as much as it covers.
 * @param {Picture} picture  with even sides  @returns {Picture}
 */
export function halved({ width, height, pixels }) {
  const half = { width: width / 2, height: height / 2, pixels: new Uint32Array((width * height) / 4) };
  for (let row = 0; row < half.height; row += 1)
    for (let column = 0; column < half.width; column += 1) {
      const first = 2 * row * width + 2 * column;
      half.pixels[row * half.width + column] = meanOf(pixels[first], pixels[first + 1], pixels[first + width], pixels[first + width + 1]);
    }
  return half;
}

/** The mean of four colours, each counting as much as it covers. @param {number[]} colours */
function meanOf(...colours) {
  let [cover, red, green, blue] = [0, 0, 0, 0];
  for (const colour of colours) {
    const alpha = colour >>> 24;
    cover += alpha;
    red += alpha * (colour & SOLID);
    green += alpha * ((colour >>> 8) & SOLID);
    blue += alpha * ((colour >>> 16) & SOLID);
  }
  if (!cover) return CLEAR;
  const part = (/** @type {number} */ sum) => Math.round(sum / cover);
  return (part(red) | (part(green) << 8) | (part(blue) << 16) | (Math.round(cover / 4) << 24)) >>> 0;
}

/** Blends a colour over another; both have alpha. @param {number} upper  @param {number} lower */
export function blend(upper, lower) {
  const cover = upper >>> 24;
  const rest = ((lower >>> 24) * (SOLID - cover)) / SOLID;
  const alpha = cover + rest;
  const red = ((upper & SOLID) * cover + (lower & SOLID) * rest) / alpha;
  const green = (((upper >>> 8) & SOLID) * cover + ((lower >>> 8) & SOLID) * rest) / alpha;
  const blue = (((upper >>> 16) & SOLID) * cover + ((lower >>> 16) & SOLID) * rest) / alpha;
  return ((red + 0.5) | ((green + 0.5) << 8) | ((blue + 0.5) << 16) | ((alpha + 0.5) << 24)) >>> 0;
}

/** @param {number} pixel  @param {number} opacity */
function fade(pixel, opacity) {
  return ((pixel & 0xffffff) | (Math.round((pixel >>> 24) * opacity) << 24)) >>> 0;
}
