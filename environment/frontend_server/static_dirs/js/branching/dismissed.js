/** Failures of branches that the user does not want to see again, kept in this browser. */

/** @import { Branch } from "./branch_tree.js" */



const STORED = "ville.dismissed";
const MOST = 200; // failures that are kept, the newest

/** What a failure is known by: a branch that is run again, and fails again, is shown again. @param {Branch} branch */
const keyOf = ({ sim_code: name, first_step: first, step, fault }) => JSON.stringify([name, first, step, fault]);

/** @param {Branch} progress */
export function isDismissed(progress) {
  return progress.state === "failed" && kept().includes(keyOf(progress));
}

/** @param {Branch} progress */
export function dismiss(progress) {
  try {
    localStorage.setItem(STORED, JSON.stringify([...kept(), keyOf(progress)].slice(-MOST)));
  } catch {
    // storage is forbidden: it is shown again
  }
}

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(STORED));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
