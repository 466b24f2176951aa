/** The feed: what has happened until now, newest first. A click on an entry goes to its moment. */

import { element, setText } from "../dom.js";
import { capitalize } from "../panel/descriptions.js";
import { portraitImage } from "../panel/people_list.js";
import { dateText, timeText } from "../playback/clock.js";
import { doingElement } from "../doings.js";
import { markRecorded } from "../recorded.js";
import { fill, gettext, language, ngettext } from "../translation.js";
import { GROUPS, chosenEntries, countUntil, foldEntries, groupOf } from "./feed_log.js";
/** @import { Page } from "../dom.js" */
/** @import { Entry, FeedLog } from "./feed_log.js" */
/** @import { Clock } from "../playback/clock.js" */

const PAGE = 100; // rows shown at first, and added by each click on "Earlier"
const UPDATE_INTERVAL = 400; // milliseconds between changes of the list
const MOST_FACES = 2;

export class FeedList {
  /**
   * @param {HTMLElement} box  @param {FeedLog} log
   * @param {{page: Page, clock: Clock, onPick: (entry: Entry) => void}} town
   */
  constructor(box, log, { page, clock, onPick }) {
    this.box = box;
    this.log = log;
    this.page = page;
    this.clock = clock;
    this.onPick = onPick;
    this.rows = new Map(); // by id of the entry
    this.groups = new Set(Object.keys(GROUPS).filter((name) => GROUPS[name].isShown));
    this.most = PAGE;
    this.shown = 0; // number of chosen entries in the list
    this.changed = -Infinity; // when
    this.step = 0;
    this.#build();
    this.refresh();
  }

  /** Takes over new entries. */
  refresh() {
    this.chosen = chosenEntries(this.log.entries, this.groups, this.person.value);
    this.#fillPeople();
    this.shown = -1;
  }

  /** Shows what has happened until a step. @param {number} step */
  update(step) {
    this.step = step;
    const count = countUntil(this.chosen, step);
    const isDue = performance.now() - this.changed >= UPDATE_INTERVAL;
    if (count === this.shown || !isDue || !this.box.offsetParent) return;
    this.changed = performance.now();
    const isFurther = count > this.shown && this.shown >= 0;
    if (isFurther && this.#isScrolled()) this.#announce(count - this.shown);
    else this.#render(count);
  }

  #build() {
    const chips = Object.entries(GROUPS).map(([name, { label, sign }]) => this.#chip(name, label(), sign));
    this.person = element("select", { "aria-label": gettext("Whose entries") });
    this.person.addEventListener("change", () => this.#filter());
    this.news = element("button", { type: "button", class: "news", hidden: true });
    this.news.addEventListener("click", () => {
      this.#render(countUntil(this.chosen, this.step));
      this.#toTop();
    });
    this.next = element("button", { type: "button", class: "row next-entry" });
    this.next.addEventListener("click", () => this.onPick(this.following));
    this.list = element("ol", { class: "people feed", "data-part": "feed-entries", "aria-label": gettext("What has happened") });
    this.nothing = element("p", { class: "nobody" });
    this.earlier = element("button", { type: "button", class: "wide" }, gettext("Earlier"));
    this.earlier.addEventListener("click", () => this.#showEarlier());
    const tools = element("div", { class: "feed-tools", role: "group", "aria-label": gettext("Which entries") }, ...chips, this.person);
    this.box.replaceChildren(tools, this.news, this.next, this.list, this.nothing, this.earlier);
  }

  /** @param {string} name  @param {string} label  @param {string} sign */
  #chip(name, label, sign) {
    const isOn = String(this.groups.has(name));
    const picture = element("span", { "aria-hidden": "true" }, `${sign} `);
    const chip = element("button", { type: "button", class: "chip", "aria-pressed": isOn }, picture, label);
    chip.addEventListener("click", () => {
      if (!this.groups.delete(name)) this.groups.add(name);
      chip.setAttribute("aria-pressed", String(this.groups.has(name)));
      this.#filter();
    });
    return chip;
  }

  /** Lists everyone who can be chosen: also those who came after the page was opened. */
  #fillPeople() {
    const names = ["", ...this.page.personas.map(({ name }) => name)];
    if (names.length === this.person.options.length) return;
    const { value } = this.person;
    this.person.replaceChildren(...names.map((name) => element("option", { value: name }, name || gettext("Everyone"))));
    this.person.value = value;
  }

  #filter() {
    this.most = PAGE;
    this.refresh();
    this.#render(countUntil(this.chosen, this.step));
  }

  #showEarlier() {
    this.most += PAGE;
    this.#render(this.shown);
  }

  /** @param {number} count */
  #render(count) {
    this.shown = count;
    this.news.hidden = true;
    const rows = foldEntries(this.chosen.slice(0, count));
    const focused = document.activeElement;
    this.list.replaceChildren(...this.#withDays(rows.slice(0, this.most)));
    if (this.list.contains(focused)) /** @type {HTMLElement} */ (focused).focus({ preventScroll: true });
    this.earlier.hidden = rows.length <= this.most;
    setText(this.nothing, rows.length ? "" : gettext("Nothing of this kind has happened yet."));
    this.#showNext(count);
  }

  /** The entry that comes next in a recording, or after the moment that is looked at. @param {number} count */
  #showNext(count) {
    this.following = this.chosen[count] ?? null;
    this.next.hidden = !this.following;
    if (!this.following) return;
    const time = element("time", {}, timeText(this.clock.at(this.following.step)));
    this.next.replaceChildren(time, element("span", { class: "words" }, element("em", {}, gettext("Next")), " ", told(this.following)));
  }

  /** Rows with a heading for every day but the first one on top. @param {Array<{entry: Entry, count: number}>} rows */
  #withDays(rows) {
    let day = rows.length ? this.#dayOf(rows[0].entry) : "";
    return rows.flatMap(({ entry, count }) => {
      const date = this.#dayOf(entry);
      const heading = date === day ? [] : [element("li", { class: "day" }, date)];
      day = date;
      return [...heading, this.#row(entry, count)];
    });
  }

  /** @param {Entry} entry */
  #dayOf({ step }) {
    return dateText(this.clock.at(step), language);
  }

  /** @param {Entry} entry  @param {number} count */
  #row(entry, count) {
    if (!this.rows.has(entry.id)) this.rows.set(entry.id, this.#makeRow(entry));
    const row = this.rows.get(entry.id);
    setText(row.querySelector(".count"), count > 1 ? `×${count}` : "");
    return row;
  }

  /** @param {Entry} entry */
  #makeRow(entry) {
    const { names, kind, step } = entry;
    const people = names.map((name) => this.page.personas.find((persona) => persona.name === name)).filter(Boolean);
    const faces = people.slice(0, MOST_FACES).map((persona) => portraitImage(persona, this.page.static));
    const { sign } = GROUPS[groupOf(kind)];
    const button = element(
      "button",
      { type: "button", class: "row talk-row feed-row", "data-kind": kind },
      element("time", {}, timeText(this.clock.at(step))),
      element("span", { class: "words" }, element("span", { class: "sign", "aria-hidden": "true" }, sign), told(entry), element("small", { class: "count" })),
      element("span", { class: "faces" }, ...faces),
    );
    button.addEventListener("click", () => this.onPick(entry));
    return element("li", {}, button);
  }

  /** Whether the top of the list is out of sight: then nothing is added to it, so that nothing moves. */
  #isScrolled() {
    const scroll = this.box.closest(".scroll");
    return this.list.getBoundingClientRect().top < scroll.getBoundingClientRect().top - 4;
  }

  /** @param {number} count */
  #announce(count) {
    this.news.hidden = false;
    setText(this.news, fill(ngettext("%(count)s new entry", "%(count)s new entries", count), { count }));
  }

  #toTop() {
    this.box.scrollIntoView({ block: "start" });
  }
}

/** The sentence of an entry. Doings are translated as those of one person. @param {Entry} entry */
function told({ kind, names, text, recorded }) {
  const isOfOne = kind !== "begins" || names.length === 1;
  const shown = isOfOne ? (/** @type {string} */ words) => doingElement("span", {}, words) : undefined;
  return element("span", { class: "told" }, ...markRecorded(capitalize(text), recorded, shown));
}
