/** The dialog of a simulation as a whole: title, tags, note, name; delete; undo the last intervention. */

import { carryOut } from "../acting/deed_button.js";
import { newId } from "../acting/engine.js";
import { textField } from "../acting/forms/fields.js";
import { openForm } from "../acting/forms/form_dialog.js";
import { element, setText } from "../dom.js";
import { get, post, sleep } from "../server.js";
import { fill, gettext, language, ngettext } from "../translation.js";
import { sizeText } from "./size_text.js";
import { undo, undoText } from "./undoing.js";
/** @import { LastChange } from "./undoing.js" */

const PAUSE = 200; // milliseconds between two questions whether something is done

/**
 * @typedef {{way: "moments"|"vectors"|"recording", saves: number, moments: number, embedders: string[], branches: string[]}}
 *   Shrinking  a way to make a simulation smaller: bytes that become free, and what is lost: checkpoints, vectors that are
 *   not in use, what branches have in common with it
 * @typedef {{name: string, form: "saved"|"compressed", title: string, note: string, tags: string[], size: number,
 *   last: ?LastChange, ways: Shrinking[], pages: Array<{address: string, title: string, question: string}>}} Kept  a simulation or recording, as /kept/ tells of it
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
  if (kept.pages.length) dialog.querySelector("form").before(pageLinks(kept));
  dialog.append(element("div", { class: "others" }, fault, undoPart(kept, fault, done), ...smaller, deletePart(kept, fault, done)));
}

/** Links to the pages that look closer at a run. @param {Kept} kept */
function pageLinks({ pages }) {
  const links = pages.map(({ address, title, question }) => element("a", { href: address, title: question }, title));
  return element("nav", { class: "closer", "aria-label": gettext("Look closer at this run") }, element("span", {}, gettext("Look closer:")), ...links);
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

/** @param {Kept} kept  @param {Shrinking} shrinking  @param {HTMLElement} fault  @param {(said: string) => void} done */
function smallerPart({ name, form }, shrinking, fault, done) {
  const { way, saves, branches } = shrinking;
  const lost = [fill(gettext("Saves about %(size)s."), { size: sizeText(saves) }), lossText(shrinking)];
  if (branches.length) lost.push(fill(gettext("Can no longer be compared with it: %(names)s."), { names: branches.join(", ") }));
  const texts = { moments: gettext("Drop earlier moments"), vectors: gettext("Drop unused vectors"), recording: gettext("Keep only a recording") };
  const again = way === "recording" ? "" : gettext("Drop them for good");
  return part(fault, { words: element("p", { class: "note" }, lost.join(" ")), text: texts[way], again }, async () => {
    await shrunk({ name, form, way, id: newId() });
    done(gettext("It is smaller now."));
  });
}

/** Returns what is no longer possible afterwards. @param {Shrinking} shrinking */
function lossText({ way, moments, embedders }) {
  if (way === "moments") return fill(ngettext("Lost for good: branches and interviews at earlier moments (%(count)s checkpoint).", "Lost for good: branches and interviews at earlier moments (%(count)s checkpoints).", moments), { count: moments.toLocaleString(language) });
  if (way === "vectors") return fill(gettext("Lost for good: vectors of memories by %(names)s, which this town does not use now. Whoever opens it with that again has them made again; a paid provider takes money for it."), { names: embedders.join(", ") });
  return gettext("It can be watched and branched then, but not go on. What it was lies in the bin for a day.");
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
