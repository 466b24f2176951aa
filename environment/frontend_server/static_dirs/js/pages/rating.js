/** /rate/…/: ranks the answers to one question to one person; what is rated is kept at once. */

import { element, pageData, setText } from "../dom.js";
import { pageReady } from "../ready.js";
import { get, post } from "../server.js";
import { fill, gettext, ngettext } from "../translation.js";

/** @typedef {{letter: string, code: string, text: string}} RatedCard */
/** @typedef {{about: string[], memories: {time: string, kind: string, text: string}[]}} KnownPerson */
/**
 * @typedef {Object} RatingTask  response of /rate_task/
 * @property {number} tasks
 * @property {number} finished
 * @property {number} number  from 1
 * @property {string} id
 * @property {string} asked
 * @property {string} person
 * @property {?KnownPerson} known  null if the page has it
 * @property {RatedCard[]} cards
 * @property {Record<string, number>} places  by code
 */

/** @type {{evaluation: string, rater: string, tasks: number}} */
const page = pageData();
const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);
const form = /** @type {HTMLFormElement} */ (part("form"));
const cards = part("cards");
const NARROW = "(max-width: 900px)"; // as in rate.css
/** @type {RatingTask} */
let task = null;
let shownPerson = "";
let kept = Promise.resolve(); // what is sent goes one after the other

/** @param {unknown} error */
function showError(error) {
  if (!(error instanceof Error)) throw error;
  setText(part("error"), error.message || gettext("The environment server is not responding."));
}

/** Places that are chosen, by code. @returns {Record<string, number>} */
function places() {
  const chosen = [...cards.querySelectorAll("input:checked")];
  return Object.fromEntries(chosen.map((each) => [each.getAttribute("name"), Number(each.getAttribute("value"))]));
}

/** Keeps what is chosen. @param {boolean} done */
function keep(done) {
  const body = { rater: page.rater, task: task.id, places: places(), done };
  kept = kept.then(async () => {
    await post(`/rated/${page.evaluation}/`, body);
    setText(part("error"), "");
  });
  const sent = kept;
  kept = kept.catch(() => {});
  return sent;
}

function showLeft() {
  const left = task.cards.length - Object.keys(places()).length;
  part("keep").toggleAttribute("disabled", left > 0);
  const text = ngettext("%(left)s answer has no place yet.", "%(left)s answers have no place yet.", left);
  setText(part("left"), left ? fill(text, { left }) : "");
}

/** @param {RatedCard} card */
function cardElement(card) {
  const choices = task.cards.map((_, index) => {
    const place = index + 1;
    const checked = task.places[card.code] === place;
    const input = element("input", { type: "radio", name: card.code, value: place, checked });
    return element("label", {}, input, element("span", {}, place));
  });
  const legend = element("legend", {}, fill(gettext("Answer %(letter)s"), { letter: card.letter }));
  const row = element("div", { class: "rate-places" }, element("span", {}, gettext("Place")), ...choices);
  return element("fieldset", { class: "rate-card" }, legend, element("blockquote", {}, card.text), row);
}

/** @param {KnownPerson} known */
function showPerson(known) {
  shownPerson = task.person;
  setText(part("who"), task.person);
  part("about").replaceChildren(...known.about.map((line) => element("li", {}, line)));
  const rows = known.memories.map(({ time, kind, text }) =>
    element("li", { "data-kind": kind }, element("time", {}, time.slice(5, 16)), " ", text),
  );
  part("memories").replaceChildren(...rows);
  const find = /** @type {HTMLInputElement} */ (part("find"));
  find.value = "";
  if (matchMedia(NARROW).matches) part("about-person").removeAttribute("open");
}

/** @param {RatingTask} found */
function show(found) {
  task = found;
  part("all-done").hidden = found.finished < found.tasks;
  part("bar").setAttribute("value", String(found.finished));
  if (!found.tasks) return;
  const numbers = { number: found.number, tasks: found.tasks, finished: found.finished };
  setText(part("state"), fill(gettext("Question %(number)s of %(tasks)s; %(finished)s finished"), numbers));
  if (found.known) showPerson(found.known);
  setText(part("asked"), found.asked);
  cards.replaceChildren(...found.cards.map(cardElement));
  part("back").toggleAttribute("disabled", found.number === 1);
  part("skip").toggleAttribute("disabled", found.number === found.tasks);
  part("task").hidden = false;
  showLeft();
}

/** Fetches a task; without a number the first that is unfinished. @param {number} [number] */
async function load(number) {
  const query = new URLSearchParams({ rater: page.rater, known: shownPerson });
  if (number) query.set("number", String(number));
  show(await get(`/rate_task/${page.evaluation}/?${query}`));
}

/** Does something, and then shows a task with the focus on its question. @param {() => Promise<unknown>} act */
async function move(act) {
  try {
    await act();
    part("asked").focus();
    scrollTo(0, 0);
  } catch (error) {
    showError(error);
  }
}

cards.addEventListener("change", () => {
  showLeft();
  keep(false).catch(showError);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { number, tasks, finished } = task;
  const isLast = number === tasks || finished + 1 >= tasks;
  move(async () => {
    await keep(true);
    await load(isLast ? undefined : number + 1);
  });
});
cards.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.target instanceof Element)) return;
  const choice = event.target.closest(".rate-card")?.querySelector(`input[value="${CSS.escape(event.key)}"]`);
  if (!(choice instanceof HTMLInputElement) || !/^[1-9]$/.test(event.key)) return;
  choice.focus();
  choice.click();
});
part("back").addEventListener("click", () => move(() => load(task.number - 1)));
part("skip").addEventListener("click", () => move(() => load(task.number + 1)));
part("find").addEventListener("input", (event) => {
  const wanted = /** @type {HTMLInputElement} */ (event.target).value.trim().toLowerCase();
  for (const row of part("memories").children) {
    row.toggleAttribute("hidden", !row.textContent.toLowerCase().includes(wanted));
  }
});

await load().catch(showError);
pageReady("rate");
