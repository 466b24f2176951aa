/** /compare/: two runs side by side under one playhead, what differs first, how it spread, and what came of it. */

import { Playback } from "../compare/twin_playback.js";
import { DifferenceList } from "../compare/difference_list.js";
import { Noise } from "../compare/noise.js";
import { offerRepetition } from "../compare/repetition.js";
import { Report } from "../compare/report.js";
import { Strip } from "../compare/strip.js";
import { timelineUntil } from "../playback/talks.js";
import { summary } from "../compare/comparison_words.js";
import { element, pageData, setText, showDamage } from "../dom.js";
import { newRecord, readRecord } from "../guiding/lesson_record.js";
import { registerKey } from "../keys.js";
import { offerFile } from "../panel/saved_file.js";
import { Clock, dateText, dayText, timeText } from "../playback/clock.js";
import { pageReady } from "../ready.js";
import { computedAnswer } from "../run_pages/computed_answer.js";
import { Refused, get, retry } from "../server.js";
import { gettext, language } from "../translation.js";
/** @import { Comparison } from "../compare/comparison_words.js" */
/** @import { ComparePage, SidePage } from "../compare/side.js" */
/** @import { Timeline } from "../playback/talks.js" */

const WEEK = 7; // days

/** @type {ComparePage} */
const page = pageData();
page.sides.forEach((side) => (side.static = page.static));
const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);
const say = (/** @type {string} */ text) => setText(part("summary-status"), text);
const names = page.sides.map(({ name }) => encodeURIComponent(name));
const timelines = await Promise.all(page.sides.map(timelineOf));
timelines.forEach(({ damage }) => showDamage(damage));
const clock = new Clock(timelines[0].start, timelines[0].sec_per_step);
const days = Math.max(...timelines.map((timeline) => timeline.days.length));
const dayOf = (/** @type {number} */ moment) => (days > WEEK ? `${dateText(moment, language, { short: true })}, ` : days > 1 ? `${dayText(moment, language)} ` : "");
const whenText = (/** @type {number} */ step) => dayOf(clock.at(step)) + timeText(clock.at(step));

const finding = findDifferences();
const playback = await Playback.open(page, { clock, timelines });
playback.onStep = (step) => window.ville.strip?.show(step);
playback.onChoose = (name) => window.ville.strip?.choose(name);
part("nearer").addEventListener("click", () => playback.sides[0].town.camera.zoomBy(1.5));
part("farther").addEventListener("click", () => playback.sides[0].town.camera.zoomBy(1 / 1.5));
part("overview").addEventListener("click", () => {
  playback.choose(null);
  playback.sides[0].town.camera.overview();
});
offerFile(part("save-file"), part("file-note"), `/share_comparison/${names.join("/")}/`);
registerKey("Escape", gettext("Let go of the person"), () => playback.choose(null));

window.ville = {
  mode: page.mode,
  playback,
  strip: null,
  found: null,
  get step() {
    return playback.step;
  },
};
leadBackToLesson();
pageReady("town");
show(await finding);
document.documentElement.dataset.compared = "true";

/** The lesson ends here: its questions are on its page. */
function leadBackToLesson() {
  const { town, branch } = readRecord() ?? newRecord();
  const compared = page.sides.map(({ name }) => name);
  if (branch && compared.includes(town) && compared.includes(branch)) part("summary-status").after(element("p", {}, element("a", { href: "/lesson/" }, gettext("Back to the lesson"))));
}

/** What happens in a side, as far as it is compared. @param {SidePage} side  @returns {Promise<Timeline>} */
async function timelineOf({ sim_code: code, store, until }) {
  const timeline = await retry(() => get(`/timeline/${encodeURIComponent(code)}/?store=${store}`), say);
  return until === null ? timeline : timelineUntil(timeline, until);
}

/** Asks for the comparison until the server has it. */
async function findDifferences() {
  const tell = (/** @type {string} */ text) => say(text || gettext("Comparing both runs …"));
  tell("");
  try {
    return { ...(await computedAnswer(`/comparison/${names.join("/")}/`, tell)), static: page.static };
  } catch (fault) {
    if (fault instanceof Refused) return { fault: fault.message };
    throw fault;
  }
}

/** @param {Comparison & {fault?: string}} found */
function show(found) {
  if (found.fault) {
    say(found.fault);
    return;
  }
  window.ville.found = found;
  playback.people = found.people;
  const sentences = summary(found, whenText);
  part("summary").replaceChildren(element("p", { class: "lead" }, sentences.slice(0, 2).join(" ")), element("p", {}, sentences.slice(2).join(" ")));
  say("");
  const goTo = (/** @type {number} */ step, /** @type {string} */ name) => playback.goTo(step, name);
  const everyone = { ...page, personas: page.sides.flatMap(({ personas }) => personas) };
  window.ville.strip = new Strip(part("strip"), { page: everyone, found, clock, onPick: goTo });
  new DifferenceList(part("differences"), { page, found, whenText, goTo, stepNow: () => playback.step });
  new Report(found, { clock, whenText, goTo: (step, name) => toMaps(step, name) }).show();
  const noise = document.querySelector("[data-section=noise]");
  noise.hidden = false;
  const repeat = part("repeat"); // only there for those who may act
  if (repeat) offerRepetition(repeat, part("repeat-note"), page.sides.map(({ name }) => name));
  new Noise(noise.querySelector("div"), page);
  if (found.equal.until !== null) goTo(found.equal.movement ?? found.equal.until, found.decisions[0]?.who ?? null);
}

/** Goes to a step, and shows the maps, which may be out of sight. @param {number} step  @param {string} name */
function toMaps(step, name) {
  playback.goTo(step, name);
  part("stage").scrollIntoView({ block: "start" });
}
