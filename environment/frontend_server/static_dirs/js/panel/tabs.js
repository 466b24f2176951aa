/** Tabs of the side panel. Each is a file of the folder `tabs/` that registers itself; a page loads them all. */

import { element, setText } from "../dom.js";
import { registerKey } from "../keys.js";
/** @import { Viewer } from "../pages/viewer.js" */

/**
 * What a tab can see to: `show` is called several times a second, with what the page shows, `opened` when the tab is opened.
 * @typedef {{show?: (viewer: Viewer) => void, opened?: () => void}} TabView
 */

/**
 * @typedef {Object} Tab
 * @property {string} name  in the page, such as `feed`
 * @property {number} order  the lowest comes first
 * @property {() => string} title
 * @property {string} [key]  letter that opens it while it is offered
 * @property {boolean} [waits]  whether it is hidden until the page offers it
 * @property {(viewer: Viewer) => number} [count]  a number beside the title
 * @property {(box: HTMLElement, viewer: Viewer) => object} draw  fills its panel, once; returns a `TabView`
 */

/** @type {Tab[]} */
const registered = [];

/** Adds a tab to pages that are opened from now on. @param {Tab} tab */
export function registerTab(tab) {
  registered.push(tab);
}

/** The tabs of a page, with their panels. */
export class Tabs {
  /** @param {HTMLElement} bar  for the tabs; the panels come after it  @param {Viewer} viewer */
  constructor(bar, viewer) {
    this.viewer = viewer;
    /** @type {Map<string, () => void>} */
    this.releases = new Map(); // of keys, by name of their tab
    this.rows = registered.toSorted((one, other) => one.order - other.order).map((tab) => makeRow(tab));
    bar.replaceChildren(...this.rows.map(({ button }) => button));
    bar.after(...this.rows.map(({ panel }) => panel));
    /** @type {Map<string, TabView>} */
    this.views = new Map(this.rows.map(({ tab, box }) => [tab.name, /** @type {TabView} */ (tab.draw(box, viewer))]));
    for (const { tab, button } of this.rows) {
      button.addEventListener("click", () => this.open(tab.name));
      button.addEventListener("keydown", (event) => this.#onKey(event));
    }
    this.rows.filter(({ tab }) => !tab.waits).forEach(({ tab }) => this.#takeKey(tab));
    this.#select(this.rows[0].tab.name);
    this.show();
  }

  /** Name of the open tab. */
  get current() {
    return this.rows.find(({ panel }) => !panel.hidden).tab.name;
  }

  /** Shows what has changed. */
  show() {
    for (const { tab, count } of this.rows) {
      if (tab.count) setText(count, String(tab.count(this.viewer)));
      this.views.get(tab.name).show?.(this.viewer);
    }
  }

  /** @param {string} name */
  open(name) {
    this.#select(name);
    this.views.get(name).opened?.();
  }

  /** Shows or hides a tab; one that was open gives way to the first. @param {string} name  @param {boolean} offered */
  offer(name, offered) {
    const { tab, button } = this.#row(name);
    if (button.hidden === !offered) return;
    button.hidden = !offered;
    if (offered) this.#takeKey(tab);
    else this.releases.get(name)?.();
    if (!offered && this.current === name) this.open(this.rows[0].tab.name);
  }

  /** @param {Tab} tab */
  #takeKey({ name, key, title }) {
    if (key) this.releases.set(name, registerKey(key, title(), () => this.#openByKey(name)));
  }

  /** @param {string} name */
  #row(name) {
    return this.rows.find(({ tab }) => tab.name === name);
  }

  /** @param {string} name */
  #select(name) {
    for (const { tab, button, panel } of this.rows) {
      const chosen = tab.name === name;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      panel.hidden = !chosen;
    }
  }

  /** @param {string} name */
  #openByKey(name) {
    this.open(name);
    this.#row(name).button.focus();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const shown = this.rows.filter(({ button }) => !button.hidden);
    const here = shown.findIndex(({ button }) => button === event.currentTarget);
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: -1 };
    const to = places[event.key];
    if (to === undefined) return;
    const next = shown.at(to % shown.length);
    this.open(next.tab.name);
    next.button.focus();
    event.preventDefault();
  }
}

/** @param {Tab} tab */
function makeRow(tab) {
  const { name } = tab;
  const count = element("span", { "data-count": name });
  const attributes = { type: "button", role: "tab", id: `tab-${name}`, "data-tab": name, "aria-controls": `panel-${name}`, hidden: tab.waits };
  const button = element("button", attributes, tab.title(), tab.count ? " " : null, tab.count ? count : null);
  const box = element("div", { "data-part": name });
  const panel = element(
    "div",
    { role: "tabpanel", id: `panel-${name}`, "data-panel": name, "aria-labelledby": `tab-${name}` },
    element("h2", { class: "unseen" }, tab.title()),
    box,
  );
  return { tab, button, panel, box, count };
}
