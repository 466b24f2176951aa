/** The chapters of a story: time, who it concerns, what it is, the words, and lesser moments on demand. */

import { element } from "../dom.js";
import { portraitImage } from "../panel/people_list.js";
import { Clock, dateText, momentOf, timeText } from "../playback/clock.js";
import { fillRecorded, markRecorded, recordedElement } from "../recorded.js";
import { fill, gettext, language, ngettext } from "../translation.js";
/** @import { Page } from "../dom.js" */

/**
 * @typedef {{step: number, kind: string, what: string, names: string[], text: string, about: string, words: string}} StoryMoment
 *   `what` names its kind; `about` stands in the text as it was recorded
 * @typedef {StoryMoment & {number: number, more: number}} StoryChapter  `more` is the number of lesser moments
 * @typedef {{date: string, chapters: StoryChapter[]}} StoryDay  as /story_data/ tells it
 * @typedef {(number: number, skip: number) => Promise<{moments: StoryMoment[]}>} More
 */

const MOST_FACES = 5;
const LONG = 220; // characters of words that are shown at once

export class StoryDays {
  /** @param {Page & {watch: string}} page  @param {More} more  asks for lesser moments of a chapter */
  constructor(page, more) {
    this.page = page;
    this.more = more;
    this.clock = new Clock(page.start, page.sec_per_step);
    this.known = new Map(page.personas.map((persona) => [persona.name, persona]));
  }

  /** @param {StoryDay[]} days */
  show(days) {
    return days.map(({ date, chapters }) => {
      const heading = element("h2", {}, dateText(momentOf(`${date}T00:00:00`), language));
      return element("section", { class: "story-day" }, heading, element("ol", { class: "chapters" }, ...chapters.map((chapter) => this.#chapter(chapter))));
    });
  }

  /** @param {StoryChapter} chapter */
  #chapter(chapter) {
    return element("li", { "data-kind": chapter.kind }, ...this.#moment(chapter, "h3"), this.#lesser(chapter));
  }

  /** @param {StoryMoment} moment  @param {"h3"|"p"} tag */
  #moment({ step, what, names, text, about, words }, tag) {
    const jump = element("a", { href: this.page.watch.replace("STEP", String(step)) }, ...markRecorded(text, about && text.includes(about) ? [about] : []));
    const subject = about && !text.includes(about) ? element("p", { class: "about" }, ...fillRecorded(gettext("They talk about %(about)s."), { about })) : null;
    const title = element(tag, { class: "title" }, jump);
    const faces = element("span", { class: "faces", "aria-hidden": "true" }, ...names.slice(0, MOST_FACES).map((name) => this.#face(name)));
    const quote = words && recordedElement("blockquote", {}, words.length > LONG ? `${words.slice(0, LONG)} …` : words);
    return [
      element("time", { class: "when" }, timeText(this.clock.at(step))),
      element("div", { class: "told" }, element("p", { class: "kind" }, what), title, subject, quote || null),
      faces,
    ];
  }

  /** @param {string} name */
  #face(name) {
    const persona = this.known.get(name);
    return persona ? portraitImage(persona, this.page.static) : null;
  }

  /** @param {StoryChapter} chapter */
  #lesser({ number, more }) {
    if (!more) return null;
    const list = element("ol", { class: "lesser" });
    const next = element("button", { type: "button", class: "button plain", hidden: true }, gettext("Show more"));
    const words = ngettext("and %(count)s lesser moment", "and %(count)s lesser moments", more);
    const details = element("details", { class: "more" }, element("summary", {}, fill(words, { count: more })), list, next);
    const load = async () => {
      const { moments } = await this.more(number, list.childElementCount);
      list.append(...moments.map((moment) => element("li", { "data-kind": moment.kind }, ...this.#moment(moment, "p"))));
      next.hidden = list.childElementCount >= more || !moments.length;
    };
    details.addEventListener("toggle", () => details.open && !list.childElementCount && void load());
    next.addEventListener("click", () => void load());
    return details;
  }
}
