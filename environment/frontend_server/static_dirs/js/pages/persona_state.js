/** /replay_persona_state/: memories, plan and settings of a persona, as saved. */

import { Actor } from "../acting/actor.js";
import { CardActions } from "../asking/card_actions.js";
import { named } from "../by_name.js";
import { element, pageData, setText, showDamage } from "../dom.js";
import { whyAddress } from "../asking/why_link.js";
import { stateUrl } from "../panel/persona_card.js";
import { renderPlaces } from "../mind/spatial_tree.js";
import { renderPlan, renderPlanAndDone } from "../mind/plan.js";
import { readChapters } from "../mind/chapters.js";
import { SaveNotice, isMissing } from "../mind/save_notice.js";
import { computed, renew } from "../mind/exact_mind.js";
import { MemoryStream } from "../mind/memory_stream.js";
import { capitalize, describe, placeText } from "../panel/descriptions.js";
import { pageReady } from "../ready.js";
import { doingElement, showDoing } from "../doings.js";
import { fillRecorded, recorded, recordedElement } from "../recorded.js";
import { get, retry } from "../server.js";
import { dateText, hourOf, momentOf, timeText } from "../playback/clock.js";
import { StatusWatch } from "../playback/status_watch.js";
import { parseAddress } from "../playback/frames.js";
import { fill, gettext, language, ngettext } from "../translation.js";
/** @import { Doing, PlannedTask, SavedSchedule } from "../mind/plan.js" */
/** @import { SpatialTree } from "../mind/spatial_tree.js" */
/** @import { MemoryNode } from "../mind/trivia.js" */

/**
 * @typedef {Object} SavedScratch  what is shown of scratch.json
 * @property {string} [curr_time]
 * @property {string} [living_area]
 * @property {string} [act_pronunciatio]
 * @property {string} [act_description]
 * @property {string} [act_address]
 * @property {SavedSchedule} [f_daily_schedule]
 * @property {Record<string, Impression>} [relationship]
 */

/**
 * @typedef {{relationship?: string, feeling?: string, summary?: string}} Impression  of another persona
 * @typedef {{name: string, step: number, moment: string, saved: ?string, kept_step: number, saved_step: number, exact?: string,
 *   damage: string[], action: ?{pronunciatio: string, description: string}, scratch: SavedScratch, spatial: SpatialTree,
 *   nodes: MemoryNode[]}} MindState  response of /memories/
 * @typedef {{date: string, tasks: PlannedTask[], done: Doing[]}} DayPlan
 */

const UNKNOWN = "unknown"; // initial value in saved files
const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);
const STATUS_INTERVAL = 5000; // milliseconds
const page = pageData();
const watch = offerAsking();

try {
  const days = retry(
    () => get(page.days),
    () => {}, // everything else is shown without them
  );
  const state = await retry(
    () => get(page.memories),
    (text) => setText(part("moment"), `${gettext("Cannot show the memories:")} ${text}`),
  );
  const stream = show(state);
  const isWanted = () => isMissing(location.hash, state.nodes);
  const notice = new SaveNotice(part("stale"), page, { saved_step: state.saved_step, isWanted }, reloadAt);
  watch.subscribe((status) => notice.update(status));
  pageReady("state");
  const { chapters, plan } = await days;
  stream.tell(readChapters(chapters));
  if (plan) showPlanAndDone(plan, state);
  if (state.exact) becomeExact(state);
  document.documentElement.dataset.told = "days"; // for tests
} catch (error) {
  if (error instanceof Error) setText(part("moment"), `${gettext("Cannot show the memories:")} ${error.message}`);
  throw error;
}

/** Lets the persona be asked: nothing else can be done on a page of the past. */
function offerAsking() {
  const actor = new Actor(page, { secondsPerStep: 1, timeOf: String }, () => page.step);
  const onFault = (/** @type {Error} */ error) => setText(part("moment"), error.message);
  const deeds = new CardActions(part("deeds"), actor, { onFault, only: ["ask"] });
  const asked = new StatusWatch(STATUS_INTERVAL);
  deeds.choose(page.persona);
  asked.subscribe((status) => {
    actor.status = status;
    deeds.update();
  });
  asked.run();
  return asked;
}

/** Opens this page at a step, at the same memory. @param {number} step */
function reloadAt(step) {
  const address = `${stateUrl(page, step, page.persona.underscore)}${location.hash}`;
  history.replaceState(null, "", address);
  location.reload();
}

/** @param {MindState} state */
function show(state) {
  showDamage(state.damage);
  showMind(state);
  const whyOf = (/** @type {MemoryNode} */ { id }) => whyAddress(page, { who: state.name, step: state.step, memory: id });
  return new MemoryStream(part("stream"), state.nodes, state.name, whyOf);
}

/** Shows everything but the memories. @param {MindState} state */
function showMind(state) {
  const moment = momentOf(state.moment);
  setText(part("moment"), momentText(state, moment));
  showAction(state);
  if (part("home")) setText(part("home"), placeText(parseAddress(state.scratch.living_area)));
  showPlan(state.scratch, moment);
  showPeople(state);
  part("places").replaceChildren(renderPlaces(state.spatial));
}

/**
 * Shows plan, places and character as of the step itself, once the server has computed them.
 * @param {MindState} state
 */
async function becomeExact({ exact, ...state }) {
  const said = momentText(state, momentOf(state.moment));
  setText(part("moment"), `${said} ${gettext("Computing those of this moment …")}`);
  try {
    await computed(exact);
    await renew('[data-part="mind"]');
    const [now, { plan }] = await Promise.all([get(page.memories), get(page.days)]);
    showMind(now);
    setText(part("moment"), fill(gettext("At step %(step)s, %(moment)s."), { step: now.step, moment: whenText(momentOf(now.moment)) }));
    if (plan) showPlanAndDone(plan, now);
    document.documentElement.dataset.exact = "yes"; // for tests
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    setText(part("moment"), `${said} ${error.message}`);
  }
}

/**
 * Says which moment is shown: the last save may be earlier or later than the requested step.
 * @param {Omit<MindState, "exact">} state  @param {number} moment
 */
function momentText(state, moment) {
  const asked = whenText(moment);
  if (!state.saved) return fill(gettext("At step %(step)s, %(moment)s."), { step: state.step, moment: asked });
  const saved = momentOf(state.saved);
  if (saved === moment)
    return fill(gettext("As saved at step %(step)s, %(moment)s."), { step: state.step, moment: asked });
  return fill(savedText(saved, moment, state), { step: state.step, moment: asked, save: state.kept_step, saved: whenText(saved) });
}

/**
 * Memories are known at any step that was saved; the rest only as of a save.
 * @param {number} saved  @param {number} moment  @param {Omit<MindState, "exact">} state
 */
function savedText(saved, moment, state) {
  if (saved > moment)
    return gettext("Memories and action at step %(step)s, %(moment)s. Plan, places and character were saved later: step %(save)s, %(saved)s.");
  if (state.kept_step < state.saved_step)
    return gettext("Memories and action at step %(step)s, %(moment)s. Plan, places and character as of step %(save)s, %(saved)s.");
  return gettext("Action at step %(step)s, %(moment)s. Memories, plan, places and character were saved earlier: step %(save)s, %(saved)s.");
}

/** @param {number} moment */
function whenText(moment) {
  return `${dateText(moment, language, { within: true })}, ${timeText(moment)}`;
}

/** @param {MindState} state */
function showAction({ action, scratch }) {
  const record = action ?? { pronunciatio: scratch.act_pronunciatio ?? "", description: savedAction(scratch) };
  const words = describe(record);
  setText(part("emoji"), record.pronunciatio);
  if (words.doing) showDoing(part("doing"), words.doing);
  else setText(recorded(part("doing"), false), gettext("Nothing yet"));
  if (words.task) part("task").replaceChildren(...fillRecorded(gettext("Part of: %(task)s"), { task: doingElement("span", {}, words.task) }));
  setText(part("where"), words.where);
  recorded(part("where"), words.isPlace);
}

/** @param {SavedScratch} scratch */
function savedAction({ act_description: doing, act_address: address }) {
  return doing ? `${doing} @ ${address ?? ""}` : "";
}

/**
 * Shows the saved plan. It belongs to the day of the save: the time is marked only on that day.
 * @param {SavedScratch} scratch  @param {number} moment
 */
function showPlan(scratch, moment) {
  const schedule = scratch.f_daily_schedule ?? [];
  if (!schedule.length) {
    part("plan").replaceChildren(element("p", { class: "none" }, gettext("No plan has been made yet.")));
    return;
  }
  const day = scratch.curr_time ? new Date(`${scratch.curr_time.split(", ").slice(0, 2).join(", ")} UTC`) : null;
  const sameDay = day && dateText(day.getTime(), "en") === dateText(moment, "en");
  if (day) setText(part("plan-day"), dateText(day.getTime(), language));
  part("plan").replaceChildren(renderPlan(schedule, sameDay ? hourOf(moment) * 60 : null));
}

/** Shows the saved plan beside what was done that day. @param {DayPlan} plan  @param {MindState} state */
function showPlanAndDone(plan, { scratch, moment }) {
  const [day, time] = [momentOf(`${plan.date}T00:00:00`), momentOf(moment)];
  const now = dateText(day, "en") === dateText(time, "en") ? hourOf(time) * 60 : null;
  setText(part("plan-day"), dateText(day, language));
  part("plan").replaceChildren(renderPlanAndDone(plan, scratch.f_daily_schedule ?? [], now));
}

/** @param {MindState} state */
function showPeople({ scratch, nodes, name }) {
  const impressions = named(scratch.relationship);
  const talks = new Map();
  for (const node of nodes) if (node.type === "chat") talks.set(node.object, (talks.get(node.object) ?? 0) + 1);
  const others = [...new Set([...Object.keys(impressions), ...talks.keys()])].filter((other) => other !== name);
  if (!others.length) {
    part("people").replaceChildren(element("li", { class: "none" }, gettext("No conversations yet.")));
    return;
  }
  part("people").replaceChildren(
    ...others.map((other) => acquaintance(other, impressions[other], talks.get(other) ?? 0)),
  );
}

/** @param {string} name  @param {Impression|undefined} impression  @param {number} talks */
function acquaintance(name, impression, talks) {
  const link = element("a", { href: stateUrl(page, page.step, name.replaceAll(" ", "_")) }, name);
  const count = fill(ngettext("%(count)s conversation", "%(count)s conversations", talks), { count: talks });
  const { relationship = "", feeling = "", summary = "" } = impression ?? {};
  const words = [relationship, feeling === UNKNOWN ? "" : capitalize(feeling), summary].filter(Boolean).join(" · ");
  const facts = [words && recordedElement("span", {}, words), talks && count].filter(Boolean);
  return element("li", {}, element("strong", {}, link), element("span", {}, ...facts.flatMap((one, place) => (place ? [" · ", one] : [one]))));
}
