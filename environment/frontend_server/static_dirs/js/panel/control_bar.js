/** The bar under a recording: play, pause, step, slider with hours, speeds, next conversation; and the keys for them. */

import { element } from "../dom.js";
import { DAY, HOUR, dateText, dayText, hourOf, timeText } from "../story/clock.js";
import { SPEEDS, STEP_TIMES } from "../story/player.js";
import { fill, gettext, language } from "../words.js";

const WRITING = "input:not([type=range]), select, textarea"; // where letters are meant for a text
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
    this.acts = {
      play: () => (player.playing ? player.pause() : player.play()),
      back: () => player.nudge(-1),
      forward: () => player.nudge(1),
      talk: onTalk,
    };
    for (const [name, act] of Object.entries(this.acts)) part(bar, name).addEventListener("click", act);
    this.slider.addEventListener("input", () => player.seek(Number(this.slider.value)));
    this.speeds = this.#makeSpeeds(part(bar, "speeds"));
    drawHours(part(bar, "hours"), clock, player.last);
    drawTalks(part(bar, "talks"), timeline.conversations, player.last);
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows where the player is. */
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
    const buttons = STEP_TIMES.map((time, place) => {
      const button = element(
        "button",
        {
          type: "button",
          title: fill(gettext("An hour of the town lasts %(seconds)s seconds"), { seconds: paceOf(time, this.clock) }),
          "aria-pressed": "false",
        },
        String(place + 1),
      );
      button.setAttribute("aria-label", fill(gettext("Speed %(speed)s"), { speed: place + 1 }));
      button.addEventListener("click", () => this.setSpeed(place + 1));
      return button;
    });
    box.append(...buttons);
    this.speeds = buttons;
    this.setSpeed(this.player.speed);
    return buttons;
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(WRITING)) return;
    const onButton = event.target.closest("button, a");
    const acts = {
      " ": onButton ? null : this.acts.play,
      ",": this.acts.back,
      ".": this.acts.forward,
      n: this.acts.talk,
    };
    const speed = Number(event.key);
    if (acts[event.key]) acts[event.key]();
    else if (event.key.trim() && Number.isInteger(speed) && speed >= 1 && speed <= SPEEDS) this.setSpeed(speed);
    else return;
    event.preventDefault();
  }
}

/** How many seconds an hour of the town lasts if a step takes so many milliseconds. */
export function paceOf(time, clock) {
  const seconds = Math.round((HOUR / clock.tick) * time) / 1000;
  return seconds < 10 ? seconds.toFixed(1) : String(Math.round(seconds));
}

/** Marks under the slider: hours, as close as there is room for, and days. */
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

/** Where people talk. */
function drawTalks(box, conversations, last) {
  for (const talk of conversations) {
    const mark = element("i");
    mark.style.left = `${(100 * talk.first) / (last || 1)}%`;
    mark.style.width = `${(100 * (talk.last - talk.first)) / (last || 1)}%`;
    box.append(mark);
  }
}
