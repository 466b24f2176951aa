/** /migrate/: the folder of an older project, what is in it, a button that brings it over, and whether it works here. */

import { newId } from "../acting/engine.js";
import { element, setText } from "../dom.js";
import { bringsSomething, planParts, progressText, proofParts } from "../migrating/migration_report.js";
import { pageReady } from "../ready.js";
import { allow, onUse } from "../running/menu.js";
import { post, sleep } from "../server.js";
import { fill, gettext, ngettext } from "../translation.js";
/** @import { Report } from "../migrating/migration_report.js" */

const PAUSE = 200; // milliseconds between two questions how far it is
const BEGUN = "migration"; // in the session: a migration that goes on if the page is reloaded

/** @typedef {{id: string, path: string, bring: boolean, settings: boolean}} Asked */

const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);
const form = /** @type {HTMLFormElement} */ (part("folder"));
const path = /** @type {HTMLInputElement} */ (form.elements.namedItem("path"));

/** @type {?Asked} */
let underway = null; // what was asked for last

/** Asks until it is done, and shows how far it is. @param {Asked} asked  @returns {Promise<Report>} */
async function report(asked) {
  underway = asked;
  for (;;) {
    const answer = await post("/migration/", asked);
    const { report: told } = /** @type {{report: ?Report}} */ (await answer.json());
    if (answer.status === 200) return told;
    setText(part("progress"), told ? progressText(told) : gettext("Looking into the folder …"));
    if (asked.bring && told?.proofs.length) part("proof").replaceChildren(section(gettext("Checked so far"), proofParts(told)));
    await sleep(PAUSE);
  }
}

/** Does something that takes a while; only one at a time. @param {() => Promise<void>} action */
async function busy(action) {
  const buttons = [...document.querySelectorAll("button.large")];
  buttons.forEach((button) => allow(/** @type {HTMLElement} */ (button), false));
  complain("");
  setText(part("progress"), gettext("Looking into the folder …"));
  part("progress").hidden = part("stop").hidden = false;
  try {
    await action();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    complain(error.message);
  }
  part("progress").hidden = part("stop").hidden = true;
  buttons.forEach((button) => allow(/** @type {HTMLElement} */ (button), true));
}

/** @param {string} text */
function complain(text) {
  setText(part("error"), text);
  part("error").hidden = !text;
}

/** @param {string} title  @param {HTMLElement[]} parts */
const section = (title, parts) => element("section", { class: "group" }, element("h2", {}, title), ...parts);

async function look() {
  part("plan").replaceChildren();
  part("proof").replaceChildren();
  const asked = { id: newId(), path: path.value, bring: false, settings: false };
  showPlan(asked.path, await report(asked));
  part("plan").focus();
}

/** @param {string} folder  @param {Report} found */
function showPlan(folder, found) {
  const add = settingsCheck(found);
  const count = found.things.filter((thing) => !thing.there).length;
  const words = count ? fill(ngettext("Bring %(count)s thing over", "Bring %(count)s things over", count), { count }) : gettext("Check what is here");
  const button = element("button", { type: "button", class: "button large", "data-part": "bring" }, words);
  onUse(button, () => busy(() => bring({ id: newId(), path: folder, bring: true, settings: Boolean(add?.querySelector("input").checked) })));
  const nothing = bringsSomething(found) ? [] : [element("p", {}, gettext("Everything is here already."))];
  part("plan").replaceChildren(section(gettext("What is in it"), [...planParts(found), ...nothing, ...(add ? [add] : []), element("p", { class: "doors" }, button)]));
}

/** @param {Report} found */
function settingsCheck({ settings }) {
  if (!settings.length) return null;
  const shown = element("small", {}, ...settings.flatMap((line) => [element("code", {}, line), " "]));
  return element("label", { class: "check" }, element("input", { type: "checkbox" }), element("span", {}, gettext("Add its settings to mine, also its keys"), " ", shown));
}

/** @param {Asked} asked */
async function bring(asked) {
  sessionStorage.setItem(BEGUN, JSON.stringify(asked));
  part("proof").replaceChildren();
  try {
    showProof(await report(asked));
  } finally {
    sessionStorage.removeItem(BEGUN);
  }
}

/** @param {Report} done */
function showProof(done) {
  const count = done.faults.length;
  const words = count ? fill(ngettext("%(count)s thing needs attention", "%(count)s things need attention", count), { count }) : gettext("Everything is here, and works");
  const front = element("p", { class: "doors" }, element("a", { class: "button", href: "/" }, gettext("To your towns")));
  part("plan").replaceChildren();
  part("proof").replaceChildren(section(words, [...proofParts(done), front]));
  part("proof").focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (part("look").hasAttribute("aria-disabled")) return;
  if (path.value.trim()) busy(look);
  else path.focus();
});
onUse(part("stop"), () => void post("/migration/stop/", underway).catch((error) => complain(error.message)));
const begun = sessionStorage.getItem(BEGUN);
if (begun) {
  const asked = /** @type {Asked} */ (JSON.parse(begun));
  path.value = asked.path;
  busy(() => bring(asked));
}
pageReady("migrate");
