/** The town as a Phaser game: map, people, daylight and camera. */

import { Camera } from "./camera.js";
import { PeopleLayer } from "./people_layer.js";
import { Daylight } from "./daylight.js";
import { FONT } from "./bubble_box.js";
import { TownMap } from "./map.js";
import { PlaceNames } from "./place_names.js";
import { SIZE } from "./person_sprite.js";

const MAX_CLICK_MOVE = 6; // screen pixels; beyond, a press is a drag
const MAX_DENSITY = 2; // device pixels per screen pixel
const MAX_TICK = 500; // milliseconds; a longer gap (a hidden page) counts as this
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i; // WebGL without a graphics card
const MEADOW = "#79b565";

/**
 * Builds the town inside an element.
 * @param {HTMLElement} element
 * @param {{map: string, static: string, personas: Object[]}} page
 * @param {{collisions: boolean}} options  whether to show walls
 * @returns {Promise<Town>}
 */
export async function openTown(element, page, options = {}) {
  await document.fonts.load(`16px ${FONT}`, "😴"); // otherwise the first bubbles use another font
  const map = await TownMap.fetch(page.map, options);
  return new Promise((ready) => new Town(element, page, map, ready));
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

class Town {
  constructor(element, page, map, ready) {
    this.element = element;
    this.page = page;
    this.personas = page.personas ?? [];
    this.map = map;
    this.density = Math.min(MAX_DENSITY, devicePixelRatio);
    this.before = performance.now();
    this.missing = []; // pictures that failed to load
    this.onTick = () => {};
    this.onPick = () => {}; // gets the name of a person that was clicked
    this.onPickTile = () => {}; // gets a tile without a person that was clicked, and the spot in the window
    const town = this;
    const scene = {
      preload() {
        town.#load(this);
      },
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

  get isFollowing() {
    return this.camera.followed !== null;
  }

  /** Follows a persona and the partners it talks with; null stops. @param {function(): string[]} partners */
  choose(name, partners = () => []) {
    this.people.chosen = name;
    const person = this.people.sprites.get(name);
    this.camera.follow(person ? () => this.people.middleOf([name, ...partners()]) : null);
  }

  /** Adds people who came after the page was opened. */
  async add(personas) {
    const { load } = this.scene;
    this.#loadSprites(load, personas);
    const loaded = new Promise((done) => load.once("complete", done));
    load.start();
    await loaded;
    personas.forEach(this.people.add);
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
      backgroundColor: MEADOW,
      banner: false,
      audio: { noAudio: true },
      input: { mouse: false, touch: false, keyboard: false, gamepad: false },
      antialias: true,
      powerPreference: "high-performance",
    };
  }

  #load(scene) {
    const assets = `${this.page.static}assets/`;
    this.#loadSprites(scene.load, this.personas);
    scene.load.on("loaderror", ({ url }) => this.missing.push(url));
    scene.load.image("bubble", `${assets}speech_bubble/bubble.png`);
    scene.load.image("bubble tail", `${assets}speech_bubble/tail.png`);
  }

  #loadSprites(load, personas) {
    const size = { frameWidth: SIZE, frameHeight: SIZE };
    for (const sprite of new Set(personas.map((persona) => persona.sprite)))
      if (!this.game?.textures.exists(`person ${sprite}`))
        load.spritesheet(`person ${sprite}`, `${this.page.static}assets/characters/${sprite}.png`, size);
  }

  #build(scene) {
    this.scene = scene;
    this.map.paint(scene);
    this.people = new PeopleLayer(scene, this.personas, { tile: this.map.tile, density: this.density });
    this.names = new PlaceNames(scene, { tile: this.map.tile, density: this.density });
    this.daylight = new Daylight(scene, this.map);
    this.camera = new Camera(scene, this.map, this.element);
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
    this.map.setZoom(this.view.zoom);
    this.names.setZoom(this.view.zoom);
    this.people.layOut(this.view, passed);
  }

  /** The tile at a point of the view, in device pixels. */
  #tileAt([x, y]) {
    const { zoom, scrollX, scrollY } = this.view;
    return [scrollX + x / zoom, scrollY + y / zoom].map((place) => Math.floor(place / this.map.tile));
  }

  /** A click on a persona follows it; what one on the ground does is up to the page. Dragging ends following. */
  #addListeners() {
    let start = null;
    const positionOf = (event) => {
      const frame = this.element.getBoundingClientRect();
      return [(event.clientX - frame.left) * this.density, (event.clientY - frame.top) * this.density];
    };
    this.element.addEventListener("pointerdown", (event) => {
      start = positionOf(event);
    });
    this.element.addEventListener("click", (event) => {
      if (event.target.closest("button, a, input") || !start) return;
      const end = positionOf(event);
      if (Math.hypot(end[0] - start[0], end[1] - start[1]) > MAX_CLICK_MOVE * this.density) return;
      const cluster = this.people.bubbles.clusterAt(end, this.view);
      const name = this.people.at(end, this.view);
      if (cluster) this.camera.show(cluster.box);
      else if (name) this.onPick(name);
      else this.onPickTile(this.#tileAt(end), [event.clientX, event.clientY]);
    });
  }
}
