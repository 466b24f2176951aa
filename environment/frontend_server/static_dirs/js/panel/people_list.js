/** The list of people: what each is doing, and where. Search, order and groups; click or press Enter to follow someone. */

import { element, setText } from "../dom.js";
import { isAsleep } from "../playback/frames.js";
import { doingText, showDoing } from "../doings.js";
import { recorded } from "../recorded.js";
import { fill, gettext, ngettext } from "../translation.js";
import { capitalize, describe } from "./descriptions.js";
import { FoundObjects } from "./found_objects.js";
import { ORDERS, firstOf, groupPeople } from "./people_order.js";
/** @import { TownObject } from "../acting/places.js" */
/** @import { Persona } from "../dom.js" */
/** @import { Found } from "./object_search.js" */
/** @import { Frame, PersonaRecord } from "../playback/frames.js" */
/** @import { Talk } from "../playback/talks.js" */

const ORDER_INTERVAL = 1000; // milliseconds between changes of the order
const PART = 40; // people who are listed at once; more on request
const SPARE = 60; // people who are listed too if no others are left
const STORED = "ville.people"; // how the list is ordered

/**
 * @typedef {ReturnType<typeof makeRow>} PersonRow
 * @typedef {{talks: Talk[], placeOf: (name: string) => string,
 *   viewOf: (name: string) => {distance: number, isInView: boolean}}} Panorama  where everyone is
 */

export class PeopleList {
  /**
   * @param {HTMLElement} list
   * @param {{static: string, personas?: Persona[]}} page
   * @param {{onPick: (name: string) => void, find: (text: string) => Found[], onShow: (object: TownObject) => void}} town  `onPick` gets the
   *   name of a persona; `find` returns the objects that a text means, `onShow` gets one of them
   */
  constructor(list, page, { onPick, find, onShow }) {
    this.list = list;
    /** @type {Map<string, Persona>} */
    this.people = new Map();
    /** @type {Map<string, PersonRow>} */
    this.rows = new Map(); // of those who were shown once
    /** @type {string[]} */
    this.listed = []; // names in the order on screen
    /** @type {Map<string, {description: string, words: string}>} */
    this.words = new Map(); // what people do, to be searched
    this.most = PART; // people on screen
    /** @type {?string} */
    this.chosen = null;
    this.headings = new Map();
    /** @type {?Frame} */
    this.frame = null;
    /** @type {?Panorama} */
    this.town = null;
    this.ordered = -Infinity; // when
    this.shown = ""; // the order on screen
    this.onPick = onPick;
    this.find = find;
    this.found = new FoundObjects(onShow);
    this.static = page.static;
    this.add = (/** @type {Persona} */ persona) => this.people.set(persona.name, persona);
    page.personas.forEach(this.add);
    this.more = element("button", { type: "button", class: "plain more" });
    this.more.addEventListener("click", () => this.#showMore());
    this.moreItem = element("li", {}, this.more);
    this.nobody = element("p", { class: "nobody", role: "status" });
    list.replaceChildren();
    list.before(this.#makeTools());
    list.after(this.nobody, this.found.list);
    list.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /**
   * Shows what everyone is doing who is in town.
   * @param {Frame} frame
   * @param {Panorama} town
   */
  update(frame, town) {
    [this.frame, this.town] = [frame, town];
    for (const name of this.listed) this.#showRow(name);
    const present = Object.keys(frame).length;
    const isDue = performance.now() - this.ordered >= ORDER_INTERVAL && !this.list.matches(":hover");
    if (isDue || present !== this.present) this.#arrange();
    this.present = present;
  }

  /** @param {?string} chosen */
  choose(chosen) {
    for (const name of [this.chosen, chosen]) this.rows.get(name)?.button.setAttribute("aria-pressed", String(name === chosen));
    this.chosen = chosen;
  }

  /** Moves the focus to the search field. */
  search() {
    this.field.focus();
    this.field.select();
  }

  #makeTools() {
    const label = gettext("Find a person, place or object");
    this.field = element("input", { type: "search", "aria-label": label, placeholder: gettext("Name or place"), title: `${label} ( / )` });
    this.field.addEventListener("input", () => this.#startAnew());
    this.field.addEventListener("keydown", (event) => this.#onSearchKey(event));
    const choices = Object.entries(ORDERS).map(([value, { label: name }]) => element("option", { value }, name()));
    this.order = element("select", { "aria-label": gettext("Order") }, ...choices);
    this.order.value = stored();
    this.order.addEventListener("change", () => {
      store(this.order.value);
      this.#startAnew();
    });
    return element("div", { class: "people-tools" }, this.field, this.order);
  }

  /** Puts rows and headings into the order of the moment. */
  #arrange() {
    if (!this.frame) return;
    this.ordered = performance.now();
    const groups = groupPeople(this.#people(), this.order.value, this.field.value);
    const found = this.field.value.trim() ? this.find(this.field.value) : [];
    const all = groups.reduce((sum, { people }) => sum + people.length, 0);
    const parts = firstOf(groups, all > this.most + SPARE ? this.most : all);
    const names = parts.map(({ heading, people, count }) => [heading, count, people.map(({ name }) => name)]);
    const shown = JSON.stringify([names, all, found.map(({ object }) => object.address)]);
    if (shown === this.shown) return;
    this.shown = shown;
    const focused = document.activeElement;
    this.listed = parts.flatMap(({ people }) => people.map(({ name }) => name));
    this.listed.forEach((name) => this.#showRow(name));
    const items = parts.flatMap((group) => [...this.#headingOf(group), ...group.people.map(({ name }) => this.#rowOf(name).item)]);
    this.list.replaceChildren(...items, ...(this.listed.length < all ? [this.moreItem] : []));
    const left = Math.min(PART, all - this.listed.length);
    setText(this.more, fill(ngettext("Show %(count)s more", "Show %(count)s more", left), { count: left }));
    if (this.list.contains(focused)) /** @type {HTMLElement} */ (focused).focus({ preventScroll: true });
    this.found.show(found);
    setText(this.nobody, groups.length || found.length ? "" : fill(gettext("No one in town matches “%(words)s”."), { words: this.field.value }));
  }

  /** A search or an order begins with the first people again. */
  #startAnew() {
    this.most = PART;
    this.#arrange();
  }

  /** Shows as many more; the focus goes to the first of them. */
  #showMore() {
    const first = this.listed.length;
    this.most += PART;
    this.#arrange();
    this.rows.get(this.listed[first])?.button.focus();
  }

  /** @param {string} name  @returns {PersonRow} */
  #rowOf(name) {
    if (!this.rows.has(name)) {
      const row = makeRow(this.people.get(name), this.static, this.onPick);
      row.button.setAttribute("aria-pressed", String(name === this.chosen));
      this.rows.set(name, row);
    }
    return this.rows.get(name);
  }

  /** @param {string} name */
  #showRow(name) {
    if (this.frame[name]) this.#rowOf(name).show(this.frame[name], this.order.value === "place" ? this.town.placeOf(name) : "");
  }

  #people() {
    const talking = new Set(this.town.talks.flatMap(({ names }) => names));
    return [...this.people.keys()].flatMap((name) => {
      const record = this.frame[name];
      if (!record) return [];
      const person = { name, words: this.field.value ? this.#wordsOf(name) : "", place: this.town.placeOf(name), ...this.town.viewOf(name) };
      return [{ ...person, isTalking: talking.has(name), isAwake: !isAsleep(record) }];
    });
  }

  /** What somebody does and where, to be searched. @param {string} name */
  #wordsOf(name) {
    const { description } = this.frame[name];
    const known = this.words.get(name);
    if (known?.description === description) return known.words;
    const { doing, where } = describe(this.frame[name]);
    const words = `${doingText(doing)} ${where}`;
    this.words.set(name, { description, words });
    return words;
  }

  /** @param {{heading: string, isPlace?: boolean, count: number}} group */
  #headingOf({ heading, count: people, isPlace }) {
    if (!heading) return [];
    if (!this.headings.has(heading)) {
      const count = element("small");
      const item = element("li", { class: "group" }, element("h3", {}, recorded(element("span", {}, capitalize(heading)), Boolean(isPlace)), " ", count));
      this.headings.set(heading, { item, count });
    }
    const { item, count } = this.headings.get(heading);
    setText(count, String(people));
    count.title = fill(ngettext("%(count)s person", "%(count)s people", people), { count: people });
    return [item];
  }

  /** Arrows go from row to row. @param {KeyboardEvent} event */
  #onKey(event) {
    const buttons = [...this.list.querySelectorAll("button")];
    const here = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    /** @type {Record<string, number>} */
    const places = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: buttons.length - 1 };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    (buttons[next] ?? this.field).focus();
  }

  /** @param {KeyboardEvent} event */
  #onSearchKey(event) {
    const first = this.list.querySelector("button") ?? this.found.first;
    if (event.key === "Enter" && first && this.field.value) first.click();
    else if (event.key === "ArrowDown") first?.focus();
    else if (event.key === "Escape") this.#clearSearch();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #clearSearch() {
    if (!this.field.value) this.field.blur();
    this.field.value = "";
    this.#arrange();
  }
}

/** @param {Persona} persona  @param {string} base  @param {(name: string) => void} onPick */
function makeRow(persona, base, onPick) {
  const emoji = element("span", { class: "emoji", "aria-hidden": "true" });
  const doing = element("span", { class: "doing" });
  const where = element("span", { class: "where" });
  const portrait = portraitImage(persona, base);
  const label = element("span", { class: "words" }, element("strong", {}, persona.name), doing, where);
  const button = element(
    "button",
    { type: "button", class: "row", "aria-pressed": "false", "data-name": persona.name },
    portrait,
    label,
    emoji,
  );
  button.addEventListener("click", () => onPick(persona.name));
  let shown = ""; // what the row says
  const row = { item: element("li", {}, button), button, show };

  /** @param {PersonaRecord} record  @param {string} heading  of the group, if it is a place */
  function show(record, heading) {
    setText(emoji, record.pronunciatio);
    const key = `${heading}: ${record.description}`;
    if (key === shown) return;
    shown = key;
    const words = describe(record);
    showDoing(doing, words.doing);
    setText(where, heading ? within(words.where, heading) : words.where);
    recorded(where, words.isPlace);
  }

  return row;
}

/** A place without the sector that the heading names already. @param {string} where  @param {string} heading */
function within(where, heading) {
  const [sector, ...rest] = where.split(" · ");
  return sector.toLocaleLowerCase() === heading.toLocaleLowerCase() ? capitalize(rest.join(" · ")) : where;
}

function stored() {
  try {
    const order = localStorage.getItem(STORED);
    return Object.hasOwn(ORDERS, order) ? order : "place";
  } catch {
    return "place"; // storage is forbidden
  }
}

/** @param {string} order */
function store(order) {
  try {
    localStorage.setItem(STORED, order);
  } catch {
    // storage is forbidden: the choice holds for this page only
  }
}

/**
 * @param {Pick<Persona, "sprite"|"portrait">} persona  @param {string} base of static files
 * @param {{loading?: "eager"|"lazy"}} options  `lazy`: only once it is about to be seen
 */
export function portraitImage(persona, base, { loading = "eager" } = {}) {
  return element("img", { loading, src: portraitAddress(persona, base), alt: "", class: "portrait" });
}

/** @param {Pick<Persona, "sprite"|"portrait">} persona  @param {string} base of static files */
export function portraitAddress(persona, base) {
  return persona.portrait ?? `${base}assets/characters/portraits/${persona.sprite}.png`;
}
