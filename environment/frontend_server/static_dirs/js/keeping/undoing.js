/** Undoing the last intervention: the town goes back to the moment before it. */

import { askEngine } from "../acting/engine.js";
import { openForm } from "../acting/forms/form_dialog.js";
import { element } from "../dom.js";
import { dateText, momentOf, timeText } from "../playback/clock.js";
import { Refused, get } from "../server.js";
import { fill, gettext, language } from "../translation.js";

/** @typedef {{number: number, step: number, time: string, words: string}} LastChange  an intervention that can be undone */

/** Asks the engine, which closes and opens the town if it is open. @param {string} name  @param {LastChange} last */
export const undo = (name, last) => askEngine({ request: "undo", name, number: last.number }, { text: gettext("Undo") });

/** What would be undone, and what that means. @param {LastChange} last */
export function undoText({ time, words }) {
  const when = `${dateText(momentOf(time), language, { short: true })}, ${timeText(momentOf(time))}`;
  const about = element("strong", {}, fill(gettext("%(when)s: %(words)s"), { when, words }));
  return element("p", { class: "note" }, about, " ", gettext("The town goes back to the moment before it. What came after it lies in the bin for a day."));
}

/** Offers to undo the last intervention of the open town. @param {string} name */
export async function openUndo(name) {
  const { last } = await get(`/kept/saved/${encodeURIComponent(name)}/`);
  if (!last) throw new Refused(null, gettext("There is nothing to undo: this town was not changed from outside."));
  openForm({ title: gettext("Undo the last intervention"), action: gettext("Undo"), fields: [undoText(last)] }, async () => {
    await undo(name, last);
    location.reload();
  });
}
