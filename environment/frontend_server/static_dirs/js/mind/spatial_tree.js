/** A spatial memory as a folding tree: world, sectors, arenas, objects. */

import { element } from "../dom.js";
import { recordedElement } from "../recorded.js";
import { capitalize } from "../panel/descriptions.js";

/**
 * @typedef {{[name: string]: SpatialTree|string[]}} SpatialTree  a spatial memory as saved
 * @param {SpatialTree} tree  @param {{open?: number}} options `open`: number of unfolded levels
 */
export function renderPlaces(tree, { open = 1 } = {}) {
  return element(
    "ul",
    { class: "places" },
    ...Object.entries(tree).map(([name, inside]) => branch(name, inside, open)),
  );
}

/** @param {string} name  @param {SpatialTree|string[]} inside  @param {number} open  @returns {HTMLLIElement} */
function branch(name, inside, open) {
  const children = Array.isArray(inside)
    ? inside.map((object) => recordedElement("li", {}, object))
    : Object.entries(inside).map(([place, rest]) => branch(place, rest, open - 1));
  if (!children.length) return recordedElement("li", {}, capitalize(name));
  const summary = element("summary", {}, recordedElement("span", {}, capitalize(name)), " ", element("small", {}, String(children.length)));
  return element("li", {}, element("details", { open: open > 0 }, summary, element("ul", {}, ...children)));
}

/** Counts the objects in a tree. Pure. @param {SpatialTree|string[]} tree  @returns {number} */
export function countObjects(tree) {
  return Array.isArray(tree) ? tree.length : Object.values(tree).reduce((sum, inside) => sum + countObjects(inside), 0);
}
