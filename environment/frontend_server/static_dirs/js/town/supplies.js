/** What a town needs before it can be shown: Phaser, the map without its pictures, and those of people and bubbles. */

import { Refused, Unreachable } from "../server.js";
import { FONT } from "./bubbles/bubble_box.js";
import { LargeMap } from "./map/large_map.js";
import { TownMap } from "./map/map.js";
import { loadPicture } from "./map/pictures.js";
import { MOST_WHOLE } from "./people_layer.js";
import { gettext } from "../translation.js";
/** @import { Page, Persona } from "../dom.js" */
/** @import { Progress } from "./progress.js" */

const PHASER_WEIGHT = 10; // of the progress; a picture's is 1
const MAP_WEIGHT = 3;
const NOT_FOUND = 404;
const AT_ONCE = 6; // sheets that load while the town is watched: frames and pieces of the map need the line too
const PAUSE = 3000; // milliseconds before a sheet that failed is asked for again

export class Supplies {
  /** @param {Page} page  @param {{collisions: boolean, progress: Progress}} options */
  constructor(page, { collisions, progress }) {
    this.page = page;
    this.collisions = collisions;
    this.progress = progress;
    /** @type {?(TownMap|LargeMap)} */
    this.map = null;
    /** @type {Map<string, HTMLCanvasElement>} */
    this.pictures = new Map(); // by texture
    /** @type {string[]} */
    this.missing = []; // addresses of pictures that the server does not have
    this.loading = 0; // sheets that were asked for
    /** @type {Set<string>} */
    this.resting = new Set(); // sheets that are not to be asked for now
    this.arrived = new Map(); // what was loaded before another part failed
  }

  /** Loads everything at the same time. Can be repeated after a failure: what has arrived is not asked for again. */
  async load() {
    const { page } = this;
    [, this.map] = await Promise.all([
      this.#once("phaser", () => loadPhaser(page.static), PHASER_WEIGHT),
      this.#once("map", () => this.#fetchMap(), MAP_WEIGHT),
      this.loadSprites(isLarge(page) ? [] : page.personas),
      this.#loadPicture("bubble", "speech_bubble/bubble.png"),
      this.#loadPicture("bubble tail", "speech_bubble/tail.png"),
      document.fonts.load(`16px ${FONT}`, "😴"), // otherwise the first bubbles use another font
    ]);
  }

  /** Of a large map, only its size is needed, which the page knows. @returns {Promise<TownMap|LargeMap>} */
  async #fetchMap() {
    const { page, collisions } = this;
    return page.large ? new LargeMap(page.map, page.large, { collisions }) : TownMap.fetch(page.map, { collisions });
  }

  /**
   * Loads a sheet of a person's pictures, a few at a time: of those who are asked for once more while others load, the
   * next one. Never fails; what cannot be loaded may be asked for again after a while.
   * @param {string} sprite  @returns {Promise<boolean>} whether it has arrived now
   */
  async askForSprite(sprite) {
    if (this.loading >= AT_ONCE || this.resting.has(sprite)) return false;
    this.loading += 1;
    this.resting.add(sprite);
    try {
      await this.#loadPicture(`person ${sprite}`, `characters/${sprite}.png`);
      return true;
    } catch {
      setTimeout(() => this.resting.delete(sprite), PAUSE);
      return false;
    } finally {
      this.loading -= 1;
    }
  }

  /** @param {Persona[]} personas */
  loadSprites(personas = []) {
    const names = [...new Set(personas.map(({ sprite }) => sprite))];
    return Promise.all(names.map((sprite) => this.#loadPicture(`person ${sprite}`, `characters/${sprite}.png`)));
  }

  /**
   * Returns the small picture of the map from the page, or null if there is none.
   * @param {HTMLElement} element  @returns {Promise<?HTMLImageElement>}
   */
  async smallPicture(element) {
    const picture = /** @type {?HTMLImageElement} */ (element.querySelector("[data-part=picture]"));
    if (!picture || this.collisions) return null;
    try {
      await picture.decode();
      return picture;
    } catch {
      return null;
    }
  }

  /** @param {string} texture  @param {string} file */
  #loadPicture(texture, file) {
    return this.#once(texture, async () => {
      const url = `${this.page.static}assets/${file}`;
      try {
        this.pictures.set(texture, await loadPicture(url));
      } catch (fault) {
        if (fault instanceof Refused) this.missing.push(url);
        else throw fault;
      }
    });
  }

  /** @template T
   * @param {string} key  @param {() => Promise<T>} load  @param {number} weight  @returns {Promise<T>} */
  #once(key, load, weight = 1) {
    if (!this.arrived.has(key)) {
      const loading = this.progress.count(load(), weight);
      this.arrived.set(key, loading);
      loading.catch(() => this.arrived.delete(key));
    }
    return this.arrived.get(key);
  }
}

/** Whether faces are loaded only of those who are seen from near. @param {Page} page */
function isLarge({ personas = [] }) {
  return personas.length > MOST_WHOLE;
}

/**
 * Loads Phaser, at the same time as everything else.
 * @param {string} folder address of the static files
 * @returns {Promise<unknown>} rejected with Unreachable or Refused
 */
function loadPhaser(folder) {
  if (globalThis.Phaser) return Promise.resolve();
  const url = `${folder}vendor/phaser/phaser.min.js`;
  return new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = url;
    script.dataset.retried = "true"; // by the caller, not by loading_guard.js
    script.addEventListener("load", done);
    script.addEventListener("error", () => {
      script.remove();
      whyMissing(url).then(fail);
    });
    document.head.append(script);
  });
}

/** Why a script did not load, which its event does not tell: whether the server has it. @param {string} url */
async function whyMissing(url) {
  const response = await fetch(url, { method: "HEAD" }).catch(/** @returns {null} */ () => null);
  if (response?.status !== NOT_FOUND) return new Unreachable(url);
  const how = gettext("Phaser, the library that draws it, is missing. To get it, type in environment/frontend_server: python vendor.py.");
  return new Refused(NOT_FOUND, how);
}
