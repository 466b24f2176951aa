/** /simulator_home while no simulation is running: reloads as soon as one is. */

import { setText } from "../dom.js";
import { get, retry, sleep } from "../server.js";

const STATUS_INTERVAL = 1500; // milliseconds

const hint = document.querySelector("[data-part=hint]");
const words = hint.textContent;

for (;;) {
  const { backend } = await retry(
    () => get("/status/"),
    (text) => setText(hint, text || words),
  );
  if (["running", "paused", "waiting"].includes(backend)) location.reload();
  await sleep(STATUS_INTERVAL);
}
