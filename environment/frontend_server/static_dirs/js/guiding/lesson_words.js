/** What the steps of the lesson say. */

import { fill, gettext, ngettext } from "../translation.js";
/** @import { StepName } from "./lesson_record.js" */

export const WHISPER = "You want to run for mayor in the local election."; // in English: rules understand nothing else
export const PERSON = { name: "Klaus Mueller", underscore: "Klaus_Mueller" }; // is proposed

/**
 * @typedef {{minutes: number, title: string, text: string, ask?: string}} StepWords  `ask` is a question for the class
 * @returns {Record<StepName, StepWords>}
 */
export function stepWords() {
  return {
    town: {
      minutes: 1,
      title: gettext("Open the town"),
      text: gettext("Twenty-five people live in it. It begins at midnight, and the night passes by itself."),
    },
    pause: {
      minutes: 2,
      title: gettext("Watch the morning, then pause"),
      text: gettext("When the night is over, press Run, follow someone until about eight, and read what they do and have in mind. Then press Pause: time stands still."),
      ask: gettext("What will this person do today? “State details” has their plan."),
    },
    plant: {
      minutes: 1,
      title: gettext("Start the rumour"),
      text: gettext("Choose one person, press Whisper, and write the words below. No one else knows of them."),
      ask: gettext("Who will hear of it first, and how many by evening? Write down your guess."),
    },
    evening: {
      minutes: 3,
      title: gettext("Let the day pass"),
      text: gettext("Choose the speed Max, and run until 20:00. The tab “Feed” tells who meets whom."),
    },
    look: {
      minutes: 2,
      title: gettext("Who knows it?"),
      text: gettext("The town is saved, and all memories are searched for a word of the rumour."),
      ask: gettext("Was your guess right? Who has not heard of it, and why?"),
    },
    follow: {
      minutes: 2,
      title: gettext("Who told whom?"),
      text: gettext("Choose someone in the list above: the town is shown as it was when they heard it. Read the conversation."),
      ask: gettext("Did the words change on their way? Would you have told it?"),
    },
    branch: {
      minutes: 1,
      title: gettext("The same day without it"),
      text: gettext("A branch begins just before the whisper, and runs as long. Everything else is the same."),
    },
    compare: {
      minutes: 3,
      title: gettext("Compare the two days"),
      text: gettext("A is the day with the rumour, B the one without."),
      ask: gettext("What did the rumour cause, and what only came after it? Who is different, and never heard of it?"),
    },
  };
}

/** @param {number} count  of those who know it */
export function heardText(count) {
  return count ? fill(ngettext("%(count)s person knows of it.", "%(count)s people know of it.", count), { count }) : gettext("No one knows of it.");
}
