/** The list of people: what each is doing, and where. Click or press Enter to follow someone. */

import { element, setText } from "../dom.js";
import { describe } from "./descriptions.js";

export class PeopleList {
  /** @param {HTMLElement} list  @param {{static: string, personas: Object[]}} page  @param {function(string)} onPick */
  constructor(list, page, onPick) {
    this.rows = new Map();
    list.replaceChildren();
    this.add = (persona) => {
      const row = makeRow(persona, page.static, onPick);
      this.rows.set(persona.name, row);
      list.append(row.item);
    };
    page.personas.forEach(this.add);
  }

  /** Shows what everyone is doing who is in town. */
  update(frame) {
    for (const [name, { item, emoji, doing, where }] of this.rows) {
      const record = frame[name];
      item.hidden = !record;
      if (!record) continue;
      const words = describe(record);
      setText(emoji, record.pronunciatio);
      setText(doing, words.doing);
      setText(where, words.where);
    }
  }

  choose(chosen) {
    for (const [name, { button }] of this.rows) button.setAttribute("aria-pressed", String(name === chosen));
  }
}

function makeRow(persona, base, onPick) {
  const emoji = element("span", { class: "emoji", "aria-hidden": "true" });
  const doing = element("span", { class: "doing" });
  const where = element("span", { class: "where" });
  const portrait = portraitImage(persona, base);
  const words = element("span", { class: "words" }, element("strong", {}, persona.name), doing, where);
  const button = element("button", { type: "button", class: "row", "aria-pressed": "false" }, portrait, words, emoji);
  button.addEventListener("click", () => onPick(persona.name));
  return { item: element("li", {}, button), button, emoji, doing, where };
}

export function portraitImage(persona, base) {
  return element("img", {
    src: `${base}assets/characters/portraits/${persona.sprite}.png`,
    alt: "",
    class: "portrait",
  });
}
