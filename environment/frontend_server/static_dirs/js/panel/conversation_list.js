/** The list of conversations: who talked with whom, when, about what. A click jumps to the conversation. */

import { element } from "../dom.js";
import { dateText, timeText } from "../playback/clock.js";
import { doingElement } from "../doings.js";
import { language } from "../translation.js";
import { portraitImage } from "./people_list.js";
import { capitalize } from "./descriptions.js";
/** @import { Persona } from "../dom.js" */
/** @import { Clock } from "../playback/clock.js" */
/** @import { Conversation } from "../playback/talks.js" */

export class ConversationList {
  /**
   * @param {HTMLElement} list
   * @param {{static: string, personas?: Persona[]}} page
   * @param {{clock: Clock, onPick: (talk: Conversation) => void}} run
   */
  constructor(list, page, { clock, onPick }) {
    this.list = list;
    this.page = page;
    this.clock = clock;
    this.onPick = onPick;
    /** @type {Array<{talk: Conversation, button: HTMLButtonElement}>} */
    this.rows = [];
    this.known = new Map(); // rows by first step and names
  }

  /** Lists conversations; those that are listed already keep their rows. @param {Conversation[]} conversations */
  set(conversations) {
    const before = this.rows.length;
    this.rows = conversations.map((talk) => {
      const key = `${talk.first} ${talk.names[0]}`;
      const row = this.known.get(key) ?? { button: makeRow(talk, this) };
      this.known.set(key, row);
      return Object.assign(row, { talk });
    });
    if (this.rows.length !== before) this.list.replaceChildren(...withDays(this.rows, this.clock));
  }

  /**
   * Marks the conversations that go on at a step, and those of the chosen persona.
   * @param {number} step  @param {?string} chosen
   */
  update(step, chosen) {
    for (const { talk, button } of this.rows) {
      mark(button, "aria-current", talk.first <= step && step <= talk.last);
      mark(button, "data-theirs", talk.names.includes(chosen));
    }
    this.step = step;
  }

  /** Scrolls to the latest conversation. */
  reveal() {
    const latest = this.rows.findLast(({ talk }) => talk.first <= this.step);
    latest?.button.scrollIntoView({ block: "center" });
  }
}

/** @param {HTMLElement} button  @param {string} name  @param {boolean} holds */
function mark(button, name, holds) {
  if (holds === button.hasAttribute(name)) return;
  if (holds) button.setAttribute(name, "true");
  else button.removeAttribute(name);
}

/** Returns the rows, with a heading for every day. @param {ConversationList["rows"]} rows  @param {Clock} clock */
function withDays(rows, clock) {
  let day = "";
  return rows.flatMap(({ talk, button }) => {
    const date = dateText(clock.at(talk.first), language);
    const heading = date === day ? [] : [element("li", { class: "day" }, date)];
    day = date;
    return [...heading, element("li", {}, button)];
  });
}

/** @param {Conversation} talk  @param {ConversationList} list */
function makeRow(talk, { page, clock, onPick }) {
  const people = talk.names.map((name) => page.personas.find((persona) => persona.name === name)).filter(Boolean);
  const faces = element("span", { class: "faces" }, ...people.map((persona) => portraitImage(persona, page.static, { loading: "lazy" })));
  const about = doingElement("span", { class: "doing" }, capitalize(talk.about));
  const words = element("span", { class: "words" }, element("strong", {}, talk.names.join(", ")), about);
  const time = element("time", {}, timeText(clock.at(talk.first)));
  const button = element("button", { type: "button", class: "row talk-row" }, time, words, faces);
  button.addEventListener("click", () => onPick(talk));
  return button;
}
