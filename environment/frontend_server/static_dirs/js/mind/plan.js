/** A plan for a day: a strip of 24 hours, and a list of tasks with their times and subtasks. */

import { element } from "../dom.js";
import { HOUR, timeText } from "../playback/clock.js";
import { parseDescription } from "../playback/frames.js";
import { doingElement, toldDoing } from "../doings.js";
import { fillRecorded, recorded, recordedElement } from "../recorded.js";
import { gettext } from "../translation.js";
import { capitalize } from "../panel/descriptions.js";

const DAY_MINUTES = 1440;

/**
 * @typedef {Array<[string, number]>} SavedSchedule  `task (subtask)` and minutes
 * @typedef {{task: string, start: number, end: number, partners?: string[], place?: string}} Doing  in minutes since midnight
 * @typedef {Doing & {state: string, instead: Doing[]}} PlannedTask  how a task of the plan went
 * @typedef {Doing & {parts: Array<{doing: string, start: number, end: number}>}} Task
 */

/**
 * Groups rows by task, in minutes since midnight. Skips rows without minutes. Pure.
 * @param {SavedSchedule} schedule  @returns {Task[]}
 */
export function groupTasks(schedule) {
  /** @type {Task[]} */
  const tasks = [];
  let start = 0;
  for (const [text, minutes] of schedule) {
    if (minutes <= 0) continue;
    const { doing, task } = parseDescription(text);
    const part = { doing, start, end: start + minutes };
    const name = task ?? doing;
    const last = tasks.at(-1);
    if (last?.task === name) {
      last.parts.push(part);
      last.end = part.end;
    } else tasks.push({ task: name, start, end: part.end, parts: [part] });
    start += minutes;
  }
  return tasks;
}

/** @param {SavedSchedule} schedule  @param {?number} now minutes since midnight, if the plan is today's */
export function renderPlan(schedule, now) {
  const tasks = groupTasks(schedule);
  return element(
    "div",
    { class: "plan" },
    strip(tasks, tonesOf(tasks), now),
    element("ol", {}, ...tasks.map((task) => taskRow(task, now))),
  );
}

/**
 * Renders a plan beside what was done.
 * @param {{tasks: PlannedTask[], done: Doing[]}} plan as in the response of /days/
 * @param {SavedSchedule} schedule with the parts of the tasks, as saved  @param {?number} now as in `renderPlan`
 */
export function renderPlanAndDone({ tasks, done }, schedule, now) {
  const tones = tonesOf(tasks);
  const parts = groupTasks(schedule).flatMap((group) => group.parts.map((part) => ({ ...part, task: group.task })));
  const rows = tasks.map((task) => {
    const own = parts.filter((part) => part.task === task.task && part.start >= task.start && part.start < task.end);
    const row = taskRow({ ...task, parts: own }, now);
    row.dataset.state = task.state;
    row.append(doneInstead(task));
    return row;
  });
  return element(
    "div",
    { class: "plan compared" },
    labelledStrip(gettext("Planned"), strip(tasks, tones, now)),
    labelledStrip(gettext("Done"), strip(done, tones, now)),
    element("ol", {}, ...rows),
  );
}

/** Says how a task went, and what was done instead, or besides. @param {PlannedTask} task */
function doneInstead({ state, instead }) {
  /** @type {Record<string, string>} */
  const words = {
    ahead: gettext("Still ahead"),
    kept: gettext("As planned"),
    partly: gettext("Partly as planned"),
    dropped: gettext("Not as planned"),
  };
  const others = instead.map((one) =>
    element("li", {}, element("time", {}, `${timeOf(one.start)}–${timeOf(one.end)}`), element("span", {}, ...otherText(one))),
  );
  return element(
    "div",
    { class: "done" },
    element("b", {}, words[state] ?? state),
    others.length ? element("ul", {}, ...others) : null,
  );
}

/** @param {Doing} done */
function otherText({ task, place, partners }) {
  if (partners.length) return fillRecorded(gettext("Talked with %(names)s: %(about)s"), { names: partners.join(", "), about: doingElement("span", {}, task) });
  return [doingElement("span", {}, capitalize(task)), ...(place ? [" · ", recordedElement("span", {}, capitalize(place))] : [])];
}

/** @param {string} label  @param {HTMLElement} box */
function labelledStrip(label, box) {
  return element("div", { class: "labelled", "aria-hidden": "true" }, element("span", {}, label), box);
}

/** Colours of tasks, by name. @param {Doing[]} tasks */
function tonesOf(tasks) {
  return new Map([...new Set(tasks.map(({ task }) => task))].map((task, place) => [task, `tone${place % 5}`]));
}

/** @param {Doing} one  @param {Map<string, string>} tones */
function toneOf({ task, partners }, tones) {
  if (partners?.length) return "talk";
  return /^sleep/i.test(task) ? "asleep" : (tones.get(task) ?? "other");
}

/** @param {Doing[]} tasks  @param {Map<string, string>} tones  @param {?number} now */
function strip(tasks, tones, now) {
  const box = element("div", { class: "strip", "aria-hidden": "true" });
  for (const one of tasks) {
    const { task, start, end } = one;
    const told = toldDoing(task);
    const block = element("i", { title: `${timeOf(start)} ${told?.text ?? task}`, class: toneOf(one, tones) });
    recorded(block, !told || told.names.length > 0);
    [block.style.left, block.style.width] = [start, end - start].map((minutes) => `${(100 * minutes) / DAY_MINUTES}%`);
    box.append(block);
  }
  for (const hour of [0, 6, 12, 18, 24]) {
    const mark = element("span", {}, String(hour));
    mark.style.left = `${(100 * hour) / 24}%`;
    box.append(mark);
  }
  if (now !== null) {
    const marker = element("b");
    marker.style.left = `${(100 * now) / DAY_MINUTES}%`;
    box.append(marker);
  }
  return box;
}

/** @param {Task} task  @param {?number} now */
function taskRow({ task, start, end, parts }, now) {
  const isNow = now !== null && start <= now && now < end;
  const title = [element("time", {}, `${timeOf(start)}–${timeOf(end)}`), doingElement("span", {}, capitalize(task))];
  if (parts.length <= 1) return element("li", { "aria-current": isNow && "time" }, ...title);
  const inner = parts.map((part) => {
    const here = now !== null && part.start <= now && now < part.end;
    return element(
      "li",
      { "aria-current": here && "time" },
      element("time", {}, timeOf(part.start)),
      doingElement("span", {}, capitalize(part.doing)),
    );
  });
  const folded = element("details", { open: isNow }, element("summary", {}, ...title), element("ol", {}, ...inner));
  return element("li", { "aria-current": isNow && "time" }, folded);
}

/** @param {number} minutes */
function timeOf(minutes) {
  return timeText((minutes * HOUR) / 60);
}
