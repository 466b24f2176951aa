/** The address of a page says what is seen: a copied link, a reload and the other language come back to it. */

/** @returns {?string} whom the address follows, of these people */
export function followed(personas) {
  const wanted = decoded(location.hash.slice(1));
  return personas.find(({ underscore }) => underscore === wanted)?.name ?? null;
}

/** What somebody may have cut short or typed is nobody. */
function decoded(hash) {
  try {
    return decodeURIComponent(hash);
  } catch {
    return null;
  }
}

/** @param {{path: string, hash: string}} parts that change */
export function settle({ path = location.pathname, hash = location.hash }) {
  const address = `${path}${location.search}${hash}`;
  history.replaceState(null, "", address);
  document.querySelector(".languages [name=next]").value = address;
}
