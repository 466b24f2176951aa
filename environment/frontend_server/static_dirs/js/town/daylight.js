/** Day and night: a blue, dim overlay in the dark, with a light around everyone who is awake. */

import { DEPTH } from "./map/map.js";
import { paintSky, skyAt } from "./sky.js";
/** @import { Tile } from "../acting/places.js" */

export class Daylight {
  /** @param {Phaser.Scene} scene  @param {{columns: number, rows: number, tile: number}} map */
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
    if (!isDay && wanted !== this.painted) {
      paintSky(this.texture.getContext(), this.map, sky, lamps);
      this.texture.refresh();
    }
    this.painted = wanted;
  }
}
