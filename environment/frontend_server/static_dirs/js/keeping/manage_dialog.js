/** The dialog of a simulation as a whole: title, tags, note, name; delete; undo the last intervention. */

import { carryOut } from "../acting/deed_button.js";
import { newId } from "../acting/engine.js";
import { textField } from "../acting/forms/fields.js";
import { openForm } from "../acting/forms/form_dialog.js";
import { element, setText } from "../dom.js";
import { get, post, sleep } from "../server.js";
import { fill, gettext, language, ngettext } from "../translation.js";
import { undo, undoText } from "./undoing.js";
/** @import { LastChange } from "./undoing.js" */

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"];
const PAUSE = 200; // milliseconds between two questions whether something is done

/**
 * @typedef {{way: "moments"|"recording", saves: number, moments: number, branches: string[]}} Shrinking  a way to make a
 *   simulation smaller: bytes that become free, checkpoints and branches that lose something
 * @typedef {{name: string, form: "saved"|"compressed", title: string, note: string, tags: string[], size: number,
 *   last: ?LastChange, ways: Shrinking[]}} Kept  a simulation or recording, as /kept/ tells of it
 */

/**
 * Opens the dialog of a simulation.
 * @param {string} name  @param {string} form  @param {(said: string) => void} onChange  is called after a change
 */
export async function openManageDialog(name, form, onChange) {
  const kept = /** @type {Kept} */ (await get(`/kept/${form}/${encodeURIComponent(name)}/`));
  const title = form === "saved" ? gettext("Manage this town") : gettext("Manage this recording");
  const fields = [
    textField({ name: "title", label: gettext("Title"), value: kept.title, maxlength: 80, placeholder: name }),
    textField({ name: "tags", label: gettext("Tags"), value: kept.tags.join(", "), hint: gettext("Separated by commas. Towns are grouped by them.") }),
    textField({ name: "note", label: gettext("Note"), value: kept.note, maxlength: 2000, rows: 3 }),
    textField({ name: "name", label: gettext("Short name, for addresses and commands"), value: name, maxlength: 100, pattern: "[\\w\\-]+", required: true, autocapitalize: "off", spellcheck: "false" }),
  ];
  const fault = element("p", { class: "fault", role: "alert" });
  const dialog = openForm({ title, note: sizeText(kept.size), action: gettext("Save"), fields, className: "roomy manage" }, async (values) => {
    await save(kept, values);
    onChange(gettext("Saved."));
  });
  const done = (/** @type {string} */ said) => {
    dialog.close();
    onChange(said);
  };
  const smaller = kept.ways.map((way) => smallerPart(kept, way, fault, done));
  dialog.append(element("div", { class: "others" }, fault, undoPart(kept, fault, done), ...smaller, deletePart(kept, fault, done)));
}

/** @param {Kept} kept  @param {{get(name: string): string}} values */
async function save(kept, values) {
  const { name, form } = kept;
  const tags = values.get("tags").split(",");
  await post("/keep/describe/", { name, form, title: values.get("title"), note: values.get("note"), tags });
  if (values.get("name") !== name) await post("/keep/rename/", { name, form, new: values.get("name") });
}

/** @param {Kept} kept  @param {HTMLElement} fault  @param {(said: string) => void} done */
function undoPart({ name, last }, fault, done) {
  if (!last) return "";
  return part(fault, { words: undoText(last), text: gettext("Undo the last intervention") }, async () => {
    await undo(name, last);
    done(gettext("Undone."));
  });
}

/** @param {Kept} kept  @param {Shrinking} way  @param {HTMLElement} fault  @param {(said: string) => void} done */
function smallerPart({ name, form }, { way, saves, moments, branches }, fault, done) {
  const size = sizeText(saves);
  const lost = [fill(gettext("Saves about %(size)s."), { size })];
  if (way === "moments") lost.push(fill(ngettext("Lost for good: branches and interviews at earlier moments (%(count)s checkpoint).", "Lost for good: branches and interviews at earlier moments (%(count)s checkpoints).", moments), { count: moments.toLocaleString(language) }));
  else lost.push(gettext("It can be watched and branched then, but not go on. What it was lies in the bin for a day."));
  if (branches.length) lost.push(fill(gettext("Can no longer be compared with it: %(names)s."), { names: branches.join(", ") }));
  const text = way === "moments" ? gettext("Drop earlier moments") : gettext("Keep only a recording");
  const again = way === "moments" ? gettext("Drop them for good") : "";
  return part(fault, { words: element("p", { class: "note" }, lost.join(" ")), text, again }, async () => {
    await shrunk({ name, form, way, id: newId() });
    done(gettext("It is smaller now."));
  });
}

/** Asks until it is done. @param {{name: string, form: string, way: string, id: string}} request */
async function shrunk(request) {
  while ((await post("/keep/shrink/", request)).status === 202) await sleep(PAUSE);
}

/** @param {Kept} kept  @param {HTMLElement} fault  @param {(said: string) => void} done */
function deletePart({ name, form }, fault, done) {
  const words = element("p", { class: "note" }, gettext("What is deleted can be restored for a day."));
  return part(fault, { words, text: gettext("Delete"), className: "grave" }, async () => {
    await post("/keep/delete/", { name, form });
    done(gettext("Deleted. It can be restored from the bin for a day."));
  });
}

/**
 * Words, and the button that does what they say: at a second press if it then says something else.
 * @param {HTMLElement} fault  @param {{words: HTMLElement, text: string, again?: string, className?: string}} button
 * @param {() => Promise<void>} action
 */
function part(fault, { words, text, again = "", className = "" }, action) {
  const button = element("button", { type: "button", class: `button plain ${className}`.trim() }, text);
  button.addEventListener("click", () => {
    setText(fault, "");
    if (again && button.textContent === text) {
      button.classList.add("grave");
      setText(button, again);
      return;
    }
    carryOut(button, action, (error) => setText(fault, error.message));
  });
  return element("section", {}, words, button);
}

/** `12.4 MB` in the language of the reader. @param {number} size  bytes */
function sizeText(size) {
  const level = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  const number = size / 1000 ** level;
  return number.toLocaleString(language, { style: "unit", unit: UNITS[level], maximumFractionDigits: number < 10 ? 1 : 0 });
}
