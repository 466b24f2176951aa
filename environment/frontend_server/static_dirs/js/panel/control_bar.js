/** The controls of a recording and their keys: play, pause, single steps, slider, speeds, next conversation. */

import { element } from "../dom.js";
import { registerKey } from "../keys.js";
import { DAY, HOUR, dateText, dayText, hourOf, timeText } from "../playback/clock.js";
import { SPEEDS } from "../playback/player.js";
import { fill, gettext, language } from "../translation.js";

const part = (bar, name) => bar.querySelector(`[data-control="${name}"]`);

export class ControlBar {
  /**
   * @param {HTMLElement} bar with its buttons, from the template
   * @param {Player} player
   * @param {{clock: Clock, timeline: Object, onTalk: function()}} recording
   */
  constructor(bar, player, { clock, timeline, onTalk }) {
    this.player = player;
    this.clock = clock;
    this.play = part(bar, "play");
    this.slider = part(bar, "slider");
    this.slider.max = player.last;
    this.actions = {
      play: () => (player.playing ? player.pause() : player.play()),
      back: () => player.stepBy(-1),
      forward: () => player.stepBy(1),
      talk: onTalk,
    };
    for (const [name, action] of Object.entries(this.actions)) part(bar, name).addEventListener("click", action);
    this.slider.addEventListener("input", () => player.seek(Number(this.slider.value)));
    this.speeds = this.#makeSpeeds(part(bar, "speeds"));
    drawHours(part(bar, "hours"), clock, player.last);
    drawTalks(part(bar, "talks"), timeline.conversations, player.last);
    this.#registerKeys();
  }

  /** Shows the player's state. */
  update() {
    const { player, slider, play } = this;
    if (play.dataset.playing !== String(player.playing)) {
      play.dataset.playing = player.playing;
      play.setAttribute("aria-label", player.playing ? gettext("Pause") : gettext("Play"));
    }
    if (Number(slider.value) !== player.step) slider.value = player.step;
    const moment = this.clock.at(player.step);
    const words = `${dateText(moment, language, { short: true })}, ${timeText(moment)}`;
    if (slider.getAttribute("aria-valuetext") !== words) slider.setAttribute("aria-valuetext", words);
  }

  setSpeed(speed) {
    this.player.speed = speed;
    this.speeds.forEach((button, place) => button.setAttribute("aria-pressed", String(place + 1 === speed)));
  }

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

/** `60×`: sixty game seconds in a second. */
export function speedName(rate) {
  return `${rate}×`;
}

function speedHint(rate) {
  const seconds = HOUR / 1000 / rate;
  if (seconds > 90) return fill(gettext("One hour of town time in %(minutes)s minutes"), { minutes: Math.round(seconds / 60) });
  return fill(gettext("One hour of town time in %(seconds)s seconds"), { seconds: Math.round(seconds) });
}

/** Draws hours (as many as fit) and days below the slider. */
function drawHours(box, clock, last) {
  const whole = clock.at(last) - clock.at(0);
  const every = [1, 2, 3, 6, 12, 24].find((hours) => whole / (hours * HOUR) <= 13) ?? 24;
  const first = Math.ceil(clock.at(0) / (every * HOUR)) * every * HOUR;
  for (let moment = first; moment <= clock.at(last); moment += every * HOUR) {
    const midnight = moment % DAY === 0;
    const text = midnight && whole > DAY ? dayText(moment, language) : String(hourOf(moment));
    const mark = element("span", { class: midnight ? "day" : "hour" }, text);
    mark.style.left = `${(100 * (moment - clock.at(0))) / (whole || 1)}%`;
    box.append(mark);
  }
}

/** Marks the conversations above the slider. */
function drawTalks(box, conversations, last) {
  for (const talk of conversations) {
    const mark = element("i");
    mark.style.left = `${(100 * talk.first) / (last || 1)}%`;
    mark.style.width = `${(100 * (talk.last - talk.first)) / (last || 1)}%`;
    box.append(mark);
  }
}
