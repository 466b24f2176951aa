/** Tabs of the side panel: `[role=tab][data-tab=NAME]` opens the `[data-panel=NAME]` beside it. */

export class Tabs {
  /** @param {HTMLElement} box  that contains tabs and panels */
  constructor(box) {
    this.tabs = [...box.querySelectorAll("[role=tab]")];
    this.panels = new Map(this.tabs.map((tab) => [tab, box.querySelector(`[data-panel="${tab.dataset.tab}"]`)]));
    /** @type {(name: string) => void} */
    this.onOpen = () => {}; // gets the name of the tab that was opened
    for (const tab of this.tabs) {
      tab.addEventListener("click", () => this.open(tab.dataset.tab));
      tab.addEventListener("keydown", (event) => this.#onKey(event));
    }
  }

  /** Name of the open tab. */
  get current() {
    return this.tabs.find((tab) => tab.getAttribute("aria-selected") === "true").dataset.tab;
  }

  /** @param {string} name */
  open(name) {
    for (const [tab, panel] of this.panels) {
      const chosen = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      panel.hidden = !chosen;
    }
    this.onOpen(name);
  }

  /** Shows or hides a tab; one that was open gives way to the first. @param {string} name  @param {boolean} offered */
  offer(name, offered) {
    const tab = this.tabs.find((one) => one.dataset.tab === name);
    if (tab.hidden === !offered) return;
    tab.hidden = !offered;
    if (!offered && this.current === name) this.open(this.tabs[0].dataset.tab);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const shown = this.tabs.filter((tab) => !tab.hidden);
    const here = shown.indexOf(/** @type {HTMLElement} */ (event.currentTarget));
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: -1 };
    const to = places[event.key];
    if (to === undefined) return;
    const next = shown.at(to % shown.length);
    this.open(next.dataset.tab);
    next.focus();
    event.preventDefault();
  }
}
