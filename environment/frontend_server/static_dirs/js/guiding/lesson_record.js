/** How far a lesson has come: what is kept of it in this browser, and which steps are done. Pure, but for the keeping. */

import { DAY, HOUR, momentOf } from "../playback/clock.js";
/** @import { Branch } from "../branching/branch_tree.js" */
/** @import { Status } from "../playback/status_watch.js" */

/**
 * @typedef {"town"|"pause"|"plant"|"evening"|"look"|"follow"|"branch"|"compare"} StepName
 * @typedef {{number: number, time: string, who: string}} Planted  an intervention that put something into a mind
 * @typedef {{who: string, underscore: string, teller: string, time: string, step: number}} Heard  who came to know of it
 * @typedef {{town: string, done: StepName[], planted: ?Planted, word: string, heard: Heard[], branch: string}} LessonRecord
 *   empty texts stand for what is not there yet; times are game times, as ISO texts
 * @typedef {{status: ?Status, now: number, branches: Branch[]}} LessonFacts  `now` is the game time of the open town
 */

const STORED = "ville.lesson";
const OPEN = ["running", "paused", "waiting"];
const [MORNING, EVENING] = [7.5 * HOUR, 20 * HOUR]; // of the day
export const WORD = "mayor"; // of the rumour that is proposed
/** @type {StepName[]} */
export const STEPS = ["town", "pause", "plant", "evening", "look", "follow", "branch", "compare"];

/** @returns {LessonRecord} */
export function newRecord() {
  return { town: "", done: [], planted: null, word: WORD, heard: [], branch: "" };
}

/**
 * The record with the steps that are done now. What was done once stays so.
 * @param {LessonRecord} record  @param {LessonFacts} facts  @returns {LessonRecord}
 */
export function advanced(record, { status, now, branches }) {
  const { town, planted } = record;
  const open = Boolean(town) && status?.sim_code === town && OPEN.includes(status.backend);
  const still = open && status.backend !== "running" && now % DAY >= MORNING;
  /** @type {Partial<Record<StepName, boolean>>} */
  const happened = {
    town: open,
    pause: still || planted !== null,
    plant: planted !== null,
    evening: open && planted !== null && now >= Math.floor(momentOf(planted.time) / DAY) * DAY + EVENING,
    branch: branches.some(({ sim_code: name, state }) => name === record.branch && state === "done"),
  };
  return { ...record, done: STEPS.filter((step) => record.done.includes(step) || happened[step]) };
}

/** The step to do next; null after the last one. @param {LessonRecord} record  @returns {?StepName} */
export function nextStep({ done }) {
  return STEPS.find((step) => !done.includes(step)) ?? null;
}

/** What is kept; null if no lesson was begun here. @returns {?LessonRecord} */
export function readRecord() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED));
    return kept && { ...newRecord(), ...kept };
  } catch {
    return null; // storage is forbidden, or what is there is none of ours
  }
}

/** @param {?LessonRecord} record  null: the lesson is over */
export function keepRecord(record) {
  try {
    if (record) localStorage.setItem(STORED, JSON.stringify(record));
    else localStorage.removeItem(STORED);
  } catch {
    // storage is forbidden: the lesson holds for this page
  }
}
