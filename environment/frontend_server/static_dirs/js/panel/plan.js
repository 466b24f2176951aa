/** A day's plan: a strip of twenty-four hours, and below it what is done when; parts of a task are folded into it. */

import { element } from "../dom.js";
import { HOUR, timeText } from "../story/clock.js";
import { readDescription } from "../story/frames.js";
import { capital } from "./words.js";

const WHOLE = 1440; // minutes

/**
 * Rows `[task (subtask), minutes]` → tasks with their times: [{task, start, end, parts: [{doing, start, end}]}], minutes
 * since midnight. Rows without length are left out. Pure.
 */
export function tasksOf(schedule) {
  const tasks = [];
  let start = 0;
  for (const [text, minutes] of schedule) {
    if (minutes <= 0) continue;
    const { doing, task } = readDescription(text);
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

/** @param {Array} schedule as saved  @param {?number} now minutes since midnight, if the plan is today's */
export function planOf(schedule, now) {
  const tasks = tasksOf(schedule);
  return element(
    "div",
    { class: "plan" },
    strip(tasks, now),
    element("ol", {}, ...tasks.map((task) => rowOf(task, now))),
  );
}

function strip(tasks, now) {
  const hues = new Map([...new Set(tasks.map(({ task }) => task))].map((task, place) => [task, place]));
  const box = element("div", { class: "strip", "aria-hidden": "true" });
  for (const { task, start, end } of tasks) {
    const block = element("i", {
      title: `${clockOf(start)} ${task}`,
      class: /^sleep/i.test(task) ? "asleep" : `tone${hues.get(task) % 5}`,
    });
    [block.style.left, block.style.width] = [start, end - start].map((minutes) => `${(100 * minutes) / WHOLE}%`);
    box.append(block);
  }
  for (const hour of [0, 6, 12, 18, 24]) {
    const mark = element("span", {}, String(hour));
    mark.style.left = `${(100 * hour) / 24}%`;
    box.append(mark);
  }
  if (now !== null) {
    const hand = element("b");
    hand.style.left = `${(100 * now) / WHOLE}%`;
    box.append(hand);
  }
  return box;
}

function rowOf({ task, start, end, parts }, now) {
  const isNow = now !== null && start <= now && now < end;
  const title = [element("time", {}, `${clockOf(start)}–${clockOf(end)}`), element("span", {}, capital(task))];
  if (parts.length === 1) return element("li", { "aria-current": isNow && "time" }, ...title);
  const inner = parts.map((part) => {
    const here = now !== null && part.start <= now && now < part.end;
    return element(
      "li",
      { "aria-current": here && "time" },
      element("time", {}, clockOf(part.start)),
      element("span", {}, capital(part.doing)),
    );
  });
  const folded = element("details", { open: isNow }, element("summary", {}, ...title), element("ol", {}, ...inner));
  return element("li", { "aria-current": isNow && "time" }, folded);
}

function clockOf(minutes) {
  return timeText((minutes * HOUR) / 60);
}
