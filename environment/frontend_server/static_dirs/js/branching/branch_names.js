/** Names of simulations that are there, or are being made. */

import { codeOf, freeCode } from "../running/sim_code.js";
import { get } from "../server.js";

/** A free name made of a title, and all that are taken. @param {string} title  @param {string} otherwise  if nothing is left of it */
export async function freeName(title, otherwise) {
  const [{ simulations }, { branches }] = await Promise.all([get("/tree/"), get("/branches/")]);
  /** @type {string[]} */
  const taken = [...simulations, ...branches].map(({ sim_code: code }) => code);
  return { name: freeCode(codeOf(title) || otherwise, taken), taken };
}
