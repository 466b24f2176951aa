/** Helpers for building elements. Text is always inserted as text, never as markup. */

/**
 * `element("p", { class: "note" }, "text", child)`; null children are skipped, and so are attributes without a value.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string|number|boolean|null|undefined>} attributes
 * @param {...(Node|string|number|null|undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  const shown = children.filter((child) => child !== null && child !== undefined);
  made.append(.../** @type {Array<Node|string>} */ (shown)); // makes texts of numbers
  return made;
}

/**
 * The row of headings of a table. An empty one is the corner above the names of rows, and no heading.
 * @param {string[]} heads
 */
export function headingRow(heads) {
  return element("tr", {}, ...heads.map((words) => (words ? element("th", { scope: "col" }, words) : element("td"))));
}

/**
 * Sets the text of an element only if it changed: screen readers and layout react to every assignment.
 * @param {Element} target  @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Adds lines to the list of damaged files, each only once. @param {string[]} lines */
export function showDamage(lines) {
  const box = document.querySelector("[data-part=damage]");
  const list = box.querySelector("ul");
  const listed = new Set([...list.children].map((line) => line.textContent));
  list.append(...lines.filter((line) => !listed.has(line)).map((line) => element("li", {}, line)));
  box.hidden = !list.childElementCount;
}

/**
 * @typedef {{name: string, underscore: string, initials: string, sprite: string, visitor?: boolean, about?: string, portrait?: string}} Persona
 *   a person who appears in a run: a resident or a visitor; `portrait` is the address of the picture, if it is another than usual
 */

/**
 * Data that the server gives a page. Each kind of page has some of these; `translator/shown/page_data.py` says which.
 * @typedef {Object} Page
 * @property {string} mode  kind of the page
 * @property {string} static  base of static files
 * @property {string} sim_code
 * @property {string} [title]
 * @property {string} [store]  `saved` or `compressed`
 * @property {string} [language]  code of the language of the town
 * @property {string} [maze_name]
 * @property {?import("./town/map/large_map.js").MapSize} [large]  of a map that is too large to be painted as a whole
 * @property {string} [map]  address of the map
 * @property {Persona[]} [personas]
 * @property {string} [start]  ISO time of step 0
 * @property {number} [sec_per_step]
 * @property {number} [step]
 * @property {number} [speed]  number of the speed of a demo
 * @property {string} [backend]
 * @property {string} [why]  where causes are asked for; empty for those who may not act
 * @property {number[]} [moments]  steps at which a recording can be taken up again
 */

/** Data that the server put into the page (Django's json_script). The page knows which keys it has. */
export function pageData(id = "page") {
  return JSON.parse(document.getElementById(id).textContent);
}

/** Whether the user asked for less motion. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether one points with a finger, and has no keys. */
export function isByTouch() {
  return matchMedia("(pointer: coarse)").matches;
}

/** Whether what was pressed is a control, not what lies under it. @param {EventTarget} target */
export function isControl(target) {
  return target instanceof Element && target.closest("button, a, input, details") !== null;
}
