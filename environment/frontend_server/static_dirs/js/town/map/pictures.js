/** Pictures of the town, as canvases that Phaser can use as textures. */

import { getBlob } from "../../server.js";

/** @param {string} url  @returns {Promise<HTMLCanvasElement>} rejected with Unreachable or Refused */
export async function loadPicture(url) {
  const bitmap = await createImageBitmap(await getBlob(url));
  const canvas = newCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas;
}

/** @param {number} width  @param {number} height */
export function newCanvas(width, height) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  return canvas;
}
