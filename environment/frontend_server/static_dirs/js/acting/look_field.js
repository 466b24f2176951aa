/** The choice of a look: pictures of figures as they walk through the town. */

import { element } from "../dom.js";
import { fill, gettext } from "../translation.js";
import { radioField } from "./fields.js";

/** @typedef {{look: string, sprite: string}} Look */

/** @param {Look[]} looks  response of /looks/  @param {string} base of static files */
export function lookField(looks, base) {
  const options = looks.map(({ look, sprite }, place) => {
    const picture = element("img", {
      src: `${base}assets/characters/profile/${sprite}.png`,
      alt: fill(gettext("Look %(number)s"), { number: place + 1 }),
      loading: "lazy",
      width: 32,
      height: 32,
    });
    return /** @type {[string, Node]} */ ([look, picture]);
  });
  return radioField({ name: "look", label: gettext("Look"), value: looks[0]?.look, className: "looks" }, options);
}
