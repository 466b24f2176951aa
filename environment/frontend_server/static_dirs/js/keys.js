/**
 * The keys of a page: registered here, so that they work wherever the focus is, and listed on the sheet behind `?`.
 * In text fields keys are text. Letters, digits and signs can be switched off (WCAG 2.1.4); then `?` is a button only.
 */

import { element } from "./dom.js";
import { gettext } from "./translation.js";

/**
 * @typedef {{keys: string[], label: string, action: (event: KeyboardEvent) => unknown, shown: ?string,
 *   onRelease: ?((event: KeyboardEvent) => void), isButton: boolean}} KeyEntry
 */

const STORED = "ville.letters"; // "off" if letters, digits and signs are not keys
const TEXT = "input:not([type=range], [type=checkbox], [type=radio], [type=button]), select, textarea, [contenteditable]";
const PRESSED_BY_SPACE = "button, a, summary, label, input:not([type=range])";
const MOVED_BY_ARROWS = "input, [role=tablist], [role=menu], .scroll";
/** @type {Record<string, string>} */
const LATIN = { Comma: ",", Period: ".", BracketLeft: "[", BracketRight: "]" }; // on keyboards of other scripts
/** @type {Record<string, () => string>} */
const NAMES = { " ": () => gettext("Space"), Escape: () => "Esc", ArrowLeft: () => "←", ArrowRight: () => "→", ArrowUp: () => "↑", ArrowDown: () => "↓" };

/** @type {KeyEntry[]} */
const entries = [];
/** @type {?HTMLDialogElement} */
let sheet = null;
let listening = false;

/**
 * Makes a key do something. Of several actions for a key, the newest comes first; one that returns false leaves the key
 * to the others.
 * @param {string|string[]} key  as in `KeyboardEvent.key`, letters in lower case; several keys are one line of the sheet
 * @param {string} label  line of the sheet; "" keeps the key off the sheet
 * @param {(event: KeyboardEvent) => unknown} action  `false` leaves the key to others
 * @param {{shown?: string, onRelease?: (event: KeyboardEvent) => void, isButton?: boolean}} options  `shown` is what the sheet
 *   prints for the key; `isButton`: on the sheet, the label can be pressed, too
 * @returns {() => void} takes the key back
 */
export function registerKey(key, label, action, { shown = null, onRelease = null, isButton = false } = {}) {
  listen();
  const entry = { keys: [key].flat(), label, action, shown, onRelease, isButton };
  entries.push(entry);
  return () => void (entries.includes(entry) && entries.splice(entries.indexOf(entry), 1));
}

/**
 * The key of an event: letters in lower case; on keyboards of other scripts, the Latin letter in its place. Pure.
 * @param {{key: string, code?: string}} event
 */
export function keyOf({ key, code = "" }) {
  if (key.length > 1) return key;
  const foreign = key.charCodeAt(0) > 127;
  if (foreign && /^Key[A-Z]$/.test(code)) return code.at(-1).toLowerCase();
  return (foreign && LATIN[code]) || key.toLowerCase();
}

/** Whether a key, pressed on an element, belongs to that element. Pure. @param {string} key  @param {Element} target */
export function belongsTo(key, target) {
  if (target.closest(`dialog, ${TEXT}`)) return true;
  if (key === " ") return Boolean(target.closest(PRESSED_BY_SPACE));
  return key.startsWith("Arrow") && Boolean(target.closest(MOVED_BY_ARROWS));
}

/** Whether letters, digits and signs are keys. */
export function lettersOn() {
  try {
    return localStorage.getItem(STORED) !== "off";
  } catch {
    return true; // storage is forbidden
  }
}

/** Opens the sheet of keys. */
export function showKeys() {
  sheet ??= makeSheet();
  sheet.querySelector("dl").replaceChildren(...entries.filter(({ label }) => label).flatMap(line));
  sheet.showModal();
}

function listen() {
  if (listening) return;
  listening = true;
  document.addEventListener("keydown", onPress);
  document.addEventListener("keyup", (event) => entries.forEach((entry) => takes(entry, event) && entry.onRelease?.(event)));
  document.querySelector("[data-part=keys]")?.addEventListener("click", showKeys);
  registerKey("?", gettext("This list"), showKeys);
}

/** @param {KeyboardEvent} event */
function onPress(event) {
  const key = keyOf(event);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (belongsTo(key, /** @type {Element} */ (event.target)) || (key.length === 1 && key !== " " && !lettersOn())) return;
  const taken = entries.findLast((entry) => takes(entry, event) && entry.action(event) !== false);
  if (taken) event.preventDefault();
}

/** @param {KeyEntry} entry  @param {KeyboardEvent} event */
function takes(entry, event) {
  return entry.keys.includes(keyOf(event));
}

/** @param {KeyEntry} entry */
function line({ keys, label, shown, action, isButton }) {
  const caps = shown ? [shown] : keys.map((key) => NAMES[key]?.() ?? key);
  const words = isButton ? element("button", { type: "button", class: "linked" }, label) : label;
  if (words instanceof HTMLElement) words.addEventListener("click", () => (sheet.close(), action(null)));
  return [element("dt", {}, ...caps.map((cap) => element("kbd", {}, cap))), element("dd", {}, words)];
}

function makeSheet() {
  const letters = element("input", { type: "checkbox", checked: lettersOn() });
  letters.addEventListener("change", () => keep(letters.checked));
  const close = element("button", { class: "close", "aria-label": gettext("Close"), autofocus: true }, "×");
  const made = element(
    "dialog",
    { class: "keys", "data-part": "keys-sheet", "aria-label": gettext("Keys") },
    element("form", { method: "dialog" }, close),
    element("h2", {}, gettext("Keys")),
    element("dl", {}),
    element("label", {}, letters, " ", gettext("Letters, digits and signs are keys")),
  );
  made.addEventListener("click", (event) => event.target === made && made.close());
  document.body.append(made);
  return made;
}

/** @param {boolean} on */
function keep(on) {
  try {
    localStorage.setItem(STORED, on ? "on" : "off");
  } catch {
    // storage is forbidden: the switch holds for this page only if at all
  }
}
