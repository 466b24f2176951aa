/** A button for something that a user can do: it takes no second press while the first is carried out. */

import { element } from "../dom.js";

/**
 * @param {{name: string, class: string, onFault: (error: Error) => void}} deed
 * @param {Array<Node|string|null>} words  on the button
 * @param {() => unknown} action
 */
export function deedButton({ name, class: className, onFault }, words, action) {
  const button = element("button", { type: "button", class: className, "data-deed": name }, ...words);
  button.addEventListener("click", () => carryOut(button, action, onFault));
  return button;
}

/** @param {HTMLElement} button  @param {() => unknown} action  @param {(error: Error) => void} onFault */
export async function carryOut(button, action, onFault) {
  if (button.getAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  try {
    await action();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    onFault(error);
  }
  button.removeAttribute("aria-busy");
}
