/** Puts a look together, part by part. The server draws it, with what draws everyone else. */

import { newId } from "../acting/engine.js";
import { get, retry } from "../server.js";

/**
 * @typedef {{skin: string, eyes: string, build: string, worn: Record<string, string>, hair: {cut: string, colour: string},
 *   face: {beard: ?string}, clothes: {top: string, bottom: string, fit: string, details: Record<string, string>}}} Look  an
 *   entry of a looks file; it has parts that cannot be chosen here, too
 * @typedef {HTMLInputElement|HTMLSelectElement} Choice
 */

const ACCENT = "red"; // of details, until another colour is chosen

/** Where a look has what can be chosen. @type {Record<string, (look: Look) => string>} */
const FOUND = {
  skin: ({ skin }) => skin,
  hair: ({ hair }) => hair.colour,
  cut: ({ hair }) => hair.cut,
  beard: ({ face }) => face.beard ?? "",
  fit: ({ clothes }) => clothes.fit,
  top: ({ clothes }) => clothes.top,
  bottom: ({ clothes }) => clothes.bottom,
  detail: ({ clothes }) => Object.keys(clothes.details)[0] ?? "",
  thing: ({ worn }) => Object.keys(worn)[0] ?? "",
  accent: ({ clothes, worn }) => Object.values(clothes.details)[0] ?? Object.values(worn)[0] ?? ACCENT,
};

/** A look with another choice. @type {Record<string, (look: Look, value: string) => Look>} */
const CHANGED = {
  skin: (look, skin) => ({ ...look, skin }),
  hair: (look, colour) => ({ ...look, hair: { ...look.hair, colour } }),
  cut: (look, cut) => ({ ...look, hair: { ...look.hair, cut } }),
  beard: (look, beard) => ({ ...look, face: { ...look.face, beard: beard || null } }),
  fit: (look, fit) => ({ ...look, clothes: { ...look.clothes, fit } }),
  top: (look, top) => ({ ...look, clothes: { ...look.clothes, top } }),
  bottom: (look, bottom) => ({ ...look, clothes: { ...look.clothes, bottom } }),
  detail: (look, detail) => ({ ...look, clothes: { ...look.clothes, details: coloured(detail, FOUND.accent(look)) } }),
  thing: (look, thing) => ({ ...look, worn: coloured(thing, FOUND.accent(look)) }),
  accent: (look, colour) => ({
    ...look,
    worn: coloured(FOUND.thing(look), colour),
    clothes: { ...look.clothes, details: coloured(FOUND.detail(look), colour) },
  }),
};

/** @param {string} thing  @param {string} colour  @returns {Record<string, string>} */
const coloured = (thing, colour) => (thing ? { [thing]: colour } : {});

export class LookMaker {
  /** @param {HTMLElement} box  @param {number} number  of the person: groups of radio buttons need names of their own */
  constructor(box, number) {
    this.picture = /** @type {HTMLImageElement} */ (box.querySelector("[data-part=drawn]"));
    this.choices = /** @type {Choice[]} */ ([...box.querySelectorAll("[data-choice]")]);
    /** @type {?Look} */
    this.look = null; // until the server has made one up
    for (const choice of this.choices) if (choice.type === "radio") choice.name = `${choice.dataset.choice}-${number}`;
    box.addEventListener("change", (event) => this.#choose(/** @type {Choice} */ (event.target)));
    box.querySelector("[data-part=other-look]").addEventListener("click", () => this.another());
  }

  /** Makes up another look, whose parts go together. */
  async another() {
    this.look = await retry(
      () => get(`/generated_look/?like=${newId()}`),
      () => {},
    );
    this.#show();
  }

  /** @param {Choice} choice */
  #choose(choice) {
    if (!this.look || !(choice.dataset.choice in CHANGED)) return;
    this.look = CHANGED[choice.dataset.choice](this.look, choice.value);
    this.#show();
  }

  #show() {
    for (const choice of this.choices) {
      const value = FOUND[choice.dataset.choice](this.look);
      if (choice instanceof HTMLSelectElement) choice.value = value;
      else choice.checked = choice.value === value;
    }
    this.picture.src = `/look_picture/?look=${encodeURIComponent(JSON.stringify(this.look))}`;
  }
}
