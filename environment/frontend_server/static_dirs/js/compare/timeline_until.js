/** What happens in a run, as far as it is looked at. */

/** @import { Timeline } from "../playback/talks.js" */



/** What happens before a step. Pure. @param {Timeline} timeline  @param {number} step */
export function timelineUntil(timeline, step) {
  const conversations = timeline.conversations
    .filter(({ first }) => first < step)
    .map((talk) => ({ ...talk, last: Math.min(talk.last, step - 1) }));
  const days = timeline.days.filter(({ first }) => first < step);
  return { ...timeline, steps: Math.min(timeline.steps, step), conversations, days };
}
