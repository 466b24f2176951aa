/** A small picture of the whole town, while only a part of it is in view: what is seen, and where everyone is. */

import { element } from "../dom.js";
import { COLOURS } from "./dot_layer.js";
/** @import { PersonSprite } from "./person_sprite.js" */
/** @import { Town } from "./town.js" */

const WIDTH = 184; // screen pixels
const SHOWN_BELOW = 0.55; // share of the town in view; with more, a small picture is of no use
const INTERVAL = 120; // milliseconds between changes
const DOT = 2.8;
const SMALL_DOT = 1.1; // of a large town
const DENSITY = 2; // pixels per screen pixel
const VEIL = "rgb(255 250 240 / 22%)"; // over the picture, so that people stand out
const FRAME = "#ffffff";

export class Minimap {
  /** @param {HTMLElement} box of the town  @param {Town} town */
  constructor(box, town) {
    this.town = town;
    this.since = INTERVAL;
    const height = Math.round((WIDTH * town.map.height) / town.map.width);
    this.canvas = element("canvas", { class: "minimap", "data-part": "minimap", hidden: true, "aria-hidden": "true" });
    [this.canvas.width, this.canvas.height] = [WIDTH * DENSITY, height * DENSITY];
    Object.assign(this.canvas.style, { width: `${WIDTH}px`, height: `${height}px` });
    this.context = this.canvas.getContext("2d");
    this.scale = this.canvas.width / town.map.width;
    this.picture = null;
    this.#addListeners();
    box.append(this.canvas);
  }

  /** Shows the present view. Called on every tick. @param {number} passed  @param {Set<string>} talking names */
  update(passed, talking) {
    this.since += passed;
    if (this.since < INTERVAL) return;
    this.since = 0;
    const { view, map } = this.town;
    const share = Math.min(1, view.width / view.zoom / map.width) * Math.min(1, view.height / view.zoom / map.height);
    if (share < SHOWN_BELOW) this.picture ??= this.#paintPicture();
    this.canvas.hidden = share >= SHOWN_BELOW || !this.picture;
    if (this.canvas.hidden) return;
    this.context.drawImage(this.picture, 0, 0);
    this.#drawPeople(talking);
    this.#drawFrame();
  }

  /** @param {Set<string>} talking */
  #drawPeople(talking) {
    const { people } = this.town;
    /** @type {Record<"person"|"talking"|"chosen", PersonSprite[]>} */
    const kinds = { person: [], talking: [], chosen: [] };
    for (const person of people.sprites.values())
      if (person.place) kinds[person.name === people.chosen ? "chosen" : talking.has(person.name) ? "talking" : "person"].push(person);
    for (const kind of /** @type {const} */ (["person", "talking", "chosen"])) this.#drawDots(kinds[kind], kind);
  }

  /** Many people are smaller dots. @param {PersonSprite[]} people  @param {"person"|"talking"|"chosen"} kind */
  #drawDots(people, kind) {
    const { context, scale } = this;
    const isChosen = kind === "chosen";
    const isWhole = this.town.people.isWhole || isChosen;
    const radius = (isWhole ? DOT : SMALL_DOT) * DENSITY * (isChosen ? 1.5 : 1);
    Object.assign(context, { fillStyle: COLOURS[kind], strokeStyle: COLOURS.edge, lineWidth: isWhole ? DENSITY : DENSITY / 2 });
    for (const group of isWhole ? people.map((person) => [person]) : [people]) {
      context.beginPath();
      for (const { middle: [x, y] } of group) {
        context.moveTo(x * scale + radius, y * scale);
        context.arc(x * scale, y * scale, radius, 0, 2 * Math.PI);
      }
      context.fill();
      context.stroke();
    }
  }

  #drawFrame() {
    const { context, scale } = this;
    const { scrollX, scrollY, width, height, zoom } = this.town.view;
    const [left, top, across, down] = [scrollX, scrollY, width / zoom, height / zoom].map((part) => Math.round(part * scale));
    for (const [colour, thick] of /** @type {Array<[string, number]>} */ ([[COLOURS.edge, 3.5], [FRAME, 1.75]])) {
      context.strokeStyle = colour;
      context.lineWidth = thick * DENSITY;
      context.strokeRect(left, top, across, down);
    }
  }

  /** Scales the painted map down; null until it is painted. */
  #paintPicture() {
    const picture = element("canvas");
    [picture.width, picture.height] = [this.canvas.width, this.canvas.height];
    const context = picture.getContext("2d");
    context.imageSmoothingQuality = "high";
    if (!this.town.map.drawSmall(context, this.scale)) return null;
    context.fillStyle = VEIL;
    context.fillRect(0, 0, picture.width, picture.height);
    return picture;
  }

  /** A click goes there; so does dragging. */
  #addListeners() {
    const { canvas } = this;
    const go = (/** @type {MouseEvent} */ event) => {
      const frame = canvas.getBoundingClientRect();
      const [x, y] = [(event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height];
      this.town.camera.follow(null);
      this.town.camera.look(x * this.town.map.width, y * this.town.map.height);
    };
    canvas.addEventListener("pointerdown", (event) => {
      event.stopPropagation(); // the town would be dragged
      canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    canvas.addEventListener("pointermove", (event) => canvas.hasPointerCapture(event.pointerId) && go(event));
    canvas.addEventListener("click", (event) => event.stopPropagation());
  }
}
