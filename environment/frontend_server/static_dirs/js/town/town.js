/** The town on a page: map, people, daylight and camera in one Phaser game. */

import { Camera } from "./camera.js";
import { Cast } from "./cast.js";
import { Daylight } from "./daylight.js";
import { FONT } from "./label.js";
import { TownMap } from "./map.js";
import { SIZE } from "./person.js";

const CLICK = 6; // screen pixels a click may wander
const DENSEST = 2;
const LONGEST = 500; // milliseconds that one frame may count, be it later because a page was hidden
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i; // graphics cards that are none
const MEADOW = "#79b565";

/**
 * Builds the town inside an element.
 * @param {HTMLElement} element
 * @param {{map: string, static: string, personas: Object[]}} page
 * @param {{collisions: boolean}} options  whether walls that stop people are shown
 * @returns {Promise<Town>}
 */
export async function openTown(element, page, options = {}) {
  await document.fonts.load(`16px ${FONT}`, "😴"); // else the first bubbles are drawn with another font
  const map = await TownMap.fetch(page.map, options);
  return new Promise((ready) => new Town(element, page, map, ready));
}

/** WebGL where a graphics card does the work; a processor is quicker with a plain canvas. `?renderer=` decides. */
function renderer() {
  const wish = new URLSearchParams(location.search).get("renderer");
  if (wish === "canvas") return Phaser.CANVAS;
  if (wish === "webgl") return Phaser.WEBGL;
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
    this.density = Math.min(DENSEST, devicePixelRatio);
    this.before = performance.now();
    this.missing = []; // pictures that could not be loaded
    this.onTick = () => {};
    this.onPick = () => {};
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

  /** Follows somebody, or nobody; while they talk, both are looked at. @param {function(): string[]} partners */
  choose(name, partners = () => []) {
    this.cast.chosen = name;
    const person = this.cast.people.get(name);
    this.camera.follow(person ? () => this.cast.middleOf([name, ...partners()]) : null);
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
    for (const sprite of new Set(this.personas.map((persona) => persona.sprite))) {
      const size = { frameWidth: SIZE, frameHeight: SIZE };
      scene.load.spritesheet(`person ${sprite}`, `${assets}characters/${sprite}.png`, size);
    }
    scene.load.on("loaderror", ({ url }) => this.missing.push(url));
    scene.load.image("bubble", `${assets}speech_bubble/bubble.png`);
    scene.load.image("bubble tail", `${assets}speech_bubble/tail.png`);
  }

  #build(scene) {
    this.map.paint(scene);
    this.cast = new Cast(scene, this.personas, { tile: this.map.tile, density: this.density });
    this.daylight = new Daylight(scene, this.map);
    this.camera = new Camera(scene, this.map, this.element);
    this.camera.density = this.density;
    this.camera.overview({ at: "once", zoom: this.camera.filling });
    new ResizeObserver(() => this.#resize()).observe(this.element);
    this.#listen();
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    this.game.scale.resize(width * this.density, height * this.density);
    this.view.setSize(width * this.density, height * this.density);
  }

  #update() {
    const now = performance.now(); // Phaser's own measure is smoothed, and wrong where frames are few
    const passed = Math.min(LONGEST, now - this.before);
    this.before = now;
    this.onTick(passed);
    this.camera.update(passed);
    this.map.suit(this.view.zoom);
    this.cast.suit(this.view, passed);
  }

  /** A click chooses whoever is there; a click beside lets go of nobody: that is what dragging is for. */
  #listen() {
    let start = null;
    const spot = (event) => {
      const frame = this.element.getBoundingClientRect();
      return [(event.clientX - frame.left) * this.density, (event.clientY - frame.top) * this.density];
    };
    this.element.addEventListener("pointerdown", (event) => {
      start = spot(event);
    });
    this.element.addEventListener("click", (event) => {
      if (event.target.closest("button, a, input") || !start) return;
      const end = spot(event);
      if (Math.hypot(end[0] - start[0], end[1] - start[1]) > CLICK * this.density) return;
      const name = this.cast.at(end, this.view);
      if (name) this.onPick(name);
    });
  }
}
