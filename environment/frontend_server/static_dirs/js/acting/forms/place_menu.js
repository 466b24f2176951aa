/** The small menu of an object or a room on the map: what it is, where, in which state, and what can happen to it. */

import { element } from "../../dom.js";
import { capitalize } from "../../panel/descriptions.js";
import { recordedElement } from "../../recorded.js";
import { gettext } from "../../translation.js";
import { openEvent, openState, placeTitle, setState, stateButtons } from "./happenings.js";
import { IDLE, READY, stateText } from "./object_states.js";
import { whereabouts } from "../places.js";
/** @import { Actor } from "../actor.js" */
/** @import { Point } from "../../town/camera.js" */

const MARGIN = 8; // screen pixels between the menu and the edges of the window
const GAP = 28; // screen pixels between the menu and its object, which stays in sight

export class PlaceMenu {
  /** @param {Actor} actor  @param {{onFault: (error: Error) => void}} options */
  constructor(actor, { onFault }) {
    this.actor = actor;
    this.onFault = onFault;
    /** @type {?HTMLElement} */
    this.box = null;
    /** @type {?HTMLElement} */
    this.opener = null; // what had the focus before
    document.addEventListener("pointerdown", ({ target }) => this.box && !this.box.contains(/** @type {Node} */ (target)) && this.close());
  }

  /**
   * Opens the menu of an object.
   * @param {{address: string, name: string}} object  @param {?{words: string}} lasting  its state
   * @param {?[number, number]} spot  of the window; without one, in its middle
   */
  openObject(object, lasting, spot = null) {
    const { actor } = this;
    const now = lasting ? capitalize(stateText(object.name, lasting.words)) : gettext("As usual.");
    const others = READY.filter((state) => state !== lasting?.words);
    const right = element("button", { type: "button", class: "button" }, gettext("Put right"));
    right.addEventListener("click", () => this.#pick(() => setState(actor, object.address, IDLE)));
    const buttons = stateButtons(others, (state) => this.#pick(() => setState(actor, object.address, state)));
    const other = this.#item(gettext("Something else …"), () => openState(actor, object, { state: lasting?.words }));
    const [, sector, arena] = object.address.split(":");
    this.#open(
      spot,
      capitalize(object.name),
      whereabouts(object.address),
      element("p", { class: "state" }, now),
      element("div", { class: "quick" }, ...(lasting ? [right] : []), ...buttons, other),
      this.#eventItem({ sector, arena }),
    );
  }

  /** Opens the menu of a room. @param {{sector: string, arena: string}} place  @param {?[number, number]} spot */
  openPlace(place, spot = null) {
    this.#open(spot, placeTitle(place), "", this.#eventItem(place));
  }

  close() {
    const opener = this.box?.contains(document.activeElement) ? this.opener : null;
    this.box?.remove();
    this.box = null;
    opener?.focus();
  }

  /** @param {{sector: string, arena?: string}} place */
  #eventItem(place) {
    return this.#item(gettext("Something happens here …"), () => openEvent(this.actor, place));
  }

  /** @param {string} text  @param {() => unknown} action */
  #item(text, action) {
    const button = element("button", { type: "button", class: "link" }, text);
    button.addEventListener("click", () => this.#pick(action));
    return button;
  }

  /** @param {() => unknown} action */
  async #pick(action) {
    this.close();
    try {
      await action();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.onFault(error);
    }
  }

  /** @param {?Point} spot  @param {string} title  @param {string} where  @param {...Node} content */
  #open(spot, title, where, ...content) {
    this.close();
    this.opener = /** @type {HTMLElement} */ (document.activeElement);
    const close = element("button", { type: "button", class: "close", "aria-label": gettext("Close") }, "×");
    close.addEventListener("click", () => this.close());
    const place = where ? [recordedElement("p", { class: "note" }, where)] : [];
    this.box = element(
      "div",
      { class: "place-menu", role: "dialog", "aria-label": title },
      recordedElement("h2", {}, title),
      close,
      ...place,
      ...content,
    );
    this.box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
    document.body.append(this.box);
    this.#place(spot ?? [innerWidth / 2, innerHeight / 2]);
    this.box.querySelector("button:not(.close)").focus();
  }

  /** Puts the menu beside a spot, else below or above it, inside the window. @param {Point} spot */
  #place([x, y]) {
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const fit = (/** @type {number} */ start, /** @type {number} */ size, /** @type {number} */ whole) => Math.max(MARGIN, Math.min(whole - size - MARGIN, start));
    const isRoom = (/** @type {number} */ start, /** @type {number} */ size, /** @type {number} */ whole) => start >= MARGIN && start + size <= whole - MARGIN;
    const across = [x + GAP, x - GAP - width].find((left) => isRoom(left, width, innerWidth));
    const down = across === undefined ? [y + GAP, y - GAP - height].find((top) => isRoom(top, height, innerHeight)) : undefined;
    this.box.style.left = `${across ?? fit(x - width / 2, width, innerWidth)}px`;
    this.box.style.top = `${down ?? fit(y - height / 2, height, innerHeight)}px`;
  }
}
