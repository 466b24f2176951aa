/** /simulator_home while nobody runs a simulation: opens the town as soon as somebody does. */

import { get } from "../server.js";

const LOOK = 1500; // milliseconds between two looks

async function look() {
  try {
    const { backend } = await get("/status/");
    if (backend === "running" || backend === "waiting") location.reload();
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault; // the server may be away for a moment; asked again
  }
  setTimeout(look, LOOK);
}

look();
