/** Says in one sentence what the backend does, why it waits, and why it ended. Pure. */

import { modelsText } from "../running/run_words.js";
import { fill, gettext, language, ngettext } from "../translation.js";
/** @import { Restart, Status } from "./status_watch.js" */

const AFTER_CRASH = {
  saved: gettext("%(name)s is as it was saved last; steps after that are gone."),
  "goes on": gettext("%(name)s goes on from step %(step)s, its last save, to step %(until)s."),
  paused: gettext("%(name)s is paused at step %(step)s, its last save, on its way to step %(until)s."),
  "other models": gettext("%(name)s is paused at step %(step)s, its last save: since it began, the settings name another model (%(models)s). Press Run to go on to step %(until)s."),
  stopped: gettext("The engine ended unexpectedly twice at step %(place)s of %(name)s, so its run was stopped. It is saved at step %(step)s. The terminal says what went wrong; press Start to try again."),
};

/**
 * @param {Status} status
 * @param {number} people number of personas in the town
 */
export function statusText(status, people) {
  const { backend, engine } = status;
  if (engine?.state === "opening") return openingText(engine);
  if (backend === "stopped" || backend === "none") return closedText(status);
  if (backend === "waiting") return endText(status);
  if (backend === "paused") return restartText(engine?.restarted, "paused", "other models") || gettext("Paused.");
  return runningText(status, people);
}

/**
 * What an engine does that is opening a simulation.
 * @param {{sim_code?: ?string, copying?: number}} engine  @param {?string} title
 */
export function openingText({ sim_code: name, copying }, title = name) {
  if (copying) return fill(gettext("Copying %(steps)s steps …"), { steps: copying.toLocaleString(language) });
  return title ? fill(gettext("Opening %(name)s …"), { name: title }) : gettext("Opening …");
}

export const START = globalThis.document?.documentElement.dataset.start ?? ""; // what starts an engine

/** What to do if no engine is there: type START. */
export function noEngineText() {
  return gettext("The engine is not running. Type in the project folder:");
}

/** @param {Status} status */
function closedText({ backend, engine }) {
  if (engine?.fault) return engine.fault;
  if (!engine || engine.state === "none") return `${noEngineText()} ${START}`;
  return backend === "none" ? gettext("No simulation is open.") : gettext("Saved and closed.");
}

/** @param {Status} status */
function endText({ ended, fault, engine, curr_time: now }) {
  const time = timeOf(now);
  if (ended === "failed") return fill(gettext("The run failed: %(fault)s"), { fault: fault || gettext("the terminal says why") });
  if (ended === "talk") return gettext("Stopped: two people began to talk.");
  if (ended === "reached") return fill(gettext("It is %(time)s: the run has ended as planned."), { time });
  if (ended === "stopped") return fill(gettext("Stopped at %(time)s."), { time });
  return restartText(engine?.restarted, "saved", "stopped") || engine?.fault || gettext("Ready to run.");
}

/**
 * What became of the run when another engine took over, if it is one of some fates; else nothing.
 * @param {?Restart} [restart]  @param {Restart["fate"][]} fates
 */
function restartText(restart, ...fates) {
  if (!restart || !fates.includes(restart.fate)) return "";
  const [step, until, place] = [restart.step, restart.until, restart.place].map((number) => number.toLocaleString(language));
  const words = fill(AFTER_CRASH[restart.fate], { name: restart.name, models: modelsText(restart), step, until, place });
  return restart.fate === "stopped" ? words : `${gettext("The engine ended unexpectedly and was started again.")} ${words}`;
}

/** @param {Status} status  @param {number} people */
function runningText(status, people) {
  const { visit } = status;
  const talking = visit?.waiting && fill(gettext("Waiting for the words of %(name)s."), { name: visit.name });
  if (talking) return talking;
  if (status.browser === "awaited") return gettext("Waiting for a browser to report positions.");
  if (status.waiting_for) return status.waiting_for;
  const restarted = restartText(status.engine?.restarted, "goes on");
  if (restarted) return restarted;
  if (status.browser === "silent") return gettext("No browser reports positions. Running without one.");
  if (status.asleep_until) return running(fill(asleepText(people), { count: people, time: timeOf(status.asleep_until) }));
  return status.busy?.length ? running(thinkingText(status.busy)) : gettext("Running.");
}

/** @param {string} what */
function running(what) {
  return `${gettext("Running.")} ${what}`;
}

/** `February 13, 2023, 06:00:00` → `06:00`. @param {?string} [moment] */
function timeOf(moment) {
  return (moment ?? "").split(", ").at(-1).slice(0, 5);
}

/** @param {number} people */
function asleepText(people) {
  return ngettext("%(count)s person asleep until %(time)s.", "All %(count)s asleep until %(time)s.", people);
}

/** @param {string[]} busy */
function thinkingText(busy) {
  const first = busy.map((name) => name.split(" ")[0]);
  if (first.length === 1) return fill(gettext("%(name)s is thinking …"), { name: first[0] });
  if (first.length === 2)
    return fill(gettext("%(one)s and %(other)s are thinking …"), { one: first[0], other: first[1] });
  return fill(ngettext("%(count)s person is thinking …", "%(count)s people are thinking …", first.length), {
    count: first.length,
  });
}
