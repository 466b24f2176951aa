/** Values kept for as long as a tab is open, over reloads. */

const PREFIX = "ville.";

/** What was kept, as it was stored; null if nothing is there. @param {string} key */
export function recall(key) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key));
  } catch {
    return null; // storage is forbidden, or holds something else
  }
}

/** @param {string} key  @param {object} value */
export function store(key, value) {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // storage is forbidden or full: the value is gone with the page
  }
}

/** @param {string} key */
export function forget(key) {
  try {
    sessionStorage.removeItem(PREFIX + key);
  } catch {
    // nothing was stored
  }
}
