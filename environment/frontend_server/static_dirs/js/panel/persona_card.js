/** The card of the followed persona: activity, place, and the current conversation. */

import { element, setText } from "../dom.js";
import { whyAddress } from "../asking/why_link.js";
import { doingElement, showDoing } from "../doings.js";
import { fillRecorded, recorded } from "../recorded.js";
import { gettext } from "../translation.js";
import { portraitImage } from "./people_list.js";
import { describe } from "./descriptions.js";
import { LiveDialogue, makeLine } from "./live_dialogue.js";
/** @import { Page, Persona } from "../dom.js" */
/** @import { Line } from "../playback/dialogue.js" */
/** @import { Frame } from "../playback/frames.js" */
/** @import { Talk } from "../playback/talks.js" */

export class PersonaCard {
  /** @param {HTMLElement} box  @param {Page} page  @param {() => void} onClose */
  constructor(box, page, onClose) {
    this.box = box;
    this.page = page;
    this.onClose = onClose;
    /** @type {?Persona} */
    this.persona = null;
    /** @type {?string} */
    this.except = null; // name of a persona who has no card
    /** @type {(persona: ?Persona) => void} */
    this.onChoose = () => {}; // gets the persona on the card, or null
    /** @type {(present: boolean) => void} */
    this.onPresence = () => {}; // gets whether that persona is in town
    this.deeds = element("div", { class: "deeds", hidden: true });
  }

  /** @param {string} name */
  choose(name) {
    const known = this.page.personas.find((persona) => persona.name === name) ?? null;
    this.persona = known?.name === this.except ? null : known;
    this.box.hidden = !this.persona;
    this.onChoose(this.persona);
    if (!this.persona) return;
    this.box.parentElement.scrollTop = 0;
    this.doing = element("p", { class: "doing" });
    this.task = element("p", { class: "task" });
    this.where = element("p", { class: "where" });
    this.link = element("a", { class: "more", hidden: this.persona.visitor }, gettext("State details"));
    this.why = element("a", { class: "more", hidden: !this.page.why || this.persona.visitor }, gettext("Why?"));
    this.about = element("p", { class: "about" }, this.persona.about ?? "");
    this.dialogue = new LiveDialogue((speaker, words) => this.#whyOf(speaker, words));
    const close = element("button", { type: "button", class: "close", "aria-label": gettext("Stop following") }, "×");
    close.addEventListener("click", this.onClose);
    this.emoji = element("span", { class: "emoji", "aria-hidden": "true" });
    const title = element("h2", {}, this.persona.name, " ", this.emoji);
    const head = element(
      "div",
      { class: "head" },
      portraitImage(this.persona, this.page.static),
      element("div", {}, title, this.doing),
    );
    this.box.replaceChildren(close, head, this.about, this.task, this.where, this.deeds, this.dialogue.box, this.link, this.why);
  }

  /** @param {Frame} frame  @param {number} step for the link to the state page  @param {Talk[]} talks of the frame */
  update(frame, step, talks) {
    if (!this.persona) return;
    const record = frame[this.persona.name];
    const words = describe(record);
    this.onPresence(Boolean(record));
    setText(this.emoji, record?.pronunciatio ?? "");
    if (record) showDoing(this.doing, words.doing);
    else setText(recorded(this.doing, false), gettext("Not in town at this time."));
    this.#showTask(words.task);
    setText(this.where, words.where);
    recorded(this.where, words.isPlace);
    const state = stateUrl(this.page, step, this.persona.underscore);
    if (this.link.getAttribute("href") !== state) this.link.href = state;
    const { name } = this.persona;
    this.step = step;
    this.why.hidden = !this.page.why || !record || this.persona.visitor;
    if (!this.why.hidden) this.why.href = whyAddress(this.page, { who: name, step });
    this.dialogue.box.hidden = !record;
    this.dialogue.show(name, talks.find(({ names }) => names.includes(name)) ?? null);
  }

  /** Address of the causes of a line; null for one of a visitor or a user. @param {string} speaker  @param {string} words */
  #whyOf(speaker, words) {
    const known = this.page.personas.find((persona) => persona.name === speaker && !persona.visitor);
    return known ? whyAddress(this.page, { who: speaker, step: this.step, said: words }) : null;
  }

  /** @param {string} task */
  #showTask(task) {
    if (this.task.dataset.task === task) return;
    this.task.dataset.task = task;
    this.task.replaceChildren(...(task ? fillRecorded(gettext("Part of: %(task)s"), { task: doingElement("span", {}, task) }) : []));
  }
}

/**
 * Address of a persona's state page at a step.
 * @param {{sim_code: string, store?: string}} page  @param {number} step  @param {string} underscore  of the persona
 */
export function stateUrl({ sim_code: simulation, store }, step, underscore) {
  const query = store ? `?store=${store}` : "";
  return `/replay_persona_state/${simulation}/${step}/${encodeURIComponent(underscore)}/${query}`;
}

/** Renders a conversation; the lines of `own` are on the other side. @param {Line[]} chat  @param {string} own */
export function renderDialogue(chat, own) {
  return element("ol", { class: "lines" }, ...chat.map((line) => makeLine(line, own)));
}
