/** What a user can do with a person, below its card: ask, talk, whisper, change. */

import { element, setText } from "../dom.js";
import { fill, gettext, language } from "../translation.js";
import { START } from "../playback/backend_status.js";
import { ConversationDialog } from "./conversation.js";
import { deedButton } from "../acting/deed_button.js";
import { openCharacter, openMemory, openWhisper } from "../acting/forms/inner_life.js";
import { openMovingAway } from "../acting/forms/moving.js";
import { signInLink } from "../acting/sign_in.js";
/** @import { Actor } from "../acting/actor.js" */
/** @import { AskedWords } from "./conversation.js" */
/** @import { Persona } from "../dom.js" */
/** @import { Line } from "../playback/dialogue.js" */

/** Questions to begin with, in English and in the language of the page. @type {Array<[string, () => string]>} */
const SUGGESTIONS = [
  ["Tell me about yourself.", () => gettext("Tell me about yourself.")],
  ["What is new?", () => gettext("What is new?")],
  ["What are you going to do today?", () => gettext("What are you going to do today?")],
];

export class CardActions {
  /**
   * @param {HTMLElement} box  @param {Actor} actor
   * @param {{onFault: (error: Error) => void, only?: ?string[]}} options  `only` names what is offered
   */
  constructor(box, actor, { onFault, only = null }) {
    this.only = only;
    this.box = box;
    this.actor = actor;
    this.onFault = onFault;
    this.key = "";
    /** @type {?Persona} */
    this.persona = null;
    this.present = true; // whether the persona is in town
  }

  /** @param {?Persona} persona  the one on the card */
  choose(persona) {
    this.persona = persona;
    this.update();
  }

  /** Who moved away, or has not come yet, can neither be asked nor whispered to. @param {boolean} present */
  setPresence(present) {
    if (present === this.present) return;
    this.present = present;
    this.update();
  }

  /** Shows what can be done now; called whenever the status changes. */
  update() {
    const { actor, persona } = this;
    const key = persona && this.present && !persona.visitor ? `${persona.name} ${actor.wayToAsk} ${actor.mayAct}` : "";
    if (key === this.key) return;
    this.key = key;
    this.box.hidden = !key || actor.wayToAsk === "no";
    this.box.replaceChildren(...(this.box.hidden ? [] : this.#content()));
  }

  /** Opens what a key stands for. @param {string} name  @returns {boolean} whether it could */
  open(name) {
    const button = this.box.querySelector(`[data-deed=${name}]`);
    button?.click();
    return Boolean(button);
  }

  #content() {
    const { wayToAsk, mayAct } = this.actor;
    if (wayToAsk === "sign in") return [signInLink()];
    if (wayToAsk === "start") return [startHint(this.persona.name)];
    const ask = this.#button("ask", "button", () => this.#ask(), [gettext("Ask"), gettext("will not be remembered")]);
    if (!mayAct || this.only) return [element("div", { class: "main" }, ask)];
    const talk = this.#button("talk", "button", () => this.#talk(), [gettext("Talk"), gettext("will be remembered")]);
    const persona = () => this.persona;
    const deeds = [
      this.#button("whisper", "link", () => openWhisper(this.actor, persona()), [gettext("Whisper …")]),
      this.#button("memory", "link", () => openMemory(this.actor, persona()), [gettext("Plant a memory …")]),
      this.#button("character", "link", () => openCharacter(this.actor, persona()), [gettext("Edit the character …")]),
      this.#button("away", "link", () => openMovingAway(this.actor, persona()), [gettext("Move away …")]),
    ];
    return [element("div", { class: "main" }, ask, talk), element("div", { class: "others" }, ...deeds)];
  }

  /**
   * @param {string} name  @param {string} className  @param {() => unknown} action
   * @param {[string, string?]} words  of the button: what it does, and what comes of it
   */
  #button(name, className, action, [text, more]) {
    const words = more ? [text, " ", element("small", {}, more)] : [text];
    return deedButton({ name, class: className, onFault: this.onFault }, words, action);
  }

  async #ask() {
    const { actor, persona } = this;
    const at = await actor.moment();
    const saved = actor.wayToAsk === "saved" ? gettext("The answers are as of the last save.") : "";
    const when = at === null ? saved : fill(gettext("The answers are as of step %(step)s."), { step: at.toLocaleString(language) });
    const note = [when, actor.languageNote].filter(Boolean).join(" ");
    const suggestions = SUGGESTIONS.map(([english, own]) => (actor.languageNote ? english : own()));
    const say = (/** @type {AskedWords} */ asked) => actor.interview({ who: persona.name, at, ...asked });
    new ConversationDialog(
      { mode: "ask", persona, page: actor.page },
      { say, links: actor.linksTo(persona) },
      { note, suggestions },
    );
  }

  #talk() {
    const { actor, persona } = this;
    const say = (/** @type {AskedWords} */ asked) => actor.ask({ request: "say", who: persona.name, ...asked });
    const finish = (/** @type {{role: string, lines: Line[]}} */ { role, lines }) => {
      const text = fill(gettext("Talk with %(name)s"), { name: persona.name });
      return actor.intervene({ kind: "talk", who: persona.name, as: role, lines }, text);
    };
    const channel = { say, finish, links: actor.linksTo(persona) };
    new ConversationDialog({ mode: "talk", persona, page: actor.page }, channel, { note: actor.languageNote });
  }
}

/** @param {string} name */
function startHint(name) {
  const hint = element("p", { class: "note" });
  setText(
    hint,
    fill(gettext("To ask %(name)s, start the engine. Type in the project folder:"), { name: name.split(" ")[0] }),
  );
  return element("div", {}, hint, element("code", {}, START));
}
