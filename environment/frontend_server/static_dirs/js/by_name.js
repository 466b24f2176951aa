/**
 * Objects whose keys are names of people. They have no prototype: otherwise a visitor called `constructor` would seem
 * to be in every frame. Pure functions.
 */

/** @param {Iterable<[string, *]>} entries */
export function byName(entries) {
  const made = Object.create(null);
  for (const [name, value] of entries) made[name] = value;
  return made;
}

/** Copies a parsed JSON object. @param {?Object} values */
export function named(values) {
  return byName(Object.entries(values ?? {}));
}
