/** Forms for what happens to objects, and at places. */

import { element } from "../../dom.js";
import { capitalize } from "../../panel/descriptions.js";
import { fill, gettext, ngettext } from "../../translation.js";
import { choiceField, textField } from "./fields.js";
import { openForm } from "./form_dialog.js";
import { IDLE, stateText, verbOf } from "./object_states.js";
import { nameOf, placesByBuilding, whereabouts } from "../places.js";
/** @import { Actor } from "../actor.js" */
/** @import { Places } from "../places.js" */

const LONGEST = 200; // characters of a state or an event, as in the engine
const UNTIL_PUT_RIGHT = "";
const MINUTES = ["10", "30", "60", "180"]; // choices for how long a state lasts
const USUAL = "5"; // minutes of an event

/**
 * Lets an object be in a state.
 * @param {Actor} actor  @param {string} address  @param {string} state
 * @param {{until?: ?number}} options  the step at which it ends by itself
 */
export function setState(actor, address, state, { until = null } = {}) {
  const name = nameOf(address);
  const text = state === IDLE ? fill(gettext("Put right: %(name)s"), { name }) : stateText(name, state);
  return actor.intervene(
    { kind: "object", where: address, state, until },
    `${capitalize(text)} (${whereabouts(address)})`,
  );
}

/** @param {Actor} actor  @param {{address: string, name: string}} object  @param {{state?: string}} options */
export function openState(actor, object, { state = "" } = {}) {
  const words = textField({
    name: "state",
    label: fill(gettext("%(name)s is …"), { name: capitalize(object.name) }),
    value: state,
    placeholder: gettext("covered in mud"),
    maxlength: LONGEST,
    required: true,
    autofocus: true,
  });
  /** @type {Array<[string, string]>} */
  const lasting = [
    [UNTIL_PUT_RIGHT, gettext("until someone puts it right")],
    ...MINUTES.map((minutes) => /** @type {[string, string]} */ ([minutes, durationText(Number(minutes))])),
  ];
  const until = choiceField({ name: "minutes", label: gettext("How long") }, lasting);
  const form = {
    title: capitalize(object.name),
    note: whereabouts(object.address),
    action: gettext("Change"),
    fields: [words, until],
  };
  return openForm(form, (values) => {
    const minutes = values.get("minutes");
    return setState(actor, object.address, values.get("state").trim(), {
      until: minutes === UNTIL_PUT_RIGHT ? null : actor.stepAfter(Number(minutes)),
    });
  });
}

/**
 * @param {Actor} actor
 * @param {?{sector: string, arena?: string}} place  where it happens; without one, the form asks
 */
export async function openEvent(actor, place = null) {
  const places = await actor.places();
  const where = place
    ? choiceField({ name: "where", label: gettext("Who sees or hears it?") }, audiences(places, place))
    : whereField(places);
  const fields = [
    textField({
      name: "words",
      label: gettext("What happens?"),
      placeholder: gettext("the fire alarm rings"),
      maxlength: LONGEST,
      required: true,
      autofocus: true,
      hint: gettext("A sentence that says what can be seen or heard."),
    }),
    where,
    textField({
      name: "minutes",
      label: gettext("For how many minutes?"),
      type: "number",
      min: 1,
      max: 1440,
      value: USUAL,
      required: true,
      inputmode: "numeric",
    }),
  ];
  const title = gettext("Something happens");
  return openForm(
    { title, note: place ? placeTitle(place) : "", action: gettext("Let it happen"), fields },
    (values) => {
      const words = values.get("words").trim();
      const steps = actor.steps(Number(values.get("minutes")));
      const text = `${capitalize(words)} (${nameOf(values.get("where"))})`;
      return actor.intervene({ kind: "event", where: values.get("where"), words, steps }, text);
    },
  );
}

/** `Hobbs Cafe · cafe`. @param {{sector: string, arena?: string}} place */
export function placeTitle({ sector, arena = "" }) {
  return whereabouts(`:${sector}:${arena}`);
}

/**
 * Those around a place: in its room, its building, the town.
 * @param {Places} places  @param {{sector: string, arena?: string}} place  @returns {Array<[string, string]>}
 */
function audiences(places, { sector, arena }) {
  /** @type {Array<[string, string]>} */
  const room = arena ? [[places.address(sector, arena), gettext("everybody in this room")]] : [];
  return [
    ...room,
    [places.address(sector), fill(gettext("everybody in the building: %(name)s"), { name: sector })],
    [places.address(), gettext("the whole town")],
  ];
}

/**
 * A choice of a room, a building or the town.
 * @param {Places} places  @param {{name?: string, label?: string, optional?: boolean}} field
 */
export function whereField(places, { name = "where", label = gettext("Where?"), optional = false } = {}) {
  const groups = placesByBuilding(places, (room) => capitalize(room.name));
  for (const [sector, rooms] of groups)
    if (rooms.length > 1) rooms.unshift([places.address(sector), gettext("the whole building")]);
  /** @type {Array<[string, string]>} */
  const none = optional ? [["", "–"]] : [];
  /** @type {Map<string, Array<[string, string]>>} */
  const all = new Map([[places.world, [...none, [places.address(), gettext("the whole town")]]], ...groups]);
  return choiceField({ name, label }, all);
}

/** @param {number} minutes */
function durationText(minutes) {
  if (minutes % 60) return fill(ngettext("for %(count)s minute", "for %(count)s minutes", minutes), { count: minutes });
  return fill(ngettext("for %(count)s hour", "for %(count)s hours", minutes / 60), { count: minutes / 60 });
}

/** Buttons for the ready states of an object. @param {string[]} states  @param {(state: string) => void} onPick */
export function stateButtons(states, onPick) {
  return states.map((state) => {
    const button = element("button", { type: "button", class: "button plain" }, verbOf(state));
    button.addEventListener("click", () => onPick(state));
    return button;
  });
}
