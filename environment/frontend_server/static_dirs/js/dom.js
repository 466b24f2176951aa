/** Helpers for building elements. Text is always inserted as text, never as markup. */

/** `element("p", { class: "note" }, "text", child)`; null children are skipped. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** The row of headings of a table. An empty one is the corner above the names of rows, and no heading. */
export function headingRow(heads) {
  return element("tr", {}, ...heads.map((words) => (words ? element("th", { scope: "col" }, words) : element("td"))));
}

/** Sets the text of an element only if it changed: screen readers and layout react to every assignment. */
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

/** Data that the server put into the page (Django's json_script). */
export function pageData(id = "page") {
  return JSON.parse(document.getElementById(id).textContent);
}

/** Whether the user asked for less motion. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether what was pressed is a control, not what lies under it. */
export function isControl(target) {
  return target.closest("button, a, input, details") !== null;
}
