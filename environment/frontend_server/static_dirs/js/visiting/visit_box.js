/** The part of the panel for a visit: who is near, the conversation, and what to say. */

import { element, setText } from "../dom.js";
import { portraitImage } from "../panel/people_list.js";
import { recorded } from "../recorded.js";
import { fill, gettext } from "../translation.js";
import { letRun } from "./join_form.js";
/** @import { Persona } from "../dom.js" */
/** @import { Heard } from "./heard.js" */
/** @import { Visit } from "./visit.js" */

const LONGEST = 500; // characters, as in the engine
const TYPING = 4000; // milliseconds after a key for which the user counts as typing
const MOST_NEAR = 6;

export class VisitBox {
  /**
   * @param {HTMLElement} box  @param {Visit} visit
   * @param {{personaOf: (name: string) => ?Persona, static: string, onAgain: () => void, onFault: (error: Error) => void}} page
   */
  constructor(box, visit, page) {
    this.box = box;
    this.visit = visit;
    this.page = page;
    this.shownLines = "";
    this.shownNear = "";
    this.#build();
  }

  /** Shows the visit as it is now. */
  update() {
    const { visit, box } = this;
    box.hidden = visit.state === "none";
    if (box.hidden) return;
    box.dataset.state = visit.state;
    this.#showHead();
    setText(this.fault, visit.fault);
    setText(this.note, this.#noteText());
    this.#showNear();
    this.#showLines();
    const here = visit.state === "here";
    this.form.hidden = !here || !visit.partner;
    this.leave.hidden = visit.state === "gone" || visit.state === "elsewhere";
    this.again.hidden = visit.state !== "gone";
    this.dismiss.hidden = visit.state !== "gone";
    this.take.hidden = visit.state !== "elsewhere";
    this.run.hidden = !here && visit.state !== "coming" ? true : visit.actor.isRunning;
    const label = fill(gettext("Say to %(name)s"), { name: visit.partner?.split(" ")[0] ?? "" });
    if (this.words.getAttribute("aria-label") !== label) {
      this.words.setAttribute("aria-label", label);
      this.words.placeholder = `${label} …`;
    }
  }

  /** Puts the focus where words are typed. @returns {boolean} whether there is a persona to speak to */
  focus() {
    if (this.box.hidden || this.form.hidden) return false;
    this.words.focus();
    return true;
  }

  #build() {
    this.head = element("h2", {});
    this.leave = button("link", gettext("Leave"), () => this.visit.leave());
    this.leave.setAttribute("aria-label", gettext("Leave the town"));
    this.note = element("p", { class: "note", role: "status" });
    this.fault = element("p", { class: "fault", role: "alert" });
    this.run = button("button", gettext("Let the town run"), () => letRun(this.visit.actor).catch(this.page.onFault));
    this.take = button("button", gettext("Go on in this tab"), () => this.visit.takeOver());
    this.again = button("button", gettext("Visit again …"), () => this.page.onAgain());
    this.dismiss = button("link", gettext("Close"), () => this.visit.dismiss());
    this.near = element("div", { class: "near", role: "group", "aria-label": gettext("Who is near") });
    this.lines = element("ol", { class: "lines" });
    this.log = element("div", { class: "log", role: "log", "aria-label": gettext("Conversation"), tabindex: "0" }, this.lines);
    this.words = element("textarea", { name: "words", rows: 1, maxlength: LONGEST, enterkeyhint: "send" });
    this.form = element(
      "form",
      { class: "say" },
      this.words,
      element("button", { type: "submit", class: "button" }, gettext("Say")),
    );
    const buttons = element("p", { class: "ends" }, this.run, this.take, this.again, this.dismiss);
    this.box.replaceChildren(
      element("div", { class: "head" }, this.head, this.leave),
      this.note,
      buttons,
      this.near,
      this.log,
      this.fault,
      this.form,
    );
    this.#listen();
  }

  #listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#say();
    });
    this.words.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.words.blur();
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.form.requestSubmit();
    });
    this.words.addEventListener("input", () => this.#noteTyping());
  }

  #noteTyping() {
    clearTimeout(this.resting);
    this.visit.hasDraft = Boolean(this.words.value.trim());
    this.visit.setTyping(this.visit.hasDraft);
    this.resting = setTimeout(() => this.visit.setTyping(false), TYPING);
  }

  async #say() {
    const words = this.words.value.trim();
    if (!words) return;
    this.words.value = "";
    this.visit.hasDraft = false;
    this.visit.setTyping(false);
    const saying = this.visit.say(words);
    this.update();
    if (!(await saying)) this.words.value ||= words; // nothing typed is lost
    this.update();
  }

  #showHead() {
    const { name } = this.visit;
    if (this.head.dataset.name === name) return;
    this.head.dataset.name = name;
    const persona = this.page.personaOf(name);
    if (!persona) delete this.head.dataset.name; // its picture comes with the next step
    const picture = persona ? [portraitImage(persona, this.page.static)] : [];
    this.head.replaceChildren(
      ...picture,
      element("span", {}, name, " ", element("small", {}, gettext("You are visiting"))),
    );
  }

  /** One sentence on what goes on. */
  #noteText() {
    const { visit } = this;
    const { status } = visit.actor;
    if (visit.state === "gone") return gettext("You have left the town.");
    if (visit.state === "elsewhere") return gettext("You are visiting from another tab.");
    if (!visit.actor.mayAct) return gettext("The engine does not have this town open at the moment.");
    if (visit.state === "coming")
      return visit.actor.isRunning
        ? gettext("You arrive with the next step …")
        : gettext("The town stands still. You arrive when it runs.");
    if (!visit.actor.isRunning) return gettext("The town stands still.");
    const talk = status.visit?.name === visit.name ? status.visit : null;
    if (talk?.with && !talk.turn) return fill(gettext("%(name)s is thinking …"), { name: talk.with });
    if (talk?.waiting) return gettext("The town waits for what you say.");
    if (talk?.with) return fill(gettext("You are talking with %(name)s."), { name: talk.with });
    if (!visit.near.length) return gettext("Walk with the arrow keys or W A S D, or click on the map. No one is near.");
    return visit.partner ? "" : gettext("Choose someone to speak to.");
  }

  #showNear() {
    const { visit } = this;
    const people = visit.state === "here" ? visit.near.slice(0, MOST_NEAR) : [];
    const key = JSON.stringify([people, visit.partner]);
    if (key === this.shownNear) return;
    this.shownNear = key;
    const focused = document.activeElement?.closest(".near button")?.dataset.name;
    this.near.hidden = !people.length;
    this.near.replaceChildren(...people.map((one) => this.#nearButton(one)));
    if (focused) [...this.near.querySelectorAll("button")].find((one) => one.dataset.name === focused)?.focus();
  }

  /** @param {{name: string, asleep: boolean}} person */
  #nearButton({ name, asleep }) {
    const persona = this.page.personaOf(name);
    const made = button("", "", () => {
      this.visit.approach(name);
      this.update();
      this.words.focus();
    });
    made.dataset.name = name;
    made.setAttribute("aria-pressed", String(name === this.visit.partner));
    const picture = persona ? [portraitImage(persona, this.page.static)] : [];
    made.append(...picture, name, ...(asleep ? [" ", element("small", {}, gettext("asleep"))] : []));
    return made;
  }

  #showLines() {
    const { lines } = this.visit.heard;
    const key = JSON.stringify(lines);
    if (key === this.shownLines) return;
    this.shownLines = key;
    this.log.hidden = !lines.length;
    this.lines.replaceChildren(...lines.map((line) => this.#line(line)));
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** @param {Heard["lines"][0]} line */
  #line(line) {
    if (!line) return element("li", { class: "pause", "aria-hidden": "true" });
    const { speaker, words, sent } = line;
    const own = speaker === this.visit.name;
    const state = sent ? [" ", element("small", {}, gettext("sent"))] : [];
    return element(
      "li",
      { class: own ? "own" : "other" },
      element("b", {}, speaker.split(" ")[0], ...state),
      recorded(element("span", {}, words), !own),
    );
  }
}

/** @param {string} className  @param {string} text  @param {() => void} action */
function button(className, text, action) {
  const made = element("button", { type: "button", class: className }, text);
  made.addEventListener("click", action);
  return made;
}
