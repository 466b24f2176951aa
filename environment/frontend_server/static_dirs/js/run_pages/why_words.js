/** Words about causes: what kind they are, how a chain begins, and what a test has found. Pure functions. */

import { fill, gettext } from "../translation.js";

/**
 * @typedef {{node: string, text: string, recency: number, relevance: number, importance: number, score: number, reserved: boolean}} ScoredMemory
 * @typedef {{focus: string, weights: [number, number, number], taken: ScoredMemory[], runners_up: ScoredMemory[]}} HeardRetrieval
 * @typedef {{kind: string, who: string, step: number, words: string, node: string, row: number, because: string[],
 *   asked: Array<{question: string, retrievals: HeardRetrieval[]}>}} Cause
 * @typedef {{cause: string, decision: string, why: string, without: ?string, instead: string, alone: ?string,
 *   rates: ?Array<{came: number, runs: number}>}} Verdict
 * @typedef {{kind: string, who: string, step: number, words: string, node: string, other: string}} Act
 * @typedef {{act: Act, first: string, causes: Record<string, Cause>, missing: string, verdicts: Verdict[]}} Chain  as /why_data/ tells it
 */

/** @type {Record<string, () => string>} */
const KINDS = {
  perception: () => gettext("Seen"),
  history: () => gettext("Known from the beginning"),
  intervention: () => gettext("From outside"),
  memory: () => gettext("Remembered"),
  reflection: () => gettext("Reflection"),
  plan: () => gettext("Plan of the day"),
  entry: () => gettext("Entry of the plan"),
  talk: () => gettext("Conversation"),
  utterance: () => gettext("Said"),
  action: () => gettext("Done"),
};
/** @type {Record<string, () => string>} */
const BEGINNINGS = {
  perception: () => gettext("It begins here: with what was seen."),
  history: () => gettext("It begins here: with what was so from the start."),
  intervention: () => gettext("It begins here: with an intervention from outside."),
};
/** @type {Record<string, () => string>} */
const DECISIONS = {
  confirmed: () => gettext("Confirmed"),
  "not confirmed": () => gettext("Not confirmed"),
  "not decidable": () => gettext("Not decidable"),
};
/** @type {Record<string, () => string>} */
const WITHOUT = {
  stays: () => gettext("Without it, this comes all the same."),
  vanishes: () => gettext("Without it, this does not come."),
  "comes earlier": () => gettext("Without it, this comes earlier."),
  "comes later": () => gettext("Without it, this comes later."),
  changes: () => gettext("Without it, this comes in other words."),
};
const NO_RUN = "there is no way to make a run without it"; // as the engine says it
const UNHEARD = "Its questions, the scores of memories and the entries of plans: "; // likewise, before the reason
/** @type {Record<string, () => string>} */
const INTERVENTIONS = {
  whisper: () => gettext("Whispered to %(name)s"),
  memory_add: () => gettext("Memory planted in %(name)s"),
  event: () => gettext("Event: %(name)s"),
  object: () => gettext("Thing changed: %(name)s"),
  talk: () => gettext("A user talked with %(name)s"),
  resident_in: () => gettext("%(name)s moved in"),
  resident_out: () => gettext("%(name)s moved away"),
  visitor_in: () => gettext("A visitor came: %(name)s"),
  visitor_out: () => gettext("A visitor left: %(name)s"),
  visitor_say: () => gettext("A visitor spoke: %(name)s"),
  memory_drop: () => gettext("Memory taken from %(name)s"),
  trait: () => gettext("Character changed: %(name)s"),
};
/** @type {Record<string, () => string>} */
const ACTS = {
  action: () => gettext("%(who)s is doing this:"),
  utterance: () => gettext("%(who)s said:"),
  thought: () => gettext("%(who)s has this in memory:"),
};

/** @param {Cause} cause */
export const kindText = ({ kind }) => KINDS[kind]?.() ?? kind;

/** How a chain begins at a cause; "" where it goes on. @param {Cause} cause */
export const beginningText = ({ kind, because }) => (because.length ? "" : (BEGINNINGS[kind]?.() ?? ""));

/** @param {Verdict} verdict */
export const decisionText = ({ decision }) => DECISIONS[decision]?.() ?? decision;

/** @param {Act} act */
export const actText = ({ kind, who }) => fill(ACTS[kind](), { who });

/** What could not be computed again, and why. @param {string} missing  as the engine says it */
export function missingText(missing) {
  if (!missing.startsWith(UNHEARD)) return missing;
  const reason = missing.slice(UNHEARD.length);
  return fill(gettext("The questions that were asked, the scores of memories and the entries of plans could not be computed again: %(reason)s"), { reason });
}

/**
 * What a test has found, in one line, and what came in place of the act.
 * @param {Verdict} verdict
 */
export function verdictText({ without, alone, rates, why }) {
  if (rates) {
    const [one, other] = rates;
    return fill(gettext("With it, this came %(came)s of %(runs)s times; without it, %(other)s of %(others)s times."), {
      came: one.came, runs: one.runs, other: other.came, others: other.runs,
    });
  }
  if (!without) return why === NO_RUN ? gettext("There is no way to make a run without it.") : why;
  const enough = alone && (alone === "stays" ? gettext("It alone is enough.") : gettext("It alone is not enough."));
  return [WITHOUT[without](), enough].filter(Boolean).join(" ");
}

/**
 * An intervention in words of the reader: what it is, and what was said.
 * @param {string} text  as the log has it: `whisper to Ada Stone: You want to …`
 * @returns {[string, string]} "" as the first if it is of another kind
 */
export function interventionText(text) {
  const found = /^(\w+) to (.+?)(?:: (.*))?$/s.exec(text);
  const words = found && INTERVENTIONS[found[1]];
  return words ? [fill(words(), { name: found[2] }), found[3] ?? ""] : ["", text];
}
