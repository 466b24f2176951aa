/** Menus and dialogs: what is opened stays open until the user closes it, wherever the focus goes meanwhile. */

/**
 * Closes a `<details>` menu on Escape, on a click elsewhere, and after a choice.
 * @param {HTMLDetailsElement} details
 */
export function tameMenu(details) {
  const close = () => (details.open = false);
  addEventListener("pointerdown", (event) => details.open && !details.contains(/** @type {Node} */ (event.target)) && close());
  details.addEventListener("click", (event) => /** @type {Element} */ (event.target).closest(".items button, .items a") && close());
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    close();
    details.querySelector("summary").focus();
    event.preventDefault();
  });
}

/** Closes a `<dialog>` on a click beside it. @param {HTMLDialogElement} dialog */
export function tameDialog(dialog) {
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

/**
 * Whether a button may be used; it keeps the focus while it may not.
 * @param {HTMLElement} button  @param {boolean} allowed
 */
export function allow(button, allowed) {
  if (allowed === !button.hasAttribute("aria-disabled")) return;
  if (allowed) button.removeAttribute("aria-disabled");
  else button.setAttribute("aria-disabled", "true");
}

/**
 * Calls an action on clicks, unless the button may not be used at the moment.
 * @param {HTMLElement} button  @param {(event: MouseEvent) => void} action
 */
export function onUse(button, action) {
  button.addEventListener("click", (event) => {
    if (button.hasAttribute("aria-disabled")) event.preventDefault();
    else action(event);
  });
}
