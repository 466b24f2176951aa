/** /study/NAME/: how far the runs of a study have come, and what came of them. */

import { element, pageData, setText, showDamage } from "../dom.js";
import { offerFile } from "../panel/saved_file.js";
import { pageReady } from "../ready.js";
import { errorText, get, sleep } from "../server.js";
import { answers } from "../study/answers.js";
import { figure } from "../study/figure.js";
import { meansNotes, meansTable } from "../study/means_table.js";
import { Rate } from "../study/rate.js";
import { failures, runGrid, seedPager } from "../study/run_grid.js";
import { StudyControls } from "../study/study_controls.js";
import { factTexts, stateText } from "../study/study_words.js";
/** @import { Question } from "../study/answers.js" */
/** @import { Measure } from "../study/means_table.js" */
/** @import { Arm } from "../study/run_grid.js" */
/** @import { Study } from "../study/study_words.js" */

const INTERVAL = 2000; // milliseconds, while the study is being run
const IDLE_INTERVAL = 10_000;

/** @type {{name: string, arms: Arm[], seeds: number[]}} */
const page = pageData();
const name = encodeURIComponent(page.name);
const part = (/** @type {string} */ which) => document.querySelector(`[data-part=${which}]`);
const rate = new Rate();
const shown = new Map(); // what is on the page, by part, as JSON
let wake = () => {}; // ends the pause before the next look
const controls = part("go-on") ? new StudyControls(page.name, () => wake()) : null; // only there for those who may act
offerFile(part("save-file"), part("file-note"), `/share_study/${name}/`);
if (part("save-report")) offerFile(part("save-report"), part("file-note"), `/study_report/${name}/`);

/**
 * Replaces the content of a part only if its values have changed, so that the focus stays where it is.
 * @param {string} which  @param {unknown} values  @param {() => Array<Node|string>} make
 */
function show(which, values, make) {
  const key = JSON.stringify(values);
  if (shown.get(which) === key) return;
  shown.set(which, key);
  const held = document.activeElement?.closest(`[data-part=${which}]`) ? /** @type {HTMLElement} */ (document.activeElement).dataset.key : null;
  part(which).replaceChildren(...make());
  if (held) part(which).querySelector(`[data-key="${CSS.escape(held)}"]`)?.focus();
}

/** @param {Study} study */
function showProgress(study) {
  rate.note(Date.now() / 1000, study.steps_done);
  setText(part("state"), stateText(study));
  controls?.show(study);
  const facts = factTexts(study, study.state === "running" ? rate.estimate(study.steps) : null);
  show("facts", facts, () => facts.flatMap((text, place) => [place ? " · " : "", element("span", { class: "fact" }, text)]));
  Object.assign(part("bar"), { value: study.steps_done, max: Math.max(1, study.steps), hidden: study.state === "done" });
  show("runs", [study.jobs, study.page, study.pages], () => [...runGrid(study.jobs, { arms: page.arms, seeds: study.seeds }), ...seedPager(study, turnTo)]);
  show("failures", study.failures, () => failures(study.failures));
  showDamage(study.damage);
}

/** @param {{measures: Measure[], questions: Question[]}} results */
function showResults({ measures, questions }) {
  document.querySelector("[data-section=measures]").hidden = !measures.length;
  document.querySelector("[data-section=answers]").hidden = !questions.length;
  show("figures", measures, () => measures.map((measure) => figure(measure, name)));
  show("means", measures, () => (measures.length ? [meansTable(measures), ...meansNotes(measures)] : []));
  show("answers", questions, () => answers(questions, page));
}

let seen = -1; // the version of the study when the results were read
let place = 0; // the page of seeds that is wanted
let readPlace = 0; // and the one that was read last

/** Shows the runs of other seeds. @param {number} to */
function turnTo(to) {
  place = to;
  wake();
}

async function read() {
  /** @type {Study} */
  readPlace = place;
  const study = await get(`/study_data/${name}/?page=${place}`);
  showProgress(study);
  if (study.version !== seen) {
    showResults(await get(`/study_results/${name}/`));
    seen = study.version;
  }
  setText(part("error"), "");
  return study.state === "running";
}

for (let first = true, running = true; ; first = false) {
  if (first || !document.hidden) {
    try {
      running = await read();
      pageReady("study");
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setText(part("error"), errorText(error));
    }
  }
  if (readPlace !== place) continue;
  const asked = new Promise((done) => (wake = () => done(null)));
  await Promise.race([sleep(running ? INTERVAL : IDLE_INTERVAL), asked]);
}
