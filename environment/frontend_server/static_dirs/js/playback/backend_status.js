/** Describes the backend's state in one sentence. Pure. */

import { fill, gettext, ngettext } from "../translation.js";

/**
 * @param {{backend: string, until_step: ?number, busy: string[], asleep_until: ?string, browser: ?string}} status response of /status/
 * @param {number} people number of personas in the town
 */
export function statusText(status, people) {
  if (status.backend === "stopped") return gettext("The backend has stopped.");
  if (status.backend === "none") return gettext("No simulation is running.");
  if (status.backend === "waiting") return gettext("Waiting for a command in the terminal.");
  if (status.backend === "paused") return gettext("Paused.");
  if (status.browser === "awaited") return gettext("Waiting for a browser to report positions.");
  if (status.browser === "silent") return gettext("No browser reports positions. Running without one.");
  if (status.asleep_until) return fill(asleepText(people), { count: people, time: timeOf(status.asleep_until) });
  if (status.busy?.length) return thinkingText(status.busy);
  return gettext("Running.");
}

/** `February 13, 2023, 06:00:00` → `06:00`. */
function timeOf(moment) {
  return moment.split(", ").at(-1).slice(0, 5);
}

function asleepText(people) {
  return ngettext("%(count)s person asleep until %(time)s.", "All %(count)s asleep until %(time)s.", people);
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
