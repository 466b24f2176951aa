/** A town that begins at midnight passes its first night as fast as it can; in the morning it slows down to be watched. */

import { ask } from "../acting/engine.js";
/** @import { StatusWatch } from "../playback/status_watch.js" */

export const NIGHT = "ville.night"; // name of the simulation whose first night passes, in the session of the browser
export const WATCHING_SPEED = 60; // game seconds per second

/** Slows a simulation down once its first night is over. @param {StatusWatch} watch  @param {string} simulation */
export function endFirstNight(simulation, watch) {
  watch.subscribe(({ backend, ended, act }) => {
    if (sessionStorage.getItem(NIGHT) !== simulation || act !== "yes" || backend !== "waiting" || !ended) return;
    sessionStorage.removeItem(NIGHT);
    ask(simulation, { request: "speed", speed: WATCHING_SPEED }).catch(() => {}); // the bar shows the speed as it is
  });
}
