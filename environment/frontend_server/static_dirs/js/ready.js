/** The moment at which a page can be used. Before, what does not work yet is inert and looks so. */

/** @param {string} what the page shows */
export function pageReady(what) {
  document.querySelectorAll("[inert][data-waits]").forEach((part) => part.removeAttribute("inert"));
  document.querySelectorAll("[aria-busy]").forEach((part) => part.removeAttribute("aria-busy"));
  sessionStorage.removeItem("reloads"); // see loading_guard.js
  document.documentElement.dataset.ready = what;
}
