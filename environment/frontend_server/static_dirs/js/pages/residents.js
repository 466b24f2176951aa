/** /people/: who lives in a town, in everyday words, and who is new. What is changed begins a town of its own. */

import { askEngine } from "../acting/engine.js";
import { RULES } from "../acting/powers.js";
import { freeName } from "../branching/branch_names.js";
import { isOver } from "../branching/branch_tree.js";
import { dismiss } from "../branching/dismissed.js";
import { element, pageData, setText } from "../dom.js";
import { Newcomer } from "../people/newcomer.js";
import { complain } from "../people/person_form.js";
import { Resident } from "../people/resident.js";
import { START, noEngineText } from "../playback/backend_status.js";
import { StatusWatch } from "../playback/status_watch.js";
import { pageReady } from "../ready.js";
import { allow } from "../running/menu.js";
import { get, sleep } from "../server.js";
import { fill, gettext, language, ngettext } from "../translation.js";
/** @import { Branch } from "../branching/branch_tree.js" */
/** @import { Status } from "../playback/status_watch.js" */

const STATUS_INTERVAL = 2500; // milliseconds
const MADE_INTERVAL = 300;

const page = pageData();
const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);
const form = /** @type {HTMLFormElement} */ (part("people"));
const title = /** @type {HTMLInputElement} */ (form.querySelector("[name=title]"));
const fields = /** @type {HTMLTemplateElement} */ (part("fields"));
const residents = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("[data-who]")]).map(
  (box) => new Resident(box, fields, { character: page.characters[box.dataset.who], onChange: show }),
);
/** @type {Newcomer[]} */
let newcomers = [];
/** @type {?Status} */
let status = null;
let making = false;

/** Marks who is changed, and says how many. */
function show() {
  for (const resident of residents) resident.mark();
  const count = residents.filter(({ changes }) => changes.length).length;
  const changed = count ? fill(ngettext("%(count)s person is changed.", "%(count)s people are changed.", count), { count }) : "";
  const added = newcomers.length ? fill(ngettext("%(count)s person moves in.", "%(count)s people move in.", newcomers.length), { count: newcomers.length }) : "";
  setText(part("changes"), [changed, added].filter(Boolean).join(" ") || gettext("Nothing is different yet."));
  const there = status !== null && status.engine.state !== "none";
  allow(part("make"), there && !making && Boolean(count || newcomers.length));
  if (status) part("make-hint").replaceChildren(...(there ? [languageNote()] : [noEngineText(), " ", element("code", {}, START)]));
}

/** A warning for users of other languages; empty if a model answers. */
function languageNote() {
  return language === "en" || status.engine.models !== RULES ? "" : gettext("Without a language model, people understand only English.");
}

function add() {
  const one = new Newcomer(/** @type {HTMLTemplateElement} */ (part("newcomer")), { onChange: show, onRemove: remove });
  newcomers.push(one);
  part("newcomers").append(one.box);
  one.form.fields.get("name").focus();
  show();
}

/** @param {Newcomer} one */
function remove(one) {
  newcomers = newcomers.filter((each) => each !== one);
  one.box.remove();
  part("add").focus();
  show();
}

/** Shows every field that is wrong, and goes to the first one. @returns {boolean} whether there is none */
function check() {
  const people = residents.map(({ who }) => who);
  const wrong = [
    ...residents.map((resident) => resident.check()),
    ...newcomers.map((one) => one.check([...people, ...newcomers.filter((each) => each !== one).map(({ name }) => name)])),
  ].find(Boolean);
  const untitled = !title.value.trim();
  complain(title, untitled ? gettext("This is empty. Write something.") : "");
  const first = wrong ?? (untitled ? title : null);
  if (!first) return true;
  const details = /** @type {?HTMLDetailsElement} */ (first.closest("details"));
  if (details) [details.open, details.hidden] = [true, false];
  first.focus();
  return false;
}

/** Shows only those whose name, or what they are like, has the words of the search. */
function find() {
  const words = /** @type {HTMLInputElement} */ (part("find")).value.trim().toLocaleLowerCase().split(/\s+/);
  for (const { box, about } of residents) box.hidden = !words.every((word) => about.includes(word));
  const count = residents.filter(({ box }) => !box.hidden).length;
  setText(part("found"), count ? "" : gettext("No one is like that."));
}

/** The interventions that make of this town the new one. */
async function differences() {
  const changes = residents.flatMap(({ who, changes: lines }) => lines.map(([field, now]) => ({ kind: "trait", who, field, now })));
  return [...changes, ...(await Promise.all(newcomers.map((one) => one.movingIn())))];
}

/** @param {SubmitEvent} event */
async function make(event) {
  event.preventDefault();
  if (part("make").hasAttribute("aria-disabled") || !check()) return;
  making = true;
  part("made").hidden = true;
  say("make-error", "");
  say("progress", gettext("Making the town …"));
  show();
  try {
    const called = title.value.trim();
    const { name } = await freeName(called, "people");
    const request = { request: "branch", from: page.sim_code, store: "saved", name, title: called, interventions: await differences() };
    await askEngine(request);
    await finished(name);
    showMade(name, called);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    say("make-error", error.message);
    part("make-error").scrollIntoView({ block: "nearest" });
  }
  making = false;
  say("progress", "");
  show();
}

/** Waits until a town is made. Throws an Error that says why it cannot be. @param {string} name */
async function finished(name) {
  for (;;) {
    /** @type {?Branch} */
    const found = (await get("/branches/")).branches.find((/** @type {Branch} */ each) => each.sim_code === name) ?? null;
    if (found?.state === "done") return;
    if (found && isOver(found)) {
      dismiss(found); // this page says why: lists of branches need not
      throw new Error(found.fault || gettext("the terminal says why"));
    }
    await sleep(MADE_INTERVAL);
  }
}

/** @param {string} name  @param {string} called */
function showMade(name, called) {
  setText(part("made-words"), fill(gettext("“%(title)s” is ready. You can start it as often as you like."), { title: called }));
  /** @type {HTMLAnchorElement} */ (part("begin")).href = `/?origin=${encodeURIComponent(name)}#start`;
  part("made").hidden = false;
  part("made").focus();
}

/** @param {string} name  @param {string} text */
function say(name, text) {
  setText(part(name), text);
  part(name).hidden = !text;
}

part("add")?.addEventListener("click", add);
part("find")?.addEventListener("input", find);
part("find")?.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.key === "Enter") event.preventDefault(); // it would make the town
});
form.addEventListener("submit", make);
const watch = new StatusWatch(STATUS_INTERVAL);
watch.subscribe((latest) => {
  status = latest;
  show();
});
watch.run();
pageReady("people");
