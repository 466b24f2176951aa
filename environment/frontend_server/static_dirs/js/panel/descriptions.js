/** Texts of the panel: what people do, where, and with whom. Pure functions. */

import { parseDescription } from "../playback/frames.js";
import { fill, gettext } from "../translation.js";
/** @import { Line } from "../playback/dialogue.js" */
/** @import { Place } from "../playback/frames.js" */

/** @param {string} text */
export function capitalize(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : text;
}

/**
 * What a record says, in words; texts are empty while unknown.
 * @param {?{description: string}} [record]
 * @returns {{doing: string, task: string, where: string, isPlace: boolean}} `where` may name a person instead of a place
 */
export function describe(record) {
  const { doing, task, place } = parseDescription(record?.description ?? "");
  return { doing: capitalize(doing), task: task ?? "", where: placeText(place), isPlace: !place.withPersona };
}

/**
 * Describes an address from parseAddress. Leaves out an arena whose name is part of its sector's.
 * @param {Place} place
 */
export function placeText({ withPersona, sector = "", arena = "", object = "" }) {
  if (withPersona) return fill(gettext("with %(name)s"), { name: withPersona });
  const room = sector.toLowerCase().includes(arena.toLowerCase()) ? "" : arena;
  return capitalize([sector, room, object].filter(Boolean).join(" · "));
}

/** Returns the other speakers of a conversation. @param {string} name  @param {?Line[]} [chat] */
export function partnersOf(name, chat) {
  return [...new Set((chat ?? []).map(([speaker]) => speaker))].filter((speaker) => speaker !== name);
}
