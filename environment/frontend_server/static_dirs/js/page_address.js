/** Keeps the address up to date, so that copied links, reloads and the language buttons lead back to the same view. */

/** @import { Persona } from "./dom.js" */








/** @param {Persona[]} personas  @returns {?string} name of the persona in the fragment of the address, if any */
export function personaInHash(personas) {
  const wanted = decodeHash(location.hash.slice(1));
  return personas.find(({ underscore }) => underscore === wanted)?.name ?? null;
}

/** Returns null for a malformed fragment. @param {string} hash */
function decodeHash(hash) {
  try {
    return decodeURIComponent(hash);
  } catch {
    return null;
  }
}

/** @param {{path?: string, hash?: string}} parts to change */
export function updateAddress({ path = location.pathname, hash = location.hash }) {
  const address = `${path}${location.search}${hash}`;
  history.replaceState(null, "", address);
  /** @type {HTMLInputElement} */ (document.querySelector(".languages [name=next]")).value = address;
}
