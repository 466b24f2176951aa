/** What the backend is about, in words. Pure. */

import { fill, gettext, ngettext } from "../words.js";

/**
 * @param {{backend: string, until_step: ?number, busy: string[], asleep_until: ?string, browser: ?string}} status of /status/
 * @param {number} people how many live in the town
 */
export function statusWords(status, people) {
  if (status.backend === "stopped") return gettext("The backend has stopped.");
  if (status.backend === "none") return gettext("No simulation is running.");
  if (status.backend === "waiting") return gettext("Waiting for “run” in the terminal.");
  if (status.browser === "awaited") return gettext("Waiting for a page to report where everyone stands.");
  if (status.browser === "silent") return gettext("No page reports where everyone stands: running without one.");
  if (status.asleep_until) return fill(asleepText(people), { count: people, time: hourOf(status.asleep_until) });
  if (status.busy?.length) return thinkingText(status.busy);
  return gettext("Running.");
}

/** `February 13, 2023, 06:00:00` → `06:00`. */
function hourOf(moment) {
  return moment.split(", ").at(-1).slice(0, 5);
}

function asleepText(people) {
  return ngettext("%(count)s person, asleep until %(time)s.", "All %(count)s asleep until %(time)s.", people);
}

function thinkingText(busy) {
  const first = busy.map((name) => name.split(" ")[0]);
  if (first.length === 1) return fill(gettext("%(name)s is thinking …"), { name: first[0] });
  if (first.length === 2)
    return fill(gettext("%(one)s and %(other)s are thinking …"), { one: first[0], other: first[1] });
  return fill(ngettext("%(count)s person is thinking …", "%(count)s people are thinking …", first.length), {
    count: first.length,
  });
}
