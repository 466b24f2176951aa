/** "Share this moment": copies its address or a still, or saves the still. */

import { element } from "../dom.js";
import { gettext } from "../translation.js";
import { saveFile } from "./saved_file.js";

const ICON = "M13 7l4-3M7 9.5l6-3M7 10.5l6 3M5 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM15 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM15 17.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z";

export class Share {
  /**
   * @param {HTMLElement} box of the town
   * @param {{address: () => string, still: () => Promise<Blob>, fileName: () => string, recording: () => string,
   *   onNote: (text: string) => void}} moment  `recording`: the address that has a file of the recording made
   */
  constructor(box, moment) {
    this.moment = moment;
    const title = gettext("Share this moment");
    const summary = element("summary", { "aria-label": title, title });
    summary.append(icon());
    this.menu = element(
      "details",
      { class: "share", "data-part": "share" },
      summary,
      element(
        "div",
        { class: "share-menu", role: "group", "aria-label": title },
        element("strong", {}, title),
        this.#item(gettext("Copy the address"), () => this.#copyAddress()),
        this.#item(gettext("Copy a picture"), () => this.#copyStill()),
        this.#item(gettext("Save a picture"), () => this.#saveStill()),
        this.#item(gettext("Save the recording as a file"), () => saveFile(moment.recording(), moment.onNote)),
        element("p", {}, gettext("One file to send or put on a web page: town, talks and minds, and it plays without a network. Not in it: interviews, talks with users, keys.")),
      ),
    );
    this.menu.addEventListener("keydown", (event) => event.key === "Escape" && this.#close(event));
    document.addEventListener("pointerdown", ({ target }) => !this.menu.contains(/** @type {Node} */ (target)) && (this.menu.open = false));
    box.append(this.menu);
  }

  /** @param {string} label  @param {() => unknown} action */
  #item(label, action) {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", async () => {
      this.menu.open = false;
      await action();
    });
    return button;
  }

  async #copyAddress() {
    const address = this.moment.address();
    try {
      await navigator.clipboard.writeText(address);
      this.moment.onNote(gettext("The address of this moment is copied."));
    } catch {
      this.moment.onNote(address); // not allowed, or not a secure page
    }
  }

  async #copyStill() {
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": this.moment.still() })]);
      this.moment.onNote(gettext("The picture is copied."));
    } catch {
      await this.#saveStill();
    }
  }

  async #saveStill() {
    const url = URL.createObjectURL(await this.moment.still());
    element("a", { href: url, download: this.moment.fileName() }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    this.moment.onNote(gettext("The picture is saved."));
  }

  /** @param {KeyboardEvent} event */
  #close(event) {
    if (!this.menu.open) return;
    event.stopPropagation();
    this.menu.open = false;
    this.menu.querySelector("summary").focus();
  }
}

function icon() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svg.namespaceURI, "path");
  path.setAttribute("d", ICON);
  svg.append(path);
  return svg;
}
