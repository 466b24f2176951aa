/** Lists of simulations on the front page: found while one types, grouped by tags, a few at first. */

import { setText } from "../dom.js";
import { get } from "../server.js";
import { fill, ngettext } from "../translation.js";

const PAUSE = 180; // milliseconds after the last letter

/** One list, with its search. What it shows comes from the server, as on the page itself. */
export class TownList {
  /** @param {HTMLElement} box  @param {{onShow: () => void}} options  `onShow` is called when other entries are shown */
  constructor(box, { onShow }) {
    this.box = box;
    this.items = box.querySelector("[data-part=items]");
    this.search = /** @type {?HTMLInputElement} */ (box.querySelector("[type=search]"));
    this.onShow = onShow;
    this.query = new URLSearchParams(location.search);
    this.asked = 0;
    /** @type {ReturnType<typeof setTimeout>} */
    this.timer = undefined;
    this.search?.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.#find(), PAUSE);
    });
    this.search?.form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(this.timer);
      this.#find();
    });
    this.items.addEventListener("click", (event) => this.#follow(event));
  }

  /** Shows the present part of the list as it is now. */
  async refresh() {
    const number = (this.asked += 1);
    const { html } = await get(`/towns/${this.box.dataset.list}/?${this.query}`);
    if (number < this.asked) return;
    const focus = document.activeElement?.closest("[data-part]") && this.items.contains(document.activeElement);
    this.items.replaceChildren(.../** @type {DocumentFragment} */ (document.createRange().createContextualFragment(html)).children);
    if (focus) (this.items.querySelector("[data-part=more], [data-part=tags] [aria-current]") ?? this.search)?.focus();
    const count = this.items.querySelectorAll(".sim").length;
    setText(this.box.querySelector("[data-part=found]"), fill(ngettext("%(count)s is shown.", "%(count)s are shown.", count), { count }));
    this.onShow();
  }

  #find() {
    this.query.set("search", this.search.value);
    this.query.delete("shown");
    this.refresh();
  }

  /** Follows a link to another part without leaving the page. @param {MouseEvent} event */
  #follow(event) {
    const link = /** @type {Element} */ (event.target).closest("[data-part=tags] a, a[data-part=more]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.query = new URLSearchParams(new URL(link.getAttribute("href"), location.href).search);
    this.refresh();
  }
}
