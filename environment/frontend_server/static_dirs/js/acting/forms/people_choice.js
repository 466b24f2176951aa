/** A dialog in which a person is chosen. */

import { element } from "../../dom.js";
import { portraitImage } from "../../panel/people_list.js";
import { gettext } from "../../translation.js";
import { openDialog } from "./form_dialog.js";
/** @import { Persona } from "../../dom.js" */

/**
 * @param {Persona[]} people  @param {string} base of static files
 * @param {{title: string, onPick: (persona: Persona) => void}} options
 */
export function openPeople(people, base, { title, onPick }) {
  const list = element("ul", { class: "people-choice", "aria-label": gettext("People") });
  const dialog = openDialog({ title, className: "form list" }, list);
  list.append(
    ...people.map((persona) => {
      const button = element(
        "button",
        { type: "button" },
        portraitImage(persona, base),
        element("strong", {}, persona.name),
      );
      button.addEventListener("click", () => {
        dialog.close();
        onPick(persona);
      });
      return element("li", {}, button);
    }),
  );
  list.querySelector("button")?.focus();
}
