/** Tells what matters in a memory stream from what does not. Pure functions. */

/** @import { Line } from "../playback/dialogue.js" */









const TRIVIAL = 2; // highest poignancy of an event that is trivial
const PINS = 6; // most thoughts at the top
const POIGNANT = 5; // poignancy from which a thought may be at the top
const MANY = 3; // memories on which a thought rests that may be at the top
const MOST_COUNTED = 6; // more evidence than this does not raise a thought further

/**
 * @typedef {Object} MemoryNode  as /memories/ tells it
 * @property {string} id
 * @property {"event"|"thought"|"chat"} type
 * @property {string} created
 * @property {number} poignancy
 * @property {string} description
 * @property {string} subject
 * @property {string} predicate
 * @property {string} object
 * @property {?(string|string[]|Line[])} filling  lines of a chat, else ids of the memories that this one is based on
 */

/**
 * Ids of the memories that a memory is based on. Old files have a single string or null.
 * @param {MemoryNode} node  @returns {string[]}
 */
export function evidenceOf(node) {
  if (node.type === "chat" || !node.filling) return [];
  return [node.filling].flat().filter((id) => typeof id === "string");
}

/** What was said, if a memory is a conversation. @param {MemoryNode} node  @returns {Line[]} */
export function linesOf(node) {
  return node.type === "chat" ? /** @type {Line[]} */ (node.filling ?? []) : [];
}

/**
 * Whether a memory is an event of little weight: an idle object, what leaves one cold, or that a conversation took place.
 * @param {MemoryNode} node
 */
export function isTrivial(node) {
  if (node.type !== "event") return false;
  return node.poignancy <= TRIVIAL || / is idle$/i.test(node.description) || node.predicate === "chat with";
}

/**
 * The thoughts that matter most, those first: poignant ones, and those that rest on many memories. Plans are no thoughts.
 * @param {MemoryNode[]} nodes
 */
export function pinnedThoughts(nodes) {
  const weight = (/** @type {MemoryNode} */ node) => node.poignancy + Math.min(MOST_COUNTED, evidenceOf(node).length) / 2;
  return nodes
    .filter((node) => node.type === "thought" && node.predicate !== "plan")
    .filter((node) => node.poignancy >= POIGNANT || evidenceOf(node).length >= MANY)
    .sort((one, other) => weight(other) - weight(one)) // of equal weight, the newer one comes first, as in `nodes`
    .slice(0, PINS);
}
