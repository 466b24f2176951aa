/** The first minute on the page of a town: what is possible, in four steps. Shown once, and again from the list of keys. */

import { isByTouch } from "../dom.js";
import { registerKey } from "../keys.js";
import { gettext } from "../translation.js";
import { readRecord } from "./lesson_record.js";
import { StepCard } from "./step_card.js";
/** @import { GuideStep } from "./step_card.js" */
/** @import { Status, StatusWatch } from "../playback/status_watch.js" */

const STORED = "ville.first_minute"; // "seen" once it was shown

/**
 * Shows it if it was never shown here, once it is known what this user may do.
 * @param {HTMLElement} panel  @param {StatusWatch} watch  @param {() => TownPage} here  what the page is like at the moment
 */
export function offerFirstMinute(panel, watch, here) {
  const card = new StepCard(panel);
  const open = (/** @type {boolean} */ called) => card.open(firstSteps({ ...here(), byTouch: isByTouch() }, watch.latest), { called });
  registerKey("h", gettext("Show the first minute"), () => open(true), { isButton: true });
  let due = !wasSeen() && readRecord()?.town !== here().name; // a lesson shows the way itself, where the card would stand
  watch.subscribe(() => {
    if (!due) return;
    due = false;
    noteSeen();
    open(false);
  });
}

/**
 * @typedef {{name: string, isLive: boolean, mayBranch: boolean}} TownPage  a live town or a recording, and whether a branch can
 *   begin here
 * @param {Omit<TownPage, "name"> & {byTouch: boolean}} page  `byTouch`: without keys  @param {?Status} status  @returns {GuideStep[]}
 */
export function firstSteps({ isLive, mayBranch, byTouch }, status) {
  const mayAct = status?.act === "yes";
  return [watching(isLive, mayAct, byTouch), minds(byTouch), isLive ? asking(status) : askingThePast(mayAct), branching(isLive, mayBranch)];
}

/** @param {boolean} isLive  @param {boolean} mayAct  @param {boolean} byTouch */
function watching(isLive, mayAct, byTouch) {
  const title = gettext("Watch");
  if (!isLive) {
    const text = byTouch ? gettext("Tap here to play and pause. The slider leads to any moment; the numbers are the speed.") : gettext("Play and pause here, or with the space bar. The slider leads to any moment; the numbers are the speed.");
    return { title, text, at: [".controls .play"] };
  }
  if (mayAct) {
    const text = byTouch ? gettext("Tap here to run and pause the town. Beside it: until when, and how fast.") : gettext("Run and pause the town here, or with the space bar. Beside it: until when, and how fast.");
    return { title, text, at: [".run .play"] };
  }
  return { title, text: gettext("Time passes as long as the town runs. The slider leads back to what has happened."), at: [".past-bar", ".bottom"] };
}

/** @param {boolean} byTouch */
function minds(byTouch) {
  const text = byTouch
    ? gettext("Tap someone, on the map or in this list, to follow them. “State details” opens their memories and their plan.")
    : gettext("Click someone, on the map or in this list, to follow them. “State details” opens their memories and their plan.");
  return { title: gettext("Look into a mind"), text, at: ["[data-tab=people]"] };
}

/** @param {?Status} status */
function asking(status) {
  const title = gettext("Ask, talk, whisper");
  if (status?.act === "yes") {
    const text = gettext("Below a person: ask them, talk with them, or whisper a thought that they take for their own. “Do” changes the town.");
    return { title, text, at: ["[data-tab=do]"] };
  }
  if (status?.act === "sign in") {
    const text = gettext("Whoever signs in can ask people, talk with them, and whisper a thought that they take for their own.");
    return { title, text, at: [".account"], link: { href: `/sign_in/?next=${encodeURIComponent(location.pathname)}`, text: gettext("Sign in") } };
  }
  return { title, text: gettext("This server only shows the town. Who runs it can ask people and whisper to them."), at: [] };
}

/** @param {boolean} mayAct */
function askingThePast(mayAct) {
  const title = gettext("Ask, talk, whisper");
  const text = mayAct
    ? gettext("What is recorded does not change, but its people can be asked: choose one. To whisper to them, start a town of your own.")
    : gettext("What is recorded does not change. In a town that runs, people can be asked, talked with and whispered to.");
  return { title, text, at: ["[data-tab=people]"], link: mayAct ? { href: "/#start", text: gettext("Start a town") } : null };
}

/** @param {boolean} isLive  @param {boolean} mayBranch */
function branching(isLive, mayBranch) {
  const title = gettext("Branch and compare");
  if (!mayBranch) {
    const text = gettext("Where a town is run, another future can begin at any moment, with something different; both are compared side by side.");
    return { title, text, at: [] };
  }
  const text = isLive
    ? gettext("“Branch here”, in this menu, begins another future from this moment, with something different. The front page compares both.")
    : gettext("“Branch here” begins another future from this moment, with something different. The front page compares both.");
  return { title, text, at: isLive ? ["[data-run=menu] summary", "[data-run=unfold]"] : ["[data-control=branch]"] };
}

function wasSeen() {
  try {
    return localStorage.getItem(STORED) !== null;
  } catch {
    return true; // storage is forbidden: it would come back every time
  }
}

function noteSeen() {
  localStorage.setItem(STORED, "seen");
}
