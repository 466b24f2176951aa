/** /why/NAME/: what led to what someone did, said or thought, and whether that is really why. */

import { element, pageData, setText } from "../dom.js";
import { SaveNotice } from "../mind/save_notice.js";
import { stateUrl } from "../panel/persona_card.js";
import { Clock, dayText, timeText } from "../playback/clock.js";
import { StatusWatch } from "../playback/status_watch.js";
import { pageReady } from "../ready.js";
import { recordedElement } from "../recorded.js";
import { computedAnswer } from "../run_pages/computed_answer.js";
import { whyOutline } from "../run_pages/why_outline.js";
import { whyScores } from "../run_pages/why_scores.js";
import { actText, missingText } from "../run_pages/why_words.js";
import { allow, onUse } from "../running/menu.js";
import { Refused } from "../server.js";
import { gettext, language } from "../translation.js";
/** @import { Page } from "../dom.js" */
/** @import { WhyView } from "../run_pages/why_outline.js" */
/** @import { Chain } from "../run_pages/why_words.js" */

const STATUS_INTERVAL = 5000; // milliseconds

/** @type {Page & {data: string, test: string, watch: string, saved_step: number}} */
const page = pageData();
const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);
const clock = new Clock(page.start, page.sec_per_step);
const underscore = (/** @type {string} */ who) => page.personas.find(({ name }) => name === who)?.underscore ?? who.replaceAll(" ", "_");

/** @type {WhyView} */
const view = {
  timeText: (step) => `${dayText(clock.at(step), language)} ${timeText(clock.at(step))}`,
  watch: (step, who) => `${page.watch.replace("STEP", String(step))}#${encodeURIComponent(underscore(who))}`,
  mind: ({ who, node, step }) => (node ? memory(who, node, step) : null),
};

if (page.data) await begin();
pageReady("why");

/** Shows the chain. What the last save lacks is saved first; the page is loaded anew then. */
async function begin() {
  if (page.store === "saved" && (await isBeingSaved())) return;
  setText(part("state"), gettext("Looking for causes …"));
  await fetched(page.data, (text) => setText(part("state"), text || gettext("Looking for causes …")));
  setText(part("state"), "");
  if (part("test")) onUse(part("test"), test);
}

/** Whether the town has gone on to this act since its last save, and is saved now. @returns {Promise<boolean>} */
function isBeingSaved() {
  const isWanted = () => page.step >= page.saved_step;
  const notice = new SaveNotice(part("stale"), page, { saved_step: page.saved_step, isWanted }, () => location.reload());
  const watch = new StatusWatch(STATUS_INTERVAL);
  const first = new Promise((resolve) => {
    watch.subscribe((status) => {
      notice.update(status);
      resolve(notice.saving);
    });
  });
  watch.run();
  return isWanted() ? first : Promise.resolve(false);
}

async function test() {
  const words = gettext("Running it again without each named cause; this may take some minutes …");
  allow(part("test"), false);
  setText(part("testing"), words);
  await fetched(page.test, (text) => setText(part("testing"), text || words));
  setText(part("testing"), "");
  allow(part("test"), true);
}

/** @param {string} address  @param {(text: string) => void} onTrouble */
async function fetched(address, onTrouble) {
  setText(part("error"), "");
  try {
    show(await computedAnswer(address, onTrouble));
  } catch (fault) {
    if (!(fault instanceof Refused)) throw fault;
    setText(part("error"), fault.message);
  }
}

/** @param {Chain} chain */
function show(chain) {
  const { act, causes, first, missing } = chain;
  const { step } = causes[first];
  part("act").hidden = document.querySelector("[data-section=causes]").hidden = false;
  part("act").replaceChildren(
    element("p", {}, element("strong", {}, actText(act)), element("small", {}, ` ${view.timeText(step)}`)),
    recordedElement("blockquote", {}, act.words),
    element("p", { class: "links" }, element("a", { href: view.watch(step, act.who) }, gettext("Watch the moment"))),
  );
  part("causes").replaceChildren(whyOutline(chain, view));
  const recording = gettext("A recording does not have the questions that were asked, the scores of memories and the entries of plans.");
  setText(part("missing"), missing && (page.store === "compressed" ? recording : missingText(missing)));
  const scores = whyScores(chain, (node) => memory(act.who, node, step));
  part("scores").hidden = !scores;
  part("scores").replaceChildren(...(scores ? [scores] : []));
}

/** @param {string} who  @param {string} node  @param {number} step */
function memory(who, node, step) {
  return `${stateUrl(page, step, underscore(who))}#${node}`;
}
