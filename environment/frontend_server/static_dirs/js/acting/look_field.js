/** The choice of a look: pictures of figures as they walk through the town. */

import { element } from "../dom.js";
import { gettext } from "../translation.js";
import { radioField } from "./fields.js";

/** @param {Array<{look: string, sprite: string}>} looks  response of /looks/  @param {string} base of static files */
export function lookField(looks, base) {
  const options = looks.map(({ look, sprite }) => {
    const picture = element("img", {
      src: `${base}assets/characters/profile/${sprite}.png`,
      alt: look,
      loading: "lazy",
      width: 32,
      height: 32,
    });
    return [look, picture];
  });
  return radioField({ name: "look", label: gettext("Look"), value: looks[0]?.look, className: "looks" }, options);
}
