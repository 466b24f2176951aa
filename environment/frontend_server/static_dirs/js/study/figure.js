/** The figure of a measure, drawn by the server: each dot leads to its run, and lights up the others of its seed. */

import { measureName } from "../compare/comparison_words.js";
import { element } from "../dom.js";
import { gettext } from "../translation.js";

/** @type {Record<string, number>} */
const KEYS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const [SMALLEST, LARGEST] = [0.85, 1.2]; // scale within which texts are read with ease
const WIDE = 640; // units, above which a figure has a row of its own

/** @param {{measure: string, file: string, svg: string}} measure  @param {string} study  as it is in addresses */
export function figure({ measure, file, svg }, study) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const drawing = /** @type {SVGSVGElement} */ (/** @type {Element} */ (document.importNode(parsed, true)));
  drawing.querySelector("title").remove(); // the caption says it
  drawing.setAttribute("role", "group");
  drawing.setAttribute("aria-label", measureName(measure));
  const width = drawing.viewBox.baseVal.width;
  Object.assign(drawing.style, { minWidth: `${width * SMALLEST}px`, maxWidth: `${width * LARGEST}px` });
  const box = element("div", { class: "drawing" });
  box.append(drawing);
  lightUp(drawing, box);
  walkThrough([...drawing.querySelectorAll("a")], file);
  const save = element("a", { class: "save", href: `/study_file/${study}/${encodeURIComponent(file)}/`, download: true }, "SVG", element("span", { class: "unseen" }, ` – ${measureName(measure)}`));
  return element("figure", { class: width > WIDE ? "measure wide" : "measure" }, element("figcaption", {}, element("strong", {}, measureName(measure)), save), box);
}

/** Marks all of a seed while one of its dots is under the pointer or has the focus.
 * The box listens: Chromium stops with the tab key at drawings that listen for the focus. */
/** @param {SVGSVGElement} drawing  @param {HTMLElement} box */
function lightUp(drawing, box) {
  const mark = (/** @type {string|undefined} */ seed) => {
    drawing.classList.toggle("lit", seed !== undefined);
    for (const each of drawing.querySelectorAll("[data-seed]")) each.classList.toggle("same", each.dataset.seed === seed);
  };
  /** @param {Element} target  @returns {string|undefined} */
  const seedAt = (target) => (target.closest("a")?.querySelector("[data-seed]") ?? target.closest("[data-seed]"))?.dataset.seed;
  for (const event of ["pointerover", "focusin"]) box.addEventListener(event, (happened) => mark(seedAt(/** @type {Element} */ (happened.target))));
  for (const event of ["pointerleave", "focusout"]) box.addEventListener(event, () => mark(undefined));
}

/**
 * One stop of the tab key for all dots of a figure; arrow keys go from dot to dot.
 * @param {HTMLElement[]} dots  @param {string} file
 */
function walkThrough(dots, file) {
  dots.forEach((dot, place) => {
    dot.setAttribute("tabindex", place ? "-1" : "0");
    dot.dataset.key = `${file}-${place}`;
    dot.addEventListener("keydown", (event) => {
      const next = dots[place + KEYS[event.key]];
      if (!next) return;
      event.preventDefault();
      dot.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
    dot.setAttribute("aria-description", gettext("Arrow keys lead to the next dot."));
  });
}
