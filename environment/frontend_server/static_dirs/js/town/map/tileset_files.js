/** The files of a map's tilesets. */

import { Refused, get, getBlob } from "../../server.js";
/** @import { Tileset } from "./tiled.js" */

/**
 * Returns a tileset with its picture as `blob`; null if the server does not have it.
 * @param {Tileset} tileset  @param {URL} map  the address of the map  @returns {Promise<Tileset & {blob: ?Blob}>}
 */
export async function fetchTileset(tileset, map) {
  let described = tileset;
  let base = map;
  if (tileset.source) {
    base = new URL(tileset.source, base);
    described = base.pathname.endsWith("json") ? { ...(await found(get(base))), firstgid: tileset.firstgid } : tileset;
  }
  const blob = described.image ? await found(getBlob(new URL(described.image, base))) : null;
  if (!blob) warnOfMissing(described.image ?? tileset.source ?? tileset.name);
  return { ...described, blob };
}

/**
 * Null if the server says that there is no such file.
 * @template T
 * @param {Promise<T>} request  @returns {Promise<?T>}
 */
async function found(request) {
  try {
    return await request;
  } catch (fault) {
    if (fault instanceof Refused) return null;
    throw fault;
  }
}

/** Warns of a tileset that is left out: a town with gaps is better than none. @param {string} what */
function warnOfMissing(what) {
  console.warn(`The map's tileset ${what} cannot be shown: tilesets are embedded or JSON, with one picture each.`);
}
