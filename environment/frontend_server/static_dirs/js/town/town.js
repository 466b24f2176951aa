/** The town as a Phaser game: map, people, daylight and camera. */

import { Camera } from "./camera.js";
import { FACE_ZOOM, PeopleLayer } from "./people_layer.js";
import { Daylight } from "./daylight.js";
import { PlaceNames } from "./map/place_names.js";
import { SIZE } from "./person_figure.js";
import { Progress } from "./progress.js";
import { Supplies } from "./supplies.js";
import { isControl } from "../dom.js";
import { retry } from "../server.js";
/** @import { Tile } from "../acting/places.js" */
/** @import { Page, Persona } from "../dom.js" */
/** @import { Point } from "./camera.js" */

const OBJECT_ZOOM = 1.5; // lowest zoom at which an object is shown, in screen pixels
const MAX_CLICK_MOVE = 6; // screen pixels; beyond, a press is a drag
const MAX_DENSITY = 2; // device pixels per screen pixel
const MAX_TICK = 500; // milliseconds; a longer gap (a hidden page) counts as this
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i; // WebGL without a graphics card

/**
 * @typedef {{collisions?: boolean, onTrouble?: (text: string) => void, twin?: ?Town}} TownOptions  whether to show walls; gets
 *   an error, and "" once it is over; a town on the same page, which keeps the keys, and whose map is not painted twice
 */

/**
 * Builds the town inside an element: as soon as people can be shown on a small picture of the map. The map itself
 * follows (`town.painted`); without a picture it is waited for. What cannot be loaded is asked for again.
 * @param {HTMLElement} element
 * @param {Page} page  @param {TownOptions} options
 * @returns {Promise<Town>}
 */
export async function openTown(element, page, { collisions = false, onTrouble = () => {}, twin = null } = {}) {
  const progress = new Progress(element);
  const supplies = new Supplies(page, { collisions, progress });
  await retry(() => supplies.load(), onTrouble);
  const small = await supplies.smallPicture(element);
  /** @type {Town} */
  const town = await new Promise((ready) => new Town(element, page, supplies, { ready, hasKeys: !twin }));
  if (small) {
    town.map.showSmall(town.scene, small);
    progress.becomeThin();
  }
  const paint = twin?.map.url === town.map.url ? () => town.map.copy(town.scene, twin, progress) : () => town.map.paint(town.scene, progress);
  town.painted = retry(paint, onTrouble).then(() => progress.end());
  if (!small) await town.painted;
  return town;
}

/** Chooses WebGL with a graphics card, else canvas, which is faster on a processor. `?renderer=` overrides. */
function renderer() {
  const requested = new URLSearchParams(location.search).get("renderer");
  if (requested === "canvas") return Phaser.CANVAS;
  if (requested === "webgl") return Phaser.WEBGL;
  const probe = document.createElement("canvas").getContext("webgl", { failIfMajorPerformanceCaveat: true });
  const named = probe?.getExtension("WEBGL_debug_renderer_info");
  const card = probe?.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : probe.RENDERER) ?? "";
  probe?.getExtension("WEBGL_lose_context")?.loseContext();
  return probe && !SOFTWARE.test(card) ? Phaser.AUTO : Phaser.CANVAS;
}

export class Town {
  /**
   * @param {HTMLElement} element  @param {Page} page  @param {Supplies} supplies
   * @param {{ready: (town: Town) => void, hasKeys: boolean}} options
   */
  constructor(element, page, supplies, { ready, hasKeys }) {
    this.hasKeys = hasKeys;
    this.element = element;
    this.personas = page.personas ?? [];
    this.supplies = supplies;
    this.map = supplies.map;
    this.density = Math.min(MAX_DENSITY, devicePixelRatio);
    this.before = performance.now();
    /** @type {Promise<void>} */
    this.painted = Promise.resolve(); // once the map is
    /** @type {(passed: number) => void} */
    this.onTick = () => {};
    /** @type {(name: string) => void} */
    this.onPick = () => {}; // gets the name of a person that was clicked
    /** @type {(tile: Tile, spot: Point) => void} */
    this.onPickTile = () => {}; // gets a tile without a person that was clicked, and the spot in the window
    const town = this;
    const scene = {
      /** @this {Phaser.Scene} */
      create() {
        town.#build(this);
        ready(town);
      },
      update() {
        town.#update();
      },
    };
    this.game = new Phaser.Game({ ...this.#config(), scene });
  }

  get view() {
    return this.camera.view;
  }

  /** Addresses of pictures that the server does not have. */
  get missing() {
    return this.supplies.missing;
  }

  get isFollowing() {
    return this.camera.followed !== null;
  }

  /**
   * Follows a persona and the partners it talks with; null stops.
   * @param {?string} name  @param {() => string[]} partners
   */
  choose(name, partners = () => []) {
    this.people.chosen = name;
    const person = this.people.sprites.get(name);
    this.camera.follow(person ? () => this.people.middleOf([name, ...partners()]) : null);
  }

  /**
   * Shows an object from near, and follows no one.
   * @param {{tiles: Tile[]}} object  @returns {Point} where it is, in town pixels
   */
  showObject({ tiles: [[x, y]] }) {
    const { camera, map } = this;
    camera.follow(null);
    /** @type {Point} */
    const spot = [(x + 0.5) * map.tile, (y + 0.5) * map.tile];
    camera.look(...spot, { zoom: Math.max(camera.targetZoom, OBJECT_ZOOM * this.density) });
    return spot;
  }

  /** Adds people who came after the page was opened. @param {Persona[]} personas */
  async add(personas) {
    await this.supplies.loadSprites(personas);
    this.#addTextures();
    personas.forEach(this.people.add);
  }

  /** Colour around the map, of the page's theme. */
  get #meadow() {
    return getComputedStyle(this.element).backgroundColor;
  }

  #config() {
    const { clientWidth: width, clientHeight: height } = this.element;
    return {
      type: renderer(),
      parent: this.element,
      scale: {
        mode: Phaser.Scale.NONE,
        width: width * this.density,
        height: height * this.density,
        zoom: 1 / this.density,
      },
      backgroundColor: this.#meadow,
      banner: false,
      audio: { noAudio: true },
      input: { mouse: false, touch: false, keyboard: false, gamepad: false },
      antialias: true,
      powerPreference: "high-performance",
    };
  }

  /** Gives Phaser the pictures that it does not have yet. */
  #addTextures() {
    const { textures } = this.scene;
    for (const [name, picture] of this.supplies.pictures) {
      if (textures.exists(name)) continue;
      if (name.startsWith("person ")) textures.addSpriteSheet(name, picture, { frameWidth: SIZE, frameHeight: SIZE });
      else textures.addImage(name, picture);
    }
  }

  /** Whether a sheet of a person's pictures is there; if not, it is asked for. @param {string} sprite */
  #hasSheet(sprite) {
    if (this.scene.textures.exists(`person ${sprite}`)) return true;
    this.supplies.askForSprite(sprite).then((hasArrived) => hasArrived && this.#addTextures());
    return false;
  }

  /** @param {Phaser.Scene} scene */
  #build(scene) {
    this.scene = scene;
    this.#addTextures();
    this.people = new PeopleLayer(scene, this.personas, { tile: this.map.tile, density: this.density, hasSheet: (sprite) => this.#hasSheet(sprite) });
    this.names = new PlaceNames(scene, { tile: this.map.tile, density: this.density });
    this.daylight = new Daylight(scene, this.map);
    document.addEventListener("ville:theme", () => scene.cameras.main.setBackgroundColor(this.#meadow));
    this.camera = new Camera(scene, this.map, this.element, { hasKeys: this.hasKeys });
    this.camera.density = this.density;
    this.camera.overview({ at: "once", zoom: this.camera.fillZoom });
    new ResizeObserver(() => this.#resize()).observe(this.element);
    this.#addListeners();
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    this.game.scale.resize(width * this.density, height * this.density);
    this.view.setSize(width * this.density, height * this.density);
  }

  #update() {
    const now = performance.now(); // Phaser's delta is smoothed, and wrong at low frame rates
    const passed = Math.min(MAX_TICK, now - this.before);
    this.before = now;
    this.onTick(passed);
    this.camera.update(passed);
    this.map.setView(this.view);
    this.names.setView(this.view);
    this.people.layOut(this.view, passed);
  }

  /** The tile at a point of the view, in device pixels. @param {Point} point  @returns {Tile} */
  #tileAt([x, y]) {
    const { zoom, scrollX, scrollY } = this.view;
    const across = Math.floor((scrollX + x / zoom) / this.map.tile);
    return [across, Math.floor((scrollY + y / zoom) / this.map.tile)];
  }

  /** A click on a persona follows it; what one on the ground does is up to the page. Dragging ends following. */
  #addListeners() {
    /** @type {?Point} */
    let start = null;
    /** @param {MouseEvent} event  @returns {Point} */
    const positionOf = (event) => {
      const frame = this.element.getBoundingClientRect();
      return [(event.clientX - frame.left) * this.density, (event.clientY - frame.top) * this.density];
    };
    this.element.addEventListener("pointerdown", (event) => {
      start = positionOf(event);
    });
    this.element.addEventListener("click", (event) => {
      if (isControl(event.target) || !start) return;
      const end = positionOf(event);
      if (Math.hypot(end[0] - start[0], end[1] - start[1]) > MAX_CLICK_MOVE * this.density) return;
      const crowd = this.people.crowdAt(end, this.view);
      const name = this.people.at(end, this.view);
      if (crowd) this.camera.show(crowd.box, { least: crowd.isFar ? FACE_ZOOM : undefined });
      else if (name) this.onPick(name);
      else this.onPickTile(this.#tileAt(end), [event.clientX, event.clientY]);
    });
  }
}
