/** Keeps the simulations of the front page in order: their lists, the dialog of each, and the bin. */

import { carryOut } from "../acting/deed_button.js";
import { openForm } from "../acting/forms/form_dialog.js";
import { textField } from "../acting/forms/fields.js";
import { setText } from "../dom.js";
import { freeCode } from "../running/sim_code.js";
import { get, post } from "../server.js";
import { fill, gettext } from "../translation.js";
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
    const { manage, restore, form, taken } = button.dataset;
    const kept = { name: restore, form, new: restore };
    const restoration = () => (taken === undefined ? restored(kept, changed) : openRestoration(kept, changed));
    const action = manage ? () => openManageDialog(manage, form, changed) : restoration;
    carryOut(button, action, (error) => show(error.message));
  });
}

/**
 * Asks for a name for what was deleted, because another one has its name now.
 * @param {{name: string, form: string, new: string}} what  @param {(text: string) => Promise<void>} changed
 */
async function openRestoration(what, changed) {
  const field = textField({ name: "new", label: gettext("Short name, for addresses and commands"), value: freeCode(what.name, [what.name]), maxlength: 100, pattern: "[\\w\\-]+", required: true, autocapitalize: "off", spellcheck: "false" });
  const note = fill(gettext("There is another %(name)s now, so this one needs a new name."), { name: what.name });
  openForm({ title: gettext("Restore as …"), note, action: gettext("Restore"), fields: [field] }, async (values) => {
    await restored({ ...what, new: values.get("new") }, changed);
  });
}

/** @param {{name: string, form: string, new: string}} what  @param {(text: string) => Promise<void>} changed */
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
