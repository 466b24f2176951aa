/** What somebody knows of the world: world, sectors, arenas, objects, as a tree that folds. */

import { element } from "../dom.js";
import { capital } from "./words.js";

/** @param {Object} tree spatial memory as saved  @param {{open: number}} options how many levels are unfolded */
export function placesOf(tree, { open = 1 } = {}) {
  return element(
    "ul",
    { class: "places" },
    ...Object.entries(tree).map(([name, inside]) => branch(name, inside, open)),
  );
}

function branch(name, inside, open) {
  const children = Array.isArray(inside)
    ? inside.map((object) => element("li", {}, object))
    : Object.entries(inside).map(([place, rest]) => branch(place, rest, open - 1));
  if (!children.length) return element("li", {}, capital(name));
  const summary = element("summary", {}, capital(name), " ", element("small", {}, String(children.length)));
  return element("li", {}, element("details", { open: open > 0 }, summary, element("ul", {}, ...children)));
}

/** How many objects a tree holds. Pure. */
export function countObjects(tree) {
  return Array.isArray(tree) ? tree.length : Object.values(tree).reduce((sum, inside) => sum + countObjects(inside), 0);
}
