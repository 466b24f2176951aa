/** Loads Phaser, the library that draws the town, at the same time as everything else. */

import { Unreachable } from "../server.js";

/** @param {string} folder address of the static files  @returns {Promise} that is rejected with Unreachable */
export function loadPhaser(folder) {
  if (globalThis.Phaser) return Promise.resolve();
  const url = `${folder}vendor/phaser/phaser.min.js`;
  return new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = url;
    script.dataset.retried = "true"; // by the caller, not by loading_guard.js
    script.addEventListener("load", done);
    script.addEventListener("error", () => {
      script.remove();
      fail(new Unreachable(url));
    });
    document.head.append(script);
  });
}
