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

function placeText(place) {
  if (place.withPersona) return fill(gettext("with %(name)s"), { name: place.withPersona });
  return capital([place.sector, place.arena, place.object].filter(Boolean).join(" · "));
}

/** Who talks with somebody: the others among the speakers. */
export function partnersOf(name, chat) {
  return [...new Set((chat ?? []).map(([speaker]) => speaker))].filter((speaker) => speaker !== name);
}
