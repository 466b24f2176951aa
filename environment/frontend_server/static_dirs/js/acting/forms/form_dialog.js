/** Modal dialogs: a heading, content, and a way out by Esc, the cross or a click beside it. */

import { element, setText } from "../../dom.js";
import { gettext } from "../../translation.js";

/**
 * Opens a dialog. The focus goes to what has `autofocus`, and back to where it was when the dialog closes.
 * @param {{title: string|Node, note?: string, className?: string, mayClose?: () => boolean}} options  `mayClose` is asked
 *   before the user closes it
 * @param {...Node} content
 * @returns {HTMLDialogElement}
 */
export function openDialog({ title, note = "", className = "", mayClose = () => true }, ...content) {
  const close = element("button", { type: "button", class: "close", "aria-label": gettext("Close") }, "×");
  const heading = element("h2", {}, title);
  const dialog = element("dialog", { class: `acting ${className}`.trim(), "aria-label": heading.textContent });
  dialog.append(heading, close, ...(note ? [element("p", { class: "note" }, note)] : []), ...content);
  const leave = () => mayClose() && dialog.close();
  close.addEventListener("click", leave);
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    leave();
  });
  /** @type {?EventTarget} */
  let pressed = null; // a text that is selected beyond the edge of the dialog must not close it
  dialog.addEventListener("pointerdown", (event) => (pressed = event.target));
  dialog.addEventListener("click", (event) => event.target === dialog && pressed === dialog && leave());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * @typedef {Omit<FormData, "get"> & {get(name: string): string, [Symbol.iterator](): IterableIterator<[string, string]>}} TextValues  no form here has files
 */

/**
 * Opens a form. It closes when what was asked for is done, and says why if that is refused; until then it can be closed,
 * and the request goes on.
 * @param {{title: string, note?: string, action: string, fields: Node[], className?: string}} form  `action` is the text of
 *   its button
 * @param {(values: TextValues) => Promise<unknown>} submit
 */
export function openForm({ title, note = "", action, fields, className = "" }, submit) {
  const fault = element("p", { class: "fault", role: "alert" });
  const button = element("button", { type: "submit", class: "button" }, action);
  const ends = element("p", { class: "ends" }, button);
  const form = element("form", {}, ...fields, fault, ends);
  if (form.querySelector(".mark")) ends.prepend(element("small", { class: "needed" }, gettext("* required")));
  const dialog = openDialog({ title, note, className: `form ${className}`.trim() }, form);
  form.addEventListener("keydown", sendOnEnter);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled")) return;
    const told = button.textContent;
    wait(button, true, gettext("Sent …"));
    setText(fault, "");
    try {
      await submit(/** @type {TextValues} */ (new FormData(form)));
      dialog.close();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setText(fault, error.message);
    }
    wait(button, false, told);
  });
  return dialog;
}

/** Enter sends a form from its text areas, too; with Shift it begins a new line. @param {KeyboardEvent} event */
export function sendOnEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !(event.target instanceof HTMLTextAreaElement)) return;
  event.preventDefault();
  event.target.form.requestSubmit();
}

/**
 * Marks a button while what it asked for is underway. It keeps the focus.
 * @param {HTMLElement} button  @param {boolean} waits
 */
export function wait(button, waits, text = button.textContent) {
  if (waits) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
  setText(button, text);
}
