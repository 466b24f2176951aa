/**
 * Objects whose keys are names of people. They have no prototype: otherwise a visitor called `constructor` would seem
 * to be in every frame. Pure functions.
 */

/**
 * @template T
 * @param {Iterable<[string, T]>} entries  @returns {Record<string, T>}
 */
export function byName(entries) {
  const made = Object.create(null);
  for (const [name, value] of entries) made[name] = value;
  return made;
}

/**
 * Copies a parsed JSON object.
 * @template T
 * @param {?Record<string, T>} [values]  @returns {Record<string, T>}
 */
export function named(values) {
  return byName(Object.entries(values ?? {}));
}
