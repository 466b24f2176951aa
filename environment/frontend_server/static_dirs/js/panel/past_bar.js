/** The time bar of a live run: what has happened so far, and the way back to now. */

import { setText } from "../dom.js";
import { registerKey } from "../keys.js";
import { dayText, timeText } from "../playback/clock.js";
import { fill, gettext, language } from "../translation.js";
import { TimeBar } from "./time_bar.js";
/** @import { Entry } from "../feed/feed_log.js" */
/** @import { Clock } from "../playback/clock.js" */
/** @import { Past } from "../playback/past.js" */
/** @import { Conversation } from "../playback/talks.js" */

/** @param {HTMLElement} bar  @param {string} name */
const part = (bar, name) => bar.querySelector(`[data-control="${name}"]`);

export class PastBar {
  /**
   * @param {{bar: HTMLElement, strip: HTMLElement}} boxes the bar, and the strip that says what is looked at
   * @param {Past} past
   * @param {{clock: Clock, onNote: (text: string) => void}} page `onNote` shows a message
   */
  constructor({ bar, strip }, past, { clock, onNote }) {
    this.bar = bar;
    this.strip = strip;
    this.past = past;
    this.clock = clock;
    this.onNote = onNote;
    this.time = new TimeBar(bar, { clock, onSeek: (step) => past.seek(step) });
    this.play = part(bar, "play");
    /** @type {Conversation[]} */
    this.talks = [];
    /** @type {Entry[]} */
    this.acts = [];
    this.drawn = "";
    const actions = {
      back: () => past.stepBy(-1),
      play: () => this.#toggle(),
      forward: () => past.stepBy(1),
    };
    for (const [name, action] of Object.entries(actions)) part(bar, name).addEventListener("click", action);
    strip.querySelector("[data-part=go-live]").addEventListener("click", () => this.goLive());
    registerKey("l", gettext("Back to now"), () => this.goLive());
    registerKey(",", gettext("One step back"), actions.back);
    registerKey(".", gettext("One step forward"), actions.forward);
    registerKey("n", gettext("Next conversation"), () => this.#toNextTalk());
    registerKey(" ", "", () => past.isLooking && this.#toggle());
  }

  /** Takes over what is marked above the slider. @param {Conversation[]} talks  @param {Entry[]} acts */
  mark(talks, acts) {
    [this.talks, this.acts] = [talks, acts];
    this.drawn = "";
  }

  /** Shows what is looked at. Called on every tick. */
  update() {
    const { past } = this;
    const range = `${past.first} ${past.newest}`;
    this.bar.hidden = past.newest <= past.first;
    if (!this.drawn || (range !== this.drawn && !past.isLooking)) this.time.draw({ first: past.first, last: past.newest }, this.talks, this.acts);
    this.drawn = range;
    this.time.show(past.step);
    const playing = String(Boolean(past.player?.playing));
    if (this.play.dataset.playing !== playing) this.#showPlaying(playing);
    this.strip.hidden = !past.isLooking;
    if (past.isLooking) this.#tell();
  }

  goLive() {
    if (!this.past.isLooking) return;
    this.past.goLive();
    this.time.slider.focus({ preventScroll: true });
  }

  #toggle() {
    const { past } = this;
    if (past.isLooking) past.toggle();
    else this.onNote(gettext("This is now. Move the slider back to see what has happened."));
  }

  /** @param {string} playing  "true" or "false" */
  #showPlaying(playing) {
    this.play.dataset.playing = playing;
    this.play.setAttribute("aria-label", playing === "true" ? gettext("Pause the past") : gettext("Play the past"));
  }

  #tell() {
    const [there, now] = [this.clock.at(this.past.step), this.clock.at(this.past.newest)];
    const day = dayText(there, language) === dayText(now, language) ? "" : `${dayText(there, language)} `;
    const words = fill(gettext("Looking at %(time)s. Live: %(now)s"), { time: day + timeText(there), now: timeText(now) });
    setText(this.strip.querySelector("span"), words);
  }

  #toNextTalk() {
    const next = this.past.isLooking && this.talks.find(({ first }) => first > this.past.step);
    if (next) this.past.seek(next.first);
    else this.onNote(gettext("No later conversation so far."));
  }
}
