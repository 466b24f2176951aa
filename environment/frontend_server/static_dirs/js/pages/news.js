/** /news/NAME/: how a fact spread in a run. */

import { curveDrawing } from "../compare/curves.js";
import { element, pageData, setText } from "../dom.js";
import { NewsMap } from "../news/news_map.js";
import { claimsText, summary } from "../news/news_words.js";
import { answerTable, paperTable } from "../news/paper_table.js";
import { tellingTable } from "../news/telling_table.js";
import { tellingTree } from "../news/telling_tree.js";
import { Clock, dayText, timeText } from "../playback/clock.js";
import { pageReady } from "../ready.js";
import { computedAnswer } from "../run_pages/computed_answer.js";
import { allow, onUse } from "../running/menu.js";
import { Refused } from "../server.js";
import { gettext, language } from "../translation.js";
/** @import { Page } from "../dom.js" */
/** @import { News, NewsView } from "../news/news_words.js" */
/** @import { TownPicture } from "../news/news_map.js" */

/** @type {Page & TownPicture & {data: string, table: string, asked: string, watch: string}} */
const page = pageData();
const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);
const clock = new Clock(page.start, page.sec_per_step);
const people = new Map(page.personas.map((persona) => [persona.name, persona]));
const say = (/** @type {string} */ text) => setText(part("state"), text || gettext("Reading what everyone said and thought …"));

/** @type {NewsView} */
const view = {
  timeText: (step) => `${dayText(clock.at(step), language)} ${timeText(clock.at(step))}`,
  watch: (step, who) => `${page.watch.replace("STEP", String(step))}${hash(who)}`,
  mind: (step, who) => `/replay_persona_state/${encodeURIComponent(page.sim_code)}/${step}/${encodeURIComponent(underscore(who))}/?store=${page.store}`,
  face: (who) => element("img", { src: `${page.static}assets/characters/portraits/${people.get(who)?.sprite ?? ""}.png`, alt: "", width: 40, height: 40, loading: "lazy" }),
};

/** @param {string} who */
const underscore = (who) => people.get(who)?.underscore ?? who.replaceAll(" ", "_");
/** @param {string} who */
const hash = (who) => `#${encodeURIComponent(underscore(who))}`;

document.querySelector("[data-part=fact]").addEventListener("change", ({ target }) => /** @type {HTMLSelectElement} */ (target).form.requestSubmit());
offer("count", page.table, gettext("Counting …"), (found) => part("paper").replaceChildren(paperTable(found, { ...view, fact, ties: `/ties/${encodeURIComponent(page.sim_code)}/?store=${page.store}` })));
offer("ask", page.asked, gettext("Asking everyone; this takes some minutes …"), (found) => part("answers").replaceChildren(answerTable(found)));
say("");
try {
  const found = await computedAnswer(page.data, say);
  show(/** @type {News} */ (Object.values(found)[0]));
  setText(part("state"), "");
} catch (fault) {
  if (!(fault instanceof Refused)) throw fault;
  setText(part("state"), "");
  setText(part("error"), fault.message);
}
pageReady("news");

/** The address of this page with another fact. @param {string} key */
function fact(key) {
  return `?${new URLSearchParams({ fact: key, store: page.store })}`;
}

/**
 * Has a button fetch what is computed, if there is the button.
 * @param {string} name  @param {string} address  @param {string} words said meanwhile  @param {(found: any) => void} showFound
 */
function offer(name, address, words, showFound) {
  const button = part(name);
  if (button) onUse(button, async () => {
    allow(button, false);
    setText(part("counting"), words);
    try {
      showFound(Object.values(await computedAnswer(address, (text) => setText(part("counting"), text || words)))[0]);
      setText(part("counting"), "");
    } catch (fault) {
      setText(part("counting"), /** @type {Error} */ (fault).message);
    }
    allow(button, true);
  });
}

/** @param {News} news */
function show(news) {
  setText(part("summary"), summary(news, view.timeText));
  setText(part("claims"), claimsText(news));
  const isKnown = news.knowers.length > 0;
  const shown = { verdict: true, map: isKnown, tree: isKnown, tellings: news.tellings.length > 0 };
  for (const [name, isShown] of Object.entries(shown)) document.querySelector(`[data-section=${name}]`).hidden = !isShown;
  if (!isKnown) return;
  if (page.picture && page.tiles) new NewsMap(part("map"), news, { ...page, view });
  const heard = news.knowers.map(({ step, who, teller }) => /** @type {[number, string, string]} */ ([step, who, teller]));
  const toMoment = (/** @type {number} */ step, /** @type {string} */ who) => location.assign(view.watch(step, who));
  const caption = gettext("Who knows of it, over time");
  part("curve").replaceChildren(element("p", { class: "caption" }, caption), curveDrawing([["", heard]], caption, { clock, first: news.first, last: news.steps, onPick: toMoment }));
  part("tree").replaceChildren(tellingTree(news, view));
  if (news.tellings.length) part("tellings").replaceChildren(tellingTable(news, view));
}
