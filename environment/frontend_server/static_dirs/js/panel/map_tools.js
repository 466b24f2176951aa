/** What lies over the map: the small map, the way back to whom the camera followed, and sharing. */

import { element, setText } from "../dom.js";
import { dateText, timeText } from "../playback/clock.js";
import { takeStill } from "../town/still.js";
import { Minimap } from "../town/minimap.js";
import { fill, gettext, language } from "../translation.js";
import { Share } from "./share.js";
/** @import { Viewer } from "../pages/viewer.js" */

export class MapTools {
  /** @param {HTMLElement} box of the town  @param {Viewer} viewer */
  constructor(box, viewer) {
    this.viewer = viewer;
    this.minimap = new Minimap(box, viewer.town);
    this.back = element("button", { type: "button", class: "back", "data-part": "back", hidden: true });
    this.back.addEventListener("click", () => viewer.choose(viewer.chosen));
    box.append(this.back);
    this.share = new Share(box, {
      address: () => this.#address(),
      still: () => takeStill(viewer.town, this.#caption()),
      fileName: () => `${viewer.page.sim_code}-${viewer.step}.png`,
      recording: () => `/share/${encodeURIComponent(viewer.page.sim_code)}/?store=${viewer.page.store ?? "saved"}`,
      onNote: (text) => viewer.notice(text),
    });
  }

  /** Called on every tick. @param {number} passed */
  update(passed) {
    const { chosen, town, conversing } = this.viewer;
    this.minimap.update(passed, new Set(conversing.flatMap(({ names }) => names)));
    const isAway = chosen !== null && !town.isFollowing;
    if (this.back.hidden === isAway) this.back.hidden = !isAway;
    if (!isAway) return;
    setText(this.back, fill(gettext("Back to %(name)s"), { name: chosen.split(" ")[0] }));
    this.back.title = `${this.back.textContent} ( f )`;
  }

  /** Of a live page, the moment in the replay. */
  #address() {
    const { page, step } = this.viewer;
    const path = page.mode === "simulate" ? `/replay/${encodeURIComponent(page.sim_code)}/${step}/` : location.pathname;
    return `${location.origin}${path}${location.hash}`;
  }

  /** When it is, and who is chosen and talks with them, else who is talking in view. */
  #caption() {
    const { chosen, moment, conversing, town } = this.viewer;
    const when = `${timeText(moment)} · ${dateText(moment, language)}`;
    const isHere = (/** @type {string} */ name) => town.people.viewOf(name, town.view).isInView;
    const talk = conversing.find(({ names }) => (chosen ? names.includes(chosen) : names.every(isHere)));
    return { when, who: (talk?.names ?? [chosen].filter(Boolean)).join(", ") };
  }
}
