/** /replay_persona_state/: a mind, as far as it is saved. */

import { element, pageData, say, tellDamage } from "../dom.js";
import { stateUrl } from "../panel/card.js";
import { placesOf } from "../panel/places.js";
import { planOf } from "../panel/plan.js";
import { Stream } from "../panel/stream.js";
import { capital, describe, placeText } from "../panel/words.js";
import { get, insist } from "../server.js";
import { dateText, hourOf, momentOf, timeText } from "../story/clock.js";
import { readAddress } from "../story/frames.js";
import { fill, gettext, language, ngettext } from "../words.js";

const UNKNOWN = "unknown"; // what the engine writes before anything is felt
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const page = pageData();

try {
  show(
    await insist(
      () => get(page.memories),
      (text) => say(part("moment"), `${gettext("The memories cannot be shown:")} ${text}`),
    ),
  );
  document.documentElement.dataset.ready = "state";
} catch (fault) {
  say(part("moment"), `${gettext("The memories cannot be shown:")} ${fault.message}`);
  throw fault;
}

function show(mind) {
  tellDamage(mind.damage);
  const moment = momentOf(mind.moment);
  say(part("moment"), momentWords(mind, moment));
  showAction(mind);
  if (part("home")) say(part("home"), placeText(readAddress(mind.scratch.living_area)));
  showPlan(mind.scratch, moment);
  showPeople(mind);
  part("places").replaceChildren(placesOf(mind.spatial));
  new Stream(part("stream"), mind.nodes, mind.name);
}

/** Which moment is shown: what is saved may be from before or from after what was asked for. */
function momentWords(mind, moment) {
  const asked = whenText(moment);
  if (!mind.saved) return fill(gettext("At step %(step)s, %(moment)s."), { step: mind.step, moment: asked });
  const saved = momentOf(mind.saved);
  if (saved === moment)
    return fill(gettext("As saved at step %(step)s, %(moment)s."), { step: mind.step, moment: asked });
  const words =
    saved < moment
      ? gettext(
          "Action at step %(step)s, %(moment)s. Memories, plan, places and character were saved earlier: step %(save)s, %(saved)s.",
        )
      : gettext(
          "Memories and action at step %(step)s, %(moment)s. Plan, places and character were saved later: step %(save)s, %(saved)s.",
        );
  return fill(words, { step: mind.step, moment: asked, save: mind.saved_step, saved: whenText(saved) });
}

function whenText(moment) {
  return `${dateText(moment, language, { within: true })}, ${timeText(moment)}`;
}

function showAction({ action, scratch }) {
  const record = action ?? { pronunciatio: scratch.act_pronunciatio ?? "", description: savedAction(scratch) };
  const words = describe(record);
  say(part("emoji"), record.pronunciatio);
  say(part("doing"), words.doing || gettext("Nothing yet"));
  say(part("task"), words.task && fill(gettext("Part of: %(task)s"), { task: words.task }));
  say(part("where"), words.where);
}

function savedAction({ act_description: doing, act_address: address }) {
  return doing ? `${doing} @ ${address ?? ""}` : "";
}

/** The saved plan is that of the day of the save; the hand stands only where the moment is on that day. */
function showPlan(scratch, moment) {
  const schedule = scratch.f_daily_schedule ?? [];
  if (!schedule.length) {
    part("plan").replaceChildren(element("p", { class: "none" }, gettext("No plan has been made yet.")));
    return;
  }
  const day = scratch.curr_time ? new Date(`${scratch.curr_time.split(", ").slice(0, 2).join(", ")} UTC`) : null;
  const sameDay = day && dateText(day.getTime(), "en") === dateText(moment, "en");
  if (day) say(part("plan-day"), dateText(day.getTime(), language));
  part("plan").replaceChildren(planOf(schedule, sameDay ? hourOf(moment) * 60 : null));
}

function showPeople({ scratch, nodes, name }) {
  const impressions = scratch.relationship ?? {};
  const talks = new Map();
  for (const node of nodes) if (node.type === "chat") talks.set(node.object, (talks.get(node.object) ?? 0) + 1);
  const others = [...new Set([...Object.keys(impressions), ...talks.keys()])].filter((other) => other !== name);
  if (!others.length) {
    part("people").replaceChildren(element("p", { class: "none" }, gettext("Has not talked with anybody yet.")));
    return;
  }
  part("people").replaceChildren(
    ...others.map((other) => acquaintance(other, impressions[other], talks.get(other) ?? 0)),
  );
}

function acquaintance(name, impression, talks) {
  const link = element("a", { href: stateUrl(page, page.step, name.replaceAll(" ", "_")) }, name);
  const count = fill(ngettext("%(count)s conversation", "%(count)s conversations", talks), { count: talks });
  const { relationship = "", feeling = "" } = impression ?? {};
  const words = [relationship, feeling === UNKNOWN ? "" : capital(feeling), talks ? count : ""];
  return element("li", {}, element("strong", {}, link), element("span", {}, words.filter(Boolean).join(" · ")));
}
