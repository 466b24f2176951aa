/** The form with which a user joins a town as a visitor. */

import { fill, gettext } from "../translation.js";
import { checkField, choiceField, textField } from "../acting/forms/fields.js";
import { openForm } from "../acting/forms/form_dialog.js";
import { lookField } from "../acting/forms/fields.js";
import { keepName, ownName } from "../acting/forms/own_name.js";
/** @import { Actor } from "../acting/actor.js" */
/** @import { Places, Tile } from "../acting/places.js" */

const LONGEST_NAME = 60;
const LONGEST_WORDS = 500;
const HERE = ""; // where the map shows now
const READY = /^visitor/i; // looks that no persona has
const RUN_FOR = 12 * 60; // minutes for which a town runs that stood still

/**
 * @param {Actor} actor
 * @param {{middle: () => Tile, onJoin: (name: string) => void}} town  `middle` is the tile in the middle of the map;
 *   `onJoin` gets the name of the visitor
 */
export async function openJoining(actor, { middle, onJoin }) {
  const [looks, places] = await Promise.all([actor.looks(), actor.places()]);
  const stands = !actor.isRunning;
  const own = looks.filter(({ look }) => READY.test(look));
  /** @type {Array<[string, string]>} */
  const spots = places.sectors.map(({ name }) => [name, fill(gettext("in front of %(place)s"), { place: name })]);
  const fields = [
    textField({
      name: "name",
      label: gettext("Your name"),
      value: ownName(),
      maxlength: LONGEST_NAME,
      required: true,
      autofocus: true,
      autocomplete: "name",
      hint: gettext("Letters, blanks, hyphens and apostrophes; a name that is free in this town."),
    }),
    lookField(own.length ? own : looks, actor.page.static),
    textField({
      name: "about",
      label: gettext("A sentence about you"),
      placeholder: gettext("a painter who passes through"),
      maxlength: LONGEST_WORDS,
      required: true,
      hint: gettext("This is what people know when they see you."),
    }),
    choiceField({ name: "where", label: gettext("Where do you arrive?") }, [[HERE, gettext("where the map shows now")], ...spots]),
    ...(stands ? [checkField({ name: "run", label: gettext("Let the town run: it stands still"), checked: true })] : []),
  ];
  const note = gettext("You walk through the town and talk with people. They see you, and remember you.");
  return openForm(
    { title: gettext("Join as a visitor"), note, action: gettext("Join"), fields, className: "roomy" },
    async (form) => {
      const name = form.get("name").trim();
      const tile = arrival(places, form.get("where"), middle());
      if (!tile) throw new Error(gettext("You cannot arrive there. Choose another place."));
      keepName(name);
      const text = fill(gettext("%(name)s arrives"), { name });
      await actor.intervene(
        { kind: "visitor_in", name, look: form.get("look"), about: form.get("about").trim(), tile },
        text,
      );
      onJoin(name);
      if (form.has("run")) await letRun(actor);
    },
  );
}

/** Lets a town that stands still run on. @param {Actor} actor */
export function letRun(actor) {
  const paused = actor.status?.backend === "paused";
  const request = paused ? { request: "run" } : { request: "run", steps: actor.steps(RUN_FOR) };
  return actor.ask(request, gettext("Let the town run"));
}

/**
 * A tile in front of a building, or near the middle of the map.
 * @param {Places} places  @param {string} sector  @param {Tile} middle
 */
function arrival(places, sector, middle) {
  const building = places.sectors.find(({ name }) => name === sector);
  if (!building) return places.arrivalNear(middle);
  const [x, y, width, height] = building.box;
  return places.arrivalNear([x + Math.floor(width / 2), y + height]);
}
