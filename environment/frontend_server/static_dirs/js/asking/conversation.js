/**
 * The dialog in which a user asks a persona (it will not remember that), or talks with it (it will). Turns are kept in
 * this tab, so that a memory can be looked up, or the page reloaded, in between.
 */

import { element, setText } from "../dom.js";
import { portraitImage } from "../panel/people_list.js";
import { recorded } from "../recorded.js";
import { fill, gettext } from "../translation.js";
import { citedMemories } from "./cited_memories.js";
import { openDialog, sendOnEnter, wait } from "../acting/forms/form_dialog.js";
import { keepName, ownName } from "../acting/forms/own_name.js";
import { forget, recall, store } from "../acting/tab_storage.js";
/** @import { Ack } from "../acting/engine.js" */
/** @import { CitedMemory, MemoryLinks } from "./cited_memories.js" */
/** @import { Page, Persona } from "../dom.js" */
/** @import { Line } from "../playback/dialogue.js" */

const LONGEST = 2000; // characters of a line, as in the engine
const LONGEST_ROLE = 60;
const INTERVIEWER = "Interviewer"; // speaker of questions without a role, as in the engine

/**
 * @typedef {{words: string, role: string, history: Line[]}} AskedWords  what is said to a persona, by whom, after what
 * @typedef {{speaker: string, words: string, own: boolean, memories?: CitedMemory[], byRules?: boolean, step?: number}} ConversationTurn
 */

export class ConversationDialog {
  /**
   * @param {{mode: "ask"|"talk", persona: Persona, page: Page}} subject
   * @param {{say: (asked: AskedWords) => Promise<Ack>,
   *   finish?: (talk: {role: string, lines: Line[]}) => Promise<Partial<Ack>>, links: (step: number) => MemoryLinks}} channel
   *   `say` gets words, role and history, and returns the acknowledgement; `finish` makes the persona remember all lines;
   *   `links` says where the memories of an answer at a step are
   * @param {{note: string, suggestions?: string[]}} options  `note` is what else the user should know, such as as of when
   *   the persona answers; `suggestions` are first lines
   */
  constructor({ mode, persona, page }, channel, { note, suggestions = [] }) {
    this.suggestions = suggestions;
    this.mode = mode;
    this.persona = persona;
    this.channel = channel;
    /** @type {string} */
    this.first = persona.name.split(" ")[0];
    this.key = `conversation ${page.store ?? "saved"} ${page.sim_code} ${mode} ${persona.name}`;
    const kept = recall(this.key);
    /** @type {ConversationTurn[]} */
    this.turns = kept?.turns ?? [];
    /** @type {string} */
    this.role = kept?.role ?? "";
    this.as = kept?.as ?? "self";
    this.over = kept?.over ?? false;
    this.#build(page, note, kept);
    for (const turn of this.turns) this.#show(turn);
    this.#update();
  }

  get #talks() {
    return this.mode === "talk";
  }

  /** @param {Page} page  @param {string} note  @param {?{as: string, role: string}} kept */
  #build(page, note, kept) {
    this.lines = element("ol", { class: "lines" });
    this.log = element("div", { class: "log", role: "log", "aria-label": gettext("Conversation"), tabindex: "0" }, this.lines);
    this.fault = element("p", { class: "fault", role: "alert" });
    this.thinking = element("p", { class: "thinking", role: "status" });
    this.words = element("textarea", { name: "words", rows: 2, maxlength: LONGEST, required: true, autofocus: true });
    this.words.setAttribute(
      "aria-label",
      fill(this.#talks ? gettext("Say to %(name)s") : gettext("Ask %(name)s"), { name: this.first }),
    );
    this.words.placeholder = this.#talks ? gettext("Say something …") : gettext("Ask something …");
    this.send = element("button", { type: "submit", class: "button" }, this.#talks ? gettext("Say") : gettext("Ask"));
    this.again = element("button", { type: "button", class: "link" }, gettext("Begin anew"));
    this.end = element("button", { type: "button", class: "button plain" }, gettext("End the conversation"));
    this.form = element(
      "form",
      {},
      this.#speaker(kept),
      element("div", { class: "say" }, this.words, this.send),
      this.fault,
      element("p", { class: "ends" }, this.#talks ? this.end : this.again),
    );
    const memory = this.#talks
      ? gettext("%(name)s will remember this once you end it. The town goes on meanwhile.")
      : gettext("%(name)s will not remember this.");
    const title = this.#talks ? gettext("Talk with %(name)s") : gettext("Ask %(name)s");
    this.dialog = openDialog(
      {
        title: element("span", {}, portraitImage(this.persona, page.static), fill(title, { name: this.persona.name })),
        note: [fill(memory, { name: this.first }), note].filter(Boolean).join(" "),
        className: "conversation",
        mayClose: () => this.#mayClose(),
      },
      this.log,
      this.#suggestionBox(),
      this.thinking,
      this.form,
    );
    this.#listen();
  }

  /** First lines to choose from, while nothing has been said. */
  #suggestionBox() {
    const buttons = this.suggestions.map((words) => {
      const button = element("button", { type: "button" }, words);
      button.addEventListener("click", () => {
        this.words.value = words;
        this.words.focus();
        this.form.requestSubmit();
      });
      return button;
    });
    this.ideas = element("p", { class: "ideas" }, ...buttons);
    return this.ideas;
  }

  /**
   * Who the user speaks as: by the name kept in this browser, or in a role.
   * @param {?{as: string, role: string}} kept
   */
  #speaker(kept) {
    this.kind = element(
      "select",
      { name: "as", "aria-label": gettext("You speak") },
      element("option", { value: "self" }, gettext("as yourself")),
      element("option", { value: "role" }, gettext("in a role")),
    );
    this.named = element("input", { type: "text", name: "named", maxlength: LONGEST_ROLE, autocomplete: "off" });
    this.kind.value = this.as;
    /** @type {Record<string, {label: string, value: string, hint: string}>} */
    const kinds = {
      self: {
        label: gettext("Your name"),
        value: ownName(),
        hint: this.#talks ? gettext("a visitor") : gettext("an interviewer"),
      },
      role: { label: gettext("Role"), value: kept?.as === "role" ? kept.role : "", hint: gettext("a news reporter") },
    };
    const show = () => {
      const { label, value, hint } = kinds[this.kind.value];
      this.named.setAttribute("aria-label", label);
      this.named.placeholder = hint;
      this.named.value = value;
    };
    this.named.addEventListener("input", () => (kinds[this.kind.value].value = this.named.value));
    this.kind.addEventListener("change", show);
    show();
    return element("div", { class: "speaker" }, element("span", {}, gettext("You speak")), this.kind, this.named);
  }

  #listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#say();
    });
    this.words.addEventListener("keydown", sendOnEnter);
    this.end.addEventListener("click", () => this.#finish());
    this.again.addEventListener("click", () => this.#beginAnew());
  }

  async #say() {
    const words = this.words.value.trim();
    if (!words || this.busy || this.over) return;
    this.#readSpeaker();
    const asked = { words, role: this.role, history: this.turns.map(({ speaker, words: said }) => /** @type {Line} */ ([speaker, said])) };
    const line = this.#show({ speaker: this.#self, words, own: true });
    this.words.value = "";
    this.#setBusy(fill(gettext("%(name)s is thinking …"), { name: this.first }));
    try {
      const { text, memories, by_rules: byRules, step, over = false, role } = await this.channel.say(asked);
      this.role = role ?? this.role;
      this.turns.push({ speaker: this.#self, words, own: true });
      if (text) this.#add({ speaker: this.persona.name, words: text, own: false, memories, byRules, step });
      this.over = over;
      this.#keep();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      line.remove();
      this.words.value ||= words; // nothing typed is lost
      setText(this.fault, error.message);
    }
    this.#setBusy("");
    if (this.over) await this.#finish();
  }

  #readSpeaker() {
    if (this.kind.disabled) return; // settled with the first line of a talk
    this.as = this.kind.value;
    this.role = this.named.value.trim();
    if (this.as === "self") keepName(this.role);
  }

  /** Whom lines of the user are by, in the history. */
  get #self() {
    return this.role || (this.#talks ? gettext("a visitor") : INTERVIEWER);
  }

  /** @param {ConversationTurn} turn */
  #add(turn) {
    this.turns.push(turn);
    this.#show(turn);
  }

  /** @param {ConversationTurn} turn */
  #show({ words, own, memories, byRules, step }) {
    const who = own ? this.role || gettext("You") : this.first;
    const said = recorded(element("span", {}, words), !own);
    const line = element("li", { class: own ? "own" : "other" }, element("b", {}, who), said);
    if (!own && memories) line.append(citedMemories(memories, byRules, this.channel.links(step)));
    if (this.lines.querySelector(".legend")) line.querySelector(".legend")?.remove(); // once is enough
    this.lines.append(line);
    const top = own ? line : (line.previousElementSibling ?? line);
    top.scrollIntoView({ block: "start" });
    return line;
  }

  /** Makes the persona remember all lines of a talk; the dialog closes when it has. */
  async #finish() {
    if (!this.#talks || !this.turns.length || this.busy) return;
    const lines = this.turns.map(({ speaker, words }) => /** @type {Line} */ ([speaker, words]));
    this.#setBusy(gettext("Ending the conversation …"));
    try {
      const { said } = await this.channel.finish({ role: this.role, lines });
      this.#clear();
      this.dialog.classList.add("ended");
      setText(
        this.thinking,
        [fill(gettext("%(name)s will remember this."), { name: this.first }), ...(said ?? [])].join(" "),
      );
      this.form.hidden = true;
      this.dialog.querySelector(".close").focus();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#setBusy("");
      setText(this.fault, error.message);
    }
  }

  #mayClose() {
    if (!this.#talks || !this.turns.length) return true;
    const drop = element("button", { type: "button", class: "button plain" }, gettext("Drop it"));
    const end = element(
      "button",
      { type: "button", class: "button", autofocus: true },
      gettext("End it and be remembered"),
    );
    const question = openDialog(
      {
        title: gettext("End the conversation?"),
        note: fill(gettext("If you drop it, %(name)s will not remember a word."), { name: this.first }),
        className: "form",
      },
      element("p", { class: "ends" }, drop, end),
    );
    end.addEventListener("click", () => {
      question.close();
      this.#finish();
    });
    drop.addEventListener("click", () => {
      question.close();
      this.#clear();
      this.dialog.close();
    });
    return false;
  }

  #beginAnew() {
    if (this.busy) return;
    this.#clear();
    this.lines.replaceChildren();
    this.words.focus();
  }

  #clear() {
    this.turns = [];
    this.over = false;
    forget(this.key);
    this.busy = false;
    this.#update();
  }

  #keep() {
    store(this.key, { turns: this.turns, role: this.role, as: this.as, over: this.over });
  }

  /** @param {string} text */
  #setBusy(text) {
    this.busy = Boolean(text);
    setText(this.thinking, text);
    setText(this.fault, "");
    this.#update();
  }

  #update() {
    wait(this.send, Boolean(this.busy || this.over));
    wait(this.end, Boolean(this.busy));
    this.end.hidden = this.again.hidden = !this.turns.length;
    this.ideas.hidden = this.turns.length > 0 || Boolean(this.busy);
    const settled = this.#talks && this.turns.length > 0; // a persona talks with one and the same person
    for (const control of [this.kind, this.named]) control.disabled = settled;
  }
}
