/** What people do, in the words of the panel. Pure. */

import { readDescription } from "../story/frames.js";
import { fill, gettext } from "../words.js";

export function capital(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : text;
}

/** {doing, task, place, where} of a record; empty texts where nothing is known yet. */
export function describe(record) {
  const { doing, task, place } = readDescription(record?.description ?? "");
  return { doing: capital(doing), task: capital(task ?? ""), where: placeText(place) };
}

/** Where somebody is, as readAddress tells; an arena that its sector is named after goes without saying. */
export function placeText({ withPersona, sector = "", arena = "", object }) {
  if (withPersona) return fill(gettext("with %(name)s"), { name: withPersona });
  const room = sector.toLowerCase().includes(arena.toLowerCase()) ? "" : arena;
  return capital([sector, room, object].filter(Boolean).join(" · "));
}

/** Who talks with somebody: the others among the speakers. */
export function partnersOf(name, chat) {
  return [...new Set((chat ?? []).map(([speaker]) => speaker))].filter((speaker) => speaker !== name);
}
