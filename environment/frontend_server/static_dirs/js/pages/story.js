/** /story/NAME/: what weighed most on each day, in chapters; each leads to its moment. */

import { pageData, setText } from "../dom.js";
import { pageReady } from "../ready.js";
import { computedAnswer } from "../run_pages/computed_answer.js";
import { StoryDays } from "../run_pages/story_days.js";
import { Refused } from "../server.js";
import { gettext } from "../translation.js";

const page = pageData();
const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);
const say = (/** @type {string} */ text) => setText(part("state"), text);
const address = (/** @type {string} */ route) => `/${route}/${encodeURIComponent(page.sim_code)}/`;

say(gettext("Reading the run …"));
try {
  const { days } = await computedAnswer(`${address("story_data")}?store=${page.store}`, (text) => say(text || gettext("Reading the run …")));
  const more = (/** @type {number} */ number, /** @type {number} */ skip) => computedAnswer(`${address("story_more")}${number}/?store=${page.store}&skip=${skip}`, say);
  part("days").replaceChildren(...new StoryDays(page, more).show(days));
  say(days.length ? "" : gettext("Nothing has weighed much so far."));
} catch (fault) {
  if (!(fault instanceof Refused)) throw fault;
  say(fault.message);
}
pageReady("story");
