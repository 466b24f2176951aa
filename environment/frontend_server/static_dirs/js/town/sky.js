/** The light of the sky by the hour, and how the town is painted in it. */

/** @import { Tile } from "../acting/places.js" */

/**
 * Hour of the day and the colour that the town is multiplied with; interpolated in between.
 * @type {Array<[number, [number, number, number]]>}
 */
const SKY = [
  [0, [86, 98, 158]],
  [4.5, [86, 98, 158]],
  [6, [166, 154, 186]],
  [7, [255, 226, 204]],
  [8.5, [255, 255, 255]],
  [16.5, [255, 255, 255]],
  [18.5, [255, 222, 184]],
  [20, [190, 160, 184]],
  [21.5, [104, 112, 168]],
  [24, [86, 98, 158]],
];
const LAMP = [255, 226, 172];
const LAMP_RADIUS = 4.5; // tiles
const REACH = 4; // whole tiles around a lamp that it lights

/** Returns the colour [r, g, b] of the light at an hour; white by day. Pure. @param {number} hour */
export function skyAt(hour) {
  const next = SKY.findIndex(([from]) => from > hour);
  const [from, first] = SKY[next - 1];
  const [to, second] = SKY[next];
  const share = (hour - from) / (to - from);
  return first.map((part, channel) => Math.round(part + (second[channel] - part) * share));
}

/**
 * Paints what the town is multiplied with, a pixel for each tile: the light of the sky, and lamps around people.
 * @param {CanvasRenderingContext2D} brush  @param {{columns: number, rows: number}} size
 * @param {number[]} sky  @param {Tile[]} lamps  tiles of people who are awake
 */
export function paintSky(brush, { columns, rows }, sky, lamps) {
  brush.globalCompositeOperation = "source-over";
  brush.fillStyle = `rgb(${sky.join(" ")})`;
  brush.fillRect(0, 0, columns, rows);
  brush.globalCompositeOperation = "lighten";
  const dark = 1 - Math.min(...sky) / 255;
  const lamp = LAMP.map((part, channel) => sky[channel] + (part - sky[channel]) * Math.min(1, 1.6 * dark));
  if (!lamps.length) return;
  const light = lightOf({ lamp, sky });
  for (const [x, y] of lamps) brush.drawImage(light, x - REACH, y - REACH);
}

/**
 * The light of a lamp, painted once for all of them.
 * @param {{lamp: number[], sky: number[]}} colours
 */
function lightOf({ lamp, sky }) {
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * REACH + 1, height: 2 * REACH + 1 });
  const brush = canvas.getContext("2d");
  const middle = REACH + 0.5;
  const glow = brush.createRadialGradient(middle, middle, 0.5, middle, middle, LAMP_RADIUS);
  glow.addColorStop(0, `rgb(${lamp.join(" ")})`);
  glow.addColorStop(1, `rgb(${sky.join(" ")})`);
  brush.fillStyle = glow;
  brush.fillRect(0, 0, canvas.width, canvas.height);
  return canvas;
}
