/** Keeps the simulations of the front page in order: their lists, the dialog of each, and the bin. */

import { carryOut } from "../acting/deed_button.js";
import { setText } from "../dom.js";
import { get, post } from "../server.js";
import { gettext } from "../translation.js";
import { openManageDialog } from "./manage_dialog.js";
import { TownList } from "./town_list.js";

/** @param {{onShow: () => void}} options  `onShow` is called when other simulations are listed */
export function keepInOrder({ onShow }) {
  const boxes = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-list]"));
  const lists = [...boxes].map((box) => new TownList(box, { onShow }));
  const said = document.querySelector("[data-part=kept]");
  const show = (/** @type {string} */ text) => setText(said, text);

  async function changed(/** @type {string} */ text) {
    show(text);
    if (!boxes.length) location.reload(); // the page was made without lists
    await Promise.all([...lists.map((list) => list.refresh()), refreshBin()]);
  }

  document.addEventListener("click", (event) => {
    const button = /** @type {?HTMLElement} */ (/** @type {Element} */ (event.target).closest("[data-manage], [data-restore]"));
    if (!button) return;
    const { manage, restore, form } = button.dataset;
    const action = manage ? () => openManageDialog(manage, form, changed) : () => restored({ name: restore, form }, changed);
    carryOut(button, action, (error) => show(error.message));
  });
}

/** @param {{name: string, form: string}} what  @param {(text: string) => Promise<void>} changed */
async function restored(what, changed) {
  await post("/keep/restore/", what);
  await changed(gettext("Restored."));
}

async function refreshBin() {
  const box = document.querySelector("[data-part=bin]");
  if (!box) return;
  const { html } = await get("/bin/");
  const isOpen = box.querySelector("details")?.open ?? false;
  const made = document.createRange().createContextualFragment(html).querySelector("[data-part=bin]");
  box.replaceChildren(...made.childNodes);
  const details = box.querySelector("details");
  if (details) details.open = isOpen;
}
