/** Objects that a search finds, to be shown on the map. */

import { element } from "../dom.js";
import { capitalize, placeText } from "./descriptions.js";
import { parseAddress } from "../playback/frames.js";
import { recordedElement } from "../recorded.js";
import { gettext } from "../translation.js";
/** @import { TownObject } from "../acting/places.js" */

const SHOWN = 8;

export class FoundObjects {
  /** @param {(object: TownObject) => void} onPick gets the object that was chosen */
  constructor(onPick) {
    this.onPick = onPick;
    this.list = element("ul", { class: "people found", "aria-label": gettext("On the map"), hidden: true });
  }

  /** @param {Array<{object: TownObject, called: string}>} found */
  show(found) {
    const heading = element("li", { class: "group" }, element("h2", {}, gettext("On the map")));
    this.list.replaceChildren(heading, ...found.slice(0, SHOWN).map((one) => this.#row(one)));
    this.list.hidden = !found.length;
  }

  /** The first row; null if nothing was found. */
  get first() {
    return this.list.hidden ? null : this.list.querySelector("button");
  }

  /** @param {{object: TownObject, called: string}} found */
  #row({ object, called }) {
    const where = recordedElement("span", {}, placeText({ ...parseAddress(object.address), object: "" }));
    const words = element("span", { class: "words" }, recordedElement("strong", {}, capitalize(object.name)), element("span", { class: "where" }, called && `${called} · `, where));
    const button = element("button", { type: "button", class: "row" }, words);
    button.addEventListener("click", () => this.onPick(object));
    return element("li", {}, button);
  }
}
