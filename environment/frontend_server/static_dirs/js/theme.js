/**
 * The colours of pages: those of the system, or those chosen here. A classic script before the styles, so that no page is
 * painted in other colours first. `ville:theme` tells what is drawn on canvases.
 */
{
  const STORED = "ville.theme"; // "light" or "dark"; else those of the system
  const CHOICES = ["auto", "light", "dark"];
  const root = document.documentElement;
  const field = () => /** @type {HTMLSelectElement} */ (document.querySelector("[data-part=theme]"));

  const stored = () => {
    try {
      return localStorage.getItem(STORED);
    } catch {
      return null; // storage is forbidden
    }
  };

  const keep = (/** @type {string} */ theme) => {
    try {
      localStorage.setItem(STORED, theme);
    } catch {
      // storage is forbidden: the choice holds for this page
    }
  };

  const show = (/** @type {?string} */ theme) => {
    root.dataset.theme = CHOICES.includes(theme) ? theme : "auto";
    const choice = field();
    if (choice) choice.value = root.dataset.theme;
    document.dispatchEvent(new Event("ville:theme"));
  };

  show(stored());
  addEventListener("storage", ({ key, newValue }) => key === STORED && show(newValue)); // chosen on another page
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => show(root.dataset.theme));
  document.addEventListener("DOMContentLoaded", () => {
    show(root.dataset.theme);
    field()?.addEventListener("change", () => {
      show(field().value);
      keep(root.dataset.theme);
    });
  });
}
