/** /model/: what the next town thinks with, other choices, a test question, what a day costs. */

import { askEngine } from "../acting/engine.js";
import { element, pageData, setText } from "../dom.js";
import { ChoiceForm } from "../model/choice_form.js";
import { answerText, costText, notices, nowText } from "../model/model_report.js";
import { START, noEngineText } from "../playback/backend_status.js";
import { StatusWatch } from "../playback/status_watch.js";
import { pageReady } from "../ready.js";
import { allow, onUse } from "../running/menu.js";
import { fill, gettext } from "../translation.js";
/** @import { Chosen, Finding, Notice, Report } from "../model/model_report.js" */

const STATUS_INTERVAL = 2500; // milliseconds
/** @type {Record<string, string>} */
const TITLES = { ollama: "Ollama", llamacpp: "llama.cpp", lmstudio: "LM Studio" };
const PRICES = "prices"; // a check that the notices tell of already
const OPEN = ["running", "paused", "waiting"];

/** @type {{casts: Array<{people: number, title: string}>}} */
const page = pageData();
const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);
const form = new ChoiceForm(refresh);
const watch = new StatusWatch(STATUS_INTERVAL);
/** @type {?Report} */
let report = null;
let reading = Promise.resolve();
let engineIsThere = false;
let pace = 0; // seconds of an answer to the test question

/** Reads the report once the one that is on its way has come: that one may be older than what was saved since. */
function refresh() {
  reading = reading.then(read);
  return reading;
}

async function read() {
  if (!engineIsThere) return;
  try {
    const people = page.casts.map((cast) => cast.people);
    report = /** @type {Report} */ (/** @type {unknown} */ (await askEngine({ request: "models", people })));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    report = null;
    setText(part("now"), error.message);
    part("notices").replaceChildren();
    return;
  }
  setText(part("now"), nowText(report.chosen));
  showDetails(report.chosen);
  form.tell(report);
  showNotices();
  showFound();
  showCost();
}

/** Where that is, and how memories are compared. @param {Chosen} chosen */
function showDetails({ address, embedder }) {
  const where = address ? [element("code", {}, address), " · "] : [];
  const memories = embedder ? [gettext("Memories are compared by:"), " ", element("code", {}, embedder)] : [];
  part("details").replaceChildren(...where, ...memories);
}

function showNotices() {
  const { latest } = watch;
  const open = OPEN.includes(latest?.backend) ? [{ text: fill(gettext("%(name)s is open, and goes on with %(models)s. Close it and open it again to change that."), { name: latest.sim_code, models: latest.models ?? "" }) }] : [];
  /** @type {Notice[]} */
  const lines = [...(report ? notices(report) : []), ...open];
  const shown = [...part("notices").children].map((line) => line.textContent);
  if (JSON.stringify(shown) === JSON.stringify(lines.map(({ text }) => text))) return;
  part("notices").replaceChildren(...lines.map(({ text, fault, english }) => element("li", { class: fault ? "fault" : null, lang: english ? "en" : null }, text)));
}

function showFound() {
  const found = report.servers.map(({ provider, models }) => {
    const use = element("button", { type: "button", class: "button plain" }, fill(gettext("Use %(name)s"), { name: TITLES[provider] }));
    use.addEventListener("click", () => form.offer(provider, models[0] ?? ""));
    return element("div", { class: "found-server" }, element("b", {}, TITLES[provider]), element("span", {}, models.join(", ") || gettext("No model is loaded.")), use);
  });
  const looked = element("span", { lang: "en" }, Object.values(TITLES).join(", "));
  const none = element("p", { class: "soft" }, gettext("Nothing runs at the usual ports of:"), " ", looked);
  part("found").replaceChildren(...(found.length ? found : [none]));
}

function showCost() {
  const chosen = Number(/** @type {?HTMLSelectElement} */ (part("cast"))?.value);
  setText(part("cost"), costText(report?.costs.find((cost) => cost.people === chosen) ?? null, pace));
}

async function test() {
  allow(part("test"), false);
  part("testing").hidden = false;
  part("answers").replaceChildren();
  complain("");
  try {
    const { findings } = /** @type {{findings: Finding[]}} */ (/** @type {unknown} */ (await askEngine({ request: "test_models" })));
    showAnswers(findings);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    complain(error.message);
  }
  part("testing").hidden = true;
  allow(part("test"), true);
}

/** @param {Finding[]} findings */
function showAnswers(findings) {
  const answers = findings.filter((finding) => finding.model);
  const worth = findings.filter((finding) => finding.model || (finding.verdict !== "ok" && finding.what !== PRICES));
  const byRules = element("li", {}, gettext("Rules answer: there is no model to ask."));
  const lines = worth.map((finding) => {
    const { text, more, english } = answerText(finding);
    const kind = { ok: null, note: "note", FAIL: "fault" }[finding.verdict];
    return element("li", { class: kind, lang: english ? "en" : null }, text, element("small", {}, more));
  });
  part("answers").replaceChildren(...(answers.length || lines.length ? lines : [byRules]));
  pace = answers.reduce((sum, { seconds }) => sum + seconds, 0) / (answers.length || 1);
  showCost();
}

/** @param {string} text */
function complain(text) {
  setText(part("test-error"), text);
  part("test-error").hidden = !text;
}

onUse(part("test"), test);
onUse(part("look"), async () => {
  allow(part("look"), false);
  await refresh();
  allow(part("look"), true);
});
part("cast")?.addEventListener("change", showCost);
watch.subscribe(({ engine }) => {
  const there = (engine?.state ?? "none") !== "none";
  if (there && !engineIsThere) refresh();
  if (!there) part("now").replaceChildren(noEngineText(), " ", element("code", {}, START));
  engineIsThere = there;
  for (const name of ["test", "look"]) allow(part(name), there);
  showNotices();
  pageReady("model");
});
watch.run();
