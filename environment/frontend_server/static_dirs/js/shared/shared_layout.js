/** The frame of a shared file: heading, town, clock, panel, controls. It has the classes of the pages, and their style. */

import { element } from "../dom.js";
import { gettext } from "../translation.js";

const SVG = "http://www.w3.org/2000/svg";
/** @type {Record<string, string>} */
const ICONS = {
  back: "M15 4v12l-8-6zM4 4h2v12H4z",
  play: "M6 3.5v13l11-6.5z",
  pause: "M5 4h3.6v12H5zM11.4 4H15v12h-3.6z",
  forward: "M5 4v12l8-6zM14 4h2v12h-2z",
  talk: "M3 5h14v8H9l-3.5 3v-3H3z",
  nearer: "M10 4v12M4 10h12",
  farther: "M4 10h12",
  overview: "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4",
};

/** @typedef {ReturnType<typeof makeLayout>} SharedLayout */

/** @param {string} title of the run */
export function makeLayout(title) {
  const parts = {
    town: element("div", { class: "town-view", tabindex: "0", role: "application", "aria-label": gettext("The town. Arrow keys move the view, plus and minus zoom, 0 shows everything.") }),
    notice: element("p", { class: "notice", role: "status" }),
    time: element("p", { class: "time", "aria-hidden": "true" }),
    date: element("p", { class: "date" }),
    status: element("p", { class: "status" }),
    card: element("section", { class: "card", "aria-label": gettext("Selected person"), hidden: true }),
    tabs: element("div", { class: "tabs", role: "tablist", "aria-label": gettext("Lists") }),
    people: element("ul", { class: "people", "aria-label": gettext("People") }),
    talks: element("ol", { class: "people", "aria-label": gettext("Conversations") }),
    about: element("button", { type: "button", class: "about-button" }, gettext("About this file")),
    controls: makeControls(),
    nearer: button("nearer", gettext("Zoom in")),
    farther: button("farther", gettext("Zoom out")),
    overview: button("overview", gettext("The whole town")),
  };
  const keys = element("button", { type: "button", class: "keys-button", "data-part": "keys", "aria-label": gettext("Keys"), title: `${gettext("Keys")} ( ? )` }, "?");
  const view = element("div", { class: "zoom-buttons", role: "group", "aria-label": gettext("View") }, keys, parts.nearer, parts.farther, parts.overview);
  parts.town.append(parts.notice, view);
  document.body.prepend(
    element("header", { class: "masthead" }, element("span", { class: "brand" }, gettext("The Ville")), element("h1", { class: "crumb" }, element("strong", {}, title)), element("nav", {}, parts.about)),
    element(
      "main",
      {},
      parts.town,
      element("div", { class: "clock" }, parts.time, element("div", {}, parts.date, parts.status)),
      element("aside", { class: "panel", "aria-label": gettext("Side panel") }, element("div", { class: "scroll" }, parts.card, makeLists(parts))),
      element("div", { class: "bottom" }, parts.controls),
    ),
  );
  return parts;
}

/** Two lists, of which the tabs show one. @param {{tabs: HTMLElement, people: HTMLElement, talks: HTMLElement}} parts */
function makeLists({ tabs, people, talks }) {
  const panes = [people, talks].map((list) => element("div", { role: "tabpanel", "aria-label": list.getAttribute("aria-label") }, list));
  const buttons = panes.map((pane) => element("button", { type: "button", role: "tab" }, pane.getAttribute("aria-label")));
  const show = (/** @type {number} */ shown) => {
    buttons.forEach((tab, place) => tab.setAttribute("aria-selected", String(place === shown)));
    buttons.forEach((tab, place) => (tab.tabIndex = place === shown ? 0 : -1));
    panes.forEach((pane, place) => (pane.hidden = place !== shown));
  };
  buttons.forEach((tab, place) => tab.addEventListener("click", () => show(place)));
  tabs.addEventListener("keydown", ({ key }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const next = step && buttons[(buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement)) + step + buttons.length) % buttons.length];
    next?.click();
    next?.focus();
  });
  tabs.append(...buttons);
  show(0);
  return element("div", { class: "lists" }, element("h2", { class: "unseen" }, gettext("Lists")), tabs, ...panes);
}

function makeControls() {
  const play = button("play", gettext("Play"), { class: "play", "data-playing": "false" });
  play.querySelector("path").classList.add("if-paused");
  play.querySelector("svg").append(path("pause", "if-playing"));
  const talk = button("talk", gettext("Next conversation"), { class: "wide" });
  talk.append(element("span", {}, gettext("Next conversation")));
  return element(
    "div",
    { class: "controls", role: "group", "aria-label": gettext("Recording") },
    element("div", { class: "buttons" }, button("back", gettext("One step back")), play, button("forward", gettext("One step forward"))),
    element(
      "div",
      { class: "track" },
      element("div", { class: "talks", "data-control": "talks", "aria-hidden": "true" }),
      element("input", { type: "range", min: 0, max: 0, value: 0, step: 1, "data-control": "slider", "aria-label": gettext("Time") }),
      element("div", { class: "hours", "data-control": "hours", "aria-hidden": "true" }),
    ),
    talk,
    element("div", { class: "speeds", role: "group", "aria-label": gettext("Speed"), "data-control": "speeds" }),
  );
}

/** @param {string} name  @param {string} label  @param {Record<string, string>} more */
function button(name, label, more = {}) {
  const made = element("button", { type: "button", "data-control": name, "aria-label": label, title: label, ...more });
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path(name, ["back", "play", "forward"].includes(name) ? "" : "line"));
  made.append(svg);
  return made;
}

/** @param {string} name  @param {string} kind  "line" for an outline */
function path(name, kind) {
  const made = document.createElementNS(SVG, "path");
  made.setAttribute("d", ICONS[name]);
  if (kind !== "line") made.classList.add("solid", ...[kind].filter(Boolean));
  return made;
}
