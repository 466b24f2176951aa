/** Words about ties, for the picture, the table and the measures. */

import { gettext } from "../translation.js";

export const KINDS = ["knows", "talked", "likes", "dislikes"];

/** What a kind of ties is called in a list of kinds. @param {string} kind */
export function kindName(kind) {
  /** @type {Record<string, string>} */
  const names = { knows: gettext("Know each other"), talked: gettext("Have talked"), likes: gettext("Like"), dislikes: gettext("Dislike") };
  return names[kind];
}

/** What one persona does, between two names. @param {string} kind  @param {boolean} mutual */
export function kindVerb(kind, mutual) {
  /** @type {Record<string, [string, string]>} */
  const verbs = {
    knows: [gettext("knows"), gettext("know each other")],
    talked: [gettext("has talked with"), gettext("have talked")],
    likes: [gettext("likes"), gettext("like each other")],
    dislikes: [gettext("dislikes"), gettext("dislike each other")],
  };
  return verbs[kind][mutual ? 1 : 0];
}
