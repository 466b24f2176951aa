/** What happens before a step. Pure. @param {{steps: number, conversations: Object[], days: Object[]}} timeline */
export function timelineUntil(timeline, step) {
  const conversations = timeline.conversations
    .filter(({ first }) => first < step)
    .map((talk) => ({ ...talk, last: Math.min(talk.last, step - 1) }));
  const days = timeline.days.filter(({ first }) => first < step);
  return { ...timeline, steps: Math.min(timeline.steps, step), conversations, days };
}
