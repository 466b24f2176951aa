/** Texts of the panel: what people do, where, and with whom. Pure functions. */

import { parseDescription } from "../playback/frames.js";
import { fill, gettext } from "../translation.js";

export function capitalize(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : text;
}

/** Returns {doing, task, where, isPlace} of a record; texts are empty while unknown. `where` may name a person instead. */
export function describe(record) {
  const { doing, task, place } = parseDescription(record?.description ?? "");
  return { doing: capitalize(doing), task: capitalize(task ?? ""), where: placeText(place), isPlace: !place.withPersona };
}

/** Describes an address from parseAddress. Leaves out an arena whose name is part of its sector's. */
export function placeText({ withPersona, sector = "", arena = "", object }) {
  if (withPersona) return fill(gettext("with %(name)s"), { name: withPersona });
  const room = sector.toLowerCase().includes(arena.toLowerCase()) ? "" : arena;
  return capitalize([sector, room, object].filter(Boolean).join(" · "));
}

/** Returns the other speakers of a conversation. */
export function partnersOf(name, chat) {
  return [...new Set((chat ?? []).map(([speaker]) => speaker))].filter((speaker) => speaker !== name);
}
