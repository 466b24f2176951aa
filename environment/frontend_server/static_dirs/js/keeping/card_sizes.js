/** Sizes on the cards of simulations: asked for one by one once the page is there, because reading a long run takes a while. */

import { setText } from "../dom.js";
import { get } from "../server.js";
import { sizeText } from "./size_text.js";

let showing = Promise.resolve();

/** Shows the size of each simulation that is listed and has none yet. */
export function showSizes() {
  showing = showing.then(showMissing);
}

async function showMissing() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-size]:empty"))) {
    const { sim } = /** @type {HTMLElement} */ (place.closest("[data-sim]")).dataset;
    try {
      const { size } = await get(`/size/${place.dataset.size}/${encodeURIComponent(sim)}/`);
      setText(place, ` · ${sizeText(size)}`);
    } catch (error) {
      if (!(error instanceof Error)) throw error; // a card without its size is no fault worth telling
    }
  }
}
