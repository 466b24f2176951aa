/** The name of the user, kept in this browser. */

const STORED = "ville.name";

export function ownName() {
  try {
    return localStorage.getItem(STORED) ?? "";
  } catch {
    return ""; // storage is forbidden
  }
}

/** Keeps a name for the next time. @param {string} name */
export function keepName(name) {
  try {
    localStorage.setItem(STORED, name);
  } catch {
    // storage is forbidden: the name is asked for again
  }
}

/** `{by: name}` for requests, if the user has told a name. */
export function signature() {
  return ownName() ? { by: ownName() } : {};
}
