/** The conversation of the chosen person: the lines said so far, the current one marked. */

import { element, setText } from "../dom.js";
import { whyLink } from "../asking/why_link.js";
import { recordedElement } from "../recorded.js";
import { fill, gettext } from "../translation.js";
/** @import { WhyOfLine } from "../asking/why_link.js" */
/** @import { Line } from "../playback/dialogue.js" */
/** @import { Talk } from "../playback/talks.js" */

export class LiveDialogue {
  /** @param {WhyOfLine} whyOf */
  constructor(whyOf = () => null) {
    this.whyOf = whyOf;
    this.title = element("h3");
    this.lines = element("ol", { class: "lines said" });
    this.silence = element("p", { class: "silence" }, gettext("Not talking to anyone right now."));
    this.box = element("div", { class: "talk" }, this.title, this.lines, this.silence);
    /** @type {Line[]} */
    this.shown = []; // lines on screen
    /** @type {?string} */
    this.key = null;
  }

  /** @param {string} own name of the chosen person  @param {?Talk} talk */
  show(own, talk) {
    const key = talk && `${own}: ${talk.key}`;
    const said = talk ? talk.chat.slice(0, talk.said) : [];
    this.silence.hidden = Boolean(talk);
    this.title.hidden = this.lines.hidden = !talk;
    if (talk) setText(this.title, fill(gettext("Talking with %(names)s"), { names: withoutOwn(talk, own).join(", ") }));
    if (key !== this.key || said.length < this.shown.length) this.#clear();
    this.key = key;
    const fresh = said.slice(this.shown.length);
    if (!fresh.length) return;
    const { lines } = this;
    const isAtEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 4;
    lines.lastElementChild?.removeAttribute("aria-current");
    lines.append(...fresh.map((line) => makeLine(line, own, this.whyOf)));
    lines.lastElementChild.setAttribute("aria-current", "true");
    this.shown = said;
    if (isAtEnd) lines.scrollTop = lines.scrollHeight;
  }

  #clear() {
    this.lines.replaceChildren();
    this.shown = [];
  }
}

/** Renders a line; those of `own` are on the other side. @param {Line} line  @param {string} own  @param {WhyOfLine} whyOf */
export function makeLine([speaker, words], own, whyOf = () => null) {
  return element(
    "li",
    { class: speaker === own ? "own" : "other" },
    element("b", {}, speaker.split(" ")[0]),
    recordedElement("span", {}, words),
    whyLink(whyOf(speaker, words), words),
  );
}

/** @param {{names: string[]}} talk  @param {string} own */
function withoutOwn({ names }, own) {
  return names.filter((name) => name !== own);
}
