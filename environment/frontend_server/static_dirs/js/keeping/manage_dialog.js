/** The dialog of a simulation as a whole: title, tags, note, name; delete; undo the last intervention. */

import { askEngine } from "../acting/engine.js";
import { carryOut } from "../acting/deed_button.js";
import { openForm } from "../acting/forms/form_dialog.js";
import { element, setText } from "../dom.js";
import { get, post } from "../server.js";
import { dateText, momentOf, timeText } from "../playback/clock.js";
import { fill, gettext, language } from "../translation.js";

/**
 * @typedef {{number: number, step: number, time: string, words: string}} LastChange  an intervention that can be undone
 * @typedef {{name: string, form: "saved"|"compressed", title: string, note: string, tags: string[], size: number,
 *   last: ?LastChange}} Kept  a simulation or recording, as /kept/ tells of it
 */

/**
 * Opens the dialog of a simulation.
 * @param {string} name  @param {string} form  @param {(said: string) => void} onChange  is called after a change
 */
export async function openManageDialog(name, form, onChange) {
  const kept = /** @type {Kept} */ (await get(`/kept/${form}/${encodeURIComponent(name)}/`));
  const title = form === "saved" ? gettext("Manage this town") : gettext("Manage this recording");
  const fields = [
    field(gettext("Title"), element("input", { name: "title", maxlength: 80, value: kept.title, placeholder: name, autocomplete: "off" })),
    field(gettext("Tags"), element("input", { name: "tags", value: kept.tags.join(", "), autocomplete: "off" }), gettext("Separated by commas. Towns are grouped by them.")),
    field(gettext("Note"), element("textarea", { name: "note", maxlength: 2000, rows: 3 }, kept.note)),
    field(gettext("Short name, for addresses and commands"), element("input", { name: "name", maxlength: 100, pattern: "[\\w\\-]+", value: name, required: true, autocomplete: "off", autocapitalize: "off", spellcheck: "false" })),
  ];
  const fault = element("p", { class: "fault", role: "alert" });
  const dialog = openForm({ title, note: sizeText(kept), action: gettext("Save"), fields, className: "roomy manage" }, async (values) => {
    await save(kept, values);
    onChange(gettext("Saved."));
  });
  const done = (/** @type {string} */ said) => {
    dialog.close();
    onChange(said);
  };
  dialog.append(element("div", { class: "others" }, undoPart(kept, fault, done), deletePart(kept, fault, done), fault));
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
  if (!last) return null;
  const when = `${dateText(momentOf(last.time), language, { short: true })}, ${timeText(momentOf(last.time))}`;
  const button = element("button", { type: "button", class: "button plain" }, gettext("Undo the last intervention"));
  const words = element("p", { class: "note" }, fill(gettext("%(when)s: %(words)s"), { when, words: last.words }), " ", gettext("The town goes back to the moment before it. What came after it lies in the bin for a day."));
  button.addEventListener("click", () =>
    carryOut(button, async () => {
      setText(fault, "");
      setText(button, gettext("Going back there …"));
      try {
        await askEngine({ request: "undo", name, number: last.number });
      } finally {
        setText(button, gettext("Undo the last intervention"));
      }
      done(gettext("Undone."));
    }, (error) => setText(fault, error.message)),
  );
  return element("section", {}, words, button);
}

/** @param {Kept} kept  @param {HTMLElement} fault  @param {(said: string) => void} done */
function deletePart({ name, form }, fault, done) {
  const button = element("button", { type: "button", class: "button plain grave" }, gettext("Delete"));
  button.addEventListener("click", () =>
    carryOut(button, async () => {
      setText(fault, "");
      await post("/keep/delete/", { name, form });
      done(gettext("Deleted. It can be restored from the bin for a day."));
    }, (error) => setText(fault, error.message)),
  );
  return element("section", {}, element("p", { class: "note" }, gettext("What is deleted can be restored for a day.")), button);
}

/** @param {string} label  @param {HTMLElement} input  @param {string} [hint] */
function field(label, input, hint = "") {
  return element("label", { class: "field" }, element("span", { class: "label" }, label), input, hint ? element("small", { class: "hint" }, hint) : null);
}

/** `12.4 MB` in the language of the reader. @param {Kept} kept */
function sizeText({ size }) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const level = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  const number = size / 1000 ** level;
  return number.toLocaleString(language, { style: "unit", unit: units[level], maximumFractionDigits: number < 10 ? 1 : 0 });
}
