/** Small helpers for building elements. Text always goes in as text, never as markup. */

/** `element("p", { class: "note" }, "text", child)`; null children are left out. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Sets the text of an element only if it differs, so that screen readers and layout are left in peace. */
export function say(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Adds to what the page says of damaged files; each is named once. @param {string[]} lines */
export function tellDamage(lines) {
  const box = document.querySelector("[data-part=damage]");
  const list = box.querySelector("ul");
  const told = new Set([...list.children].map((line) => line.textContent));
  list.append(...lines.filter((line) => !told.has(line)).map((line) => element("li", {}, line)));
  box.hidden = !list.childElementCount;
}

/** The value that the server laid into the page under an id (Django's json_script). */
export function pageData(id = "page") {
  return JSON.parse(document.getElementById(id).textContent);
}

/** Whether the reader has asked for less movement. */
export function wantsStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
