/** The controls of a recording and their keys: play, pause, single steps, slider, speeds, next conversation. */

import { element } from "../dom.js";
import { registerKey } from "../keys.js";
import { HOUR } from "../playback/clock.js";
import { SPEEDS } from "../playback/player.js";
import { fill, gettext } from "../translation.js";
import { TimeBar } from "./time_bar.js";
/** @import { Entry } from "../feed/feed_log.js" */
/** @import { Clock } from "../playback/clock.js" */
/** @import { Player } from "../playback/player.js" */
/** @import { Conversation } from "../playback/talks.js" */

/** @param {HTMLElement} bar  @param {string} name */
const part = (bar, name) => bar.querySelector(`[data-control="${name}"]`);

export class ControlBar {
  /**
   * @param {HTMLElement} bar with its buttons, from the template
   * @param {Player<unknown>} player
   * @param {{clock: Clock, timeline: {conversations: Conversation[]}, onTalk: () => void}} recording
   */
  constructor(bar, player, { clock, timeline, onTalk }) {
    this.player = player;
    this.play = part(bar, "play");
    this.time = new TimeBar(bar, { clock, onSeek: (step) => player.seek(step) });
    this.actions = {
      play: () => (player.playing ? player.pause() : player.play()),
      back: () => player.stepBy(-1),
      forward: () => player.stepBy(1),
      talk: onTalk,
    };
    for (const [name, action] of Object.entries(this.actions)) part(bar, name).addEventListener("click", action);
    this.speeds = this.#makeSpeeds(part(bar, "speeds"));
    this.mark = (/** @type {Entry[]} */ acts) => this.time.draw(player, timeline.conversations, acts);
    this.mark([]);
    this.#registerKeys();
  }

  /** Shows the player's state. */
  update() {
    const { player, play } = this;
    if (play.dataset.playing !== String(player.playing)) {
      play.dataset.playing = String(player.playing);
      play.setAttribute("aria-label", player.playing ? gettext("Pause") : gettext("Play"));
    }
    this.time.show(player.step);
  }

  /** @param {number} speed  its number */
  setSpeed(speed) {
    this.player.speed = speed;
    this.speeds.forEach((button, place) => button.setAttribute("aria-pressed", String(place + 1 === speed)));
  }

  /** @param {HTMLElement} box */
  #makeSpeeds(box) {
    const buttons = SPEEDS.map((rate, place) => {
      const title = `${speedHint(rate)} ( ${place + 1} )`;
      const button = element("button", { type: "button", title, "aria-pressed": "false" }, speedName(rate));
      button.addEventListener("click", () => this.setSpeed(place + 1));
      return button;
    });
    box.append(...buttons);
    this.speeds = buttons;
    this.setSpeed(this.player.speed);
    return buttons;
  }

  #registerKeys() {
    registerKey(" ", gettext("Play or pause"), this.actions.play);
    registerKey(",", gettext("One step back"), this.actions.back);
    registerKey(".", gettext("One step forward"), this.actions.forward);
    registerKey("n", gettext("Next conversation"), this.actions.talk);
    const digits = SPEEDS.map((_, place) => String(place + 1));
    registerKey(digits, gettext("Speed"), ({ key }) => this.setSpeed(Number(key)), { shown: `1 – ${SPEEDS.length}` });
  }
}

/** `60×`: sixty game seconds in a second. @param {number} rate */
export function speedName(rate) {
  return `${rate}×`;
}

/** @param {number} rate */
function speedHint(rate) {
  const seconds = HOUR / 1000 / rate;
  if (seconds > 90) return fill(gettext("One hour of town time in %(minutes)s minutes"), { minutes: Math.round(seconds / 60) });
  return fill(gettext("One hour of town time in %(seconds)s seconds"), { seconds: Math.round(seconds) });
}
