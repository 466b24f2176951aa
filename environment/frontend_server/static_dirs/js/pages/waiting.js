/** /simulator_home while nobody runs a simulation: opens the town as soon as somebody does. */

import { say } from "../dom.js";
import { get, insist, pause } from "../server.js";

const LOOK = 1500; // milliseconds between two looks

const hint = document.querySelector("[data-part=hint]");
const words = hint.textContent;

for (;;) {
  const { backend } = await insist(
    () => get("/status/"),
    (text) => say(hint, text || words),
  );
  if (backend === "running" || backend === "waiting") location.reload();
  await pause(LOOK);
}
