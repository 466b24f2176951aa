/** A list of the objects of a town, those in view first, for users without a mouse, or who do not see the map. */

import { element } from "../../dom.js";
import { capitalize } from "../../panel/descriptions.js";
import { findObjects } from "../../panel/object_search.js";
import { recordedElement } from "../../recorded.js";
import { gettext } from "../../translation.js";
import { openDialog } from "./form_dialog.js";
import { stateText } from "./object_states.js";
import { whereabouts } from "../places.js";
/** @import { Actor } from "../actor.js" */
/** @import { PlaceMenu } from "./place_menu.js" */
/** @import { TownObject } from "../places.js" */
/** @import { Found } from "../../panel/object_search.js" */
/** @import { Lasting } from "../../playback/status_watch.js" */

const SHOWN = 60; // objects at a time

/**
 * @typedef {{menu: PlaceMenu, nearest: (objects: TownObject[]) => TownObject[], look: (object: TownObject) => ?[number, number]}} ObjectMap
 *   `nearest` sorts objects by their distance from what the map shows; `look` shows one there, and returns where in the
 *   window
 */

/** @param {Actor} actor  @param {ObjectMap} town */
export async function openObjects(actor, { menu, nearest, look }) {
  const places = await actor.places();
  const objects = nearest(places.objects);
  const search = element("input", {
    type: "search",
    autofocus: true,
    placeholder: gettext("stove, cafe …"),
    "aria-label": gettext("Search the objects"),
  });
  const list = element("ul", { class: "objects", "aria-label": gettext("Objects") });
  const none = element("p", { class: "note", hidden: true }, gettext("No object matches."));
  const note = gettext("The nearest to what the map shows come first. You can also click an object on the map.");
  const dialog = openDialog({ title: gettext("Change an object"), note, className: "form list" }, search, list, none);
  const lasting = new Map((actor.status?.lasting ?? []).map((one) => [one.where, one]));
  const show = () => {
    const found = findObjects(objects, search.value, places.words).slice(0, SHOWN);
    none.hidden = found.length > 0;
    list.replaceChildren(...found.map((one) => element("li", {}, row(one, lasting.get(one.object.address)))));
  };
  /** @param {Found} found  @param {Lasting} [state] */
  const row = ({ object, called }, state) => {
    const where = recordedElement("span", {}, whereabouts(object.address));
    const now = state ? ` · ${stateText(object.name, state.words)}` : "";
    const button = element(
      "button",
      { type: "button" },
      recordedElement("strong", {}, capitalize(object.name)),
      element("span", {}, called && `${called} · `, where, now),
    );
    button.addEventListener("click", () => {
      dialog.close();
      menu.openObject(object, state ?? null, look(object));
    });
    return button;
  };
  search.addEventListener("input", show);
  show();
}
