/** "Repeat this comparison with ten seeds": a study whose arms are the two sides. */

import { setText } from "../dom.js";
import { allow, onUse } from "../running/menu.js";
import { openRepetition } from "../study/study_dialogs.js";
import { obstacle, repeatedComparison } from "../study/study_requests.js";
import { gettext } from "../translation.js";

/**
 * Lets a button offer the study of two sides.
 * @param {HTMLElement} button  @param {HTMLElement} status  @param {string[]} sides  names of the runs, with their moments
 */
export function offerRepetition(button, status, sides) {
  onUse(button, async () => {
    allow(button, false);
    setText(status, gettext("Looking at what they have in common …"));
    try {
      const why = await obstacle();
      if (!why) openRepetition(await repeatedComparison(sides[0], sides[1]), sides);
      setText(status, why);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setText(status, error.message);
    }
    allow(button, true);
  });
}
