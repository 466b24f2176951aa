/** Day and night: a blue, dim overlay in the dark, with a light around everyone who is awake. */

import { DEPTH } from "./map/map.js";
/** @import { Tile } from "../acting/places.js" */
/** @import { TownMap } from "./map/map.js" */

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

/** Returns the colour [r, g, b] of the light at an hour; white by day. Pure. @param {number} hour */
export function skyAt(hour) {
  const next = SKY.findIndex(([from]) => from > hour);
  const [from, first] = SKY[next - 1];
  const [to, second] = SKY[next];
  const share = (hour - from) / (to - from);
  return first.map((part, channel) => Math.round(part + (second[channel] - part) * share));
}

export class Daylight {
  /** @param {Phaser.Scene} scene  @param {TownMap} map */
  constructor(scene, map) {
    this.map = map;
    this.texture = scene.textures.createCanvas("daylight", map.columns, map.rows);
    this.texture.setFilter(Phaser.Textures.FilterMode.LINEAR);
    this.image = scene.add.image(0, 0, "daylight").setOrigin(0).setScale(map.tile).setDepth(DEPTH.light);
    this.image.setBlendMode(Phaser.BlendModes.MULTIPLY).setVisible(false);
    this.painted = "";
    // Phaser tests the canvas for this, but a game may start before the test has ended, and would have no nights.
    if ("blendModes" in scene.renderer) /** @type {unknown[]} */ (scene.renderer.blendModes)[Phaser.BlendModes.MULTIPLY] = "multiply";
  }

  /** @param {number} hour of the day  @param {Tile[]} lamps  tiles of people who are awake */
  show(hour, lamps) {
    const sky = skyAt(hour);
    const isDay = sky.every((part) => part === 255);
    this.image.setVisible(!isDay);
    const wanted = isDay ? "day" : JSON.stringify([sky, lamps]);
    if (!isDay && wanted !== this.painted) this.#paint(sky, lamps);
    this.painted = wanted;
  }

  /** @param {number[]} sky  @param {Tile[]} lamps */
  #paint(sky, lamps) {
    const brush = this.texture.getContext();
    brush.globalCompositeOperation = "source-over";
    brush.fillStyle = `rgb(${sky.join(" ")})`;
    brush.fillRect(0, 0, this.map.columns, this.map.rows);
    brush.globalCompositeOperation = "lighten";
    const dark = 1 - Math.min(...sky) / 255;
    const lamp = LAMP.map((part, channel) => sky[channel] + (part - sky[channel]) * Math.min(1, 1.6 * dark));
    for (const [x, y] of lamps) this.#light(brush, x + 0.5, y + 0.5, { lamp, sky });
    this.texture.refresh();
  }

  /**
   * @param {CanvasRenderingContext2D} brush  @param {number} x  @param {number} y
   * @param {{lamp: number[], sky: number[]}} colours
   */
  #light(brush, x, y, { lamp, sky }) {
    const glow = brush.createRadialGradient(x, y, 0.5, x, y, LAMP_RADIUS);
    glow.addColorStop(0, `rgb(${lamp.join(" ")})`);
    glow.addColorStop(1, `rgb(${sky.join(" ")})`);
    brush.fillStyle = glow;
    brush.fillRect(x - LAMP_RADIUS, y - LAMP_RADIUS, 2 * LAMP_RADIUS, 2 * LAMP_RADIUS);
  }
}
