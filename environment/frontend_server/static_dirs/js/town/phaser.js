/** Loads Phaser, the library that draws the town, at the same time as everything else. */

import { Refused, Unreachable } from "../server.js";
import { gettext } from "../translation.js";

const NOT_FOUND = 404;

/** @param {string} folder address of the static files  @returns {Promise<unknown>} rejected with Unreachable or Refused */
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
      whyMissing(url).then(fail);
    });
    document.head.append(script);
  });
}

/** Why a script did not load, which its event does not tell: whether the server has it. */
async function whyMissing(url) {
  const response = await fetch(url, { method: "HEAD" }).catch(() => null);
  if (response?.status !== NOT_FOUND) return new Unreachable(url);
  const how = gettext("Phaser, the library that draws it, is missing. To get it, type in environment/frontend_server: python vendor.py.");
  return new Refused(NOT_FOUND, how);
}
