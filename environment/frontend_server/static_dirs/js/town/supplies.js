/** What a town needs before it can be shown: Phaser, the map without its pictures, and those of people and bubbles. */

import { Refused, Unreachable } from "../server.js";
import { FONT } from "./bubbles/bubble_box.js";
import { TownMap } from "./map/map.js";
import { loadPicture } from "./map/pictures.js";
import { gettext } from "../translation.js";
/** @import { Page, Persona } from "../dom.js" */
/** @import { Progress } from "./progress.js" */

const PHASER_WEIGHT = 10; // of the progress; a picture's is 1
const MAP_WEIGHT = 3;
const NOT_FOUND = 404;

export class Supplies {
  /** @param {Page} page  @param {{collisions: boolean, progress: Progress}} options */
  constructor(page, { collisions, progress }) {
    this.page = page;
    this.collisions = collisions;
    this.progress = progress;
    /** @type {?TownMap} */
    this.map = null;
    /** @type {Map<string, HTMLCanvasElement>} */
    this.pictures = new Map(); // by texture
    /** @type {string[]} */
    this.missing = []; // addresses of pictures that the server does not have
    this.arrived = new Map(); // what was loaded before another part failed
  }

  /** Loads everything at the same time. Can be repeated after a failure: what has arrived is not asked for again. */
  async load() {
    const { page, collisions } = this;
    [, this.map] = await Promise.all([
      this.#once("phaser", () => loadPhaser(page.static), PHASER_WEIGHT),
      this.#once("map", () => TownMap.fetch(page.map, { collisions }), MAP_WEIGHT),
      this.loadSprites(page.personas ?? []),
      this.#loadPicture("bubble", "speech_bubble/bubble.png"),
      this.#loadPicture("bubble tail", "speech_bubble/tail.png"),
      document.fonts.load(`16px ${FONT}`, "😴"), // otherwise the first bubbles use another font
    ]);
  }

  /** @param {Persona[]} personas */
  loadSprites(personas) {
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
