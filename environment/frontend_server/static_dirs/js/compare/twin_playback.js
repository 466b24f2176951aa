/** Both towns under one playhead: time, control bar, cameras tied, and those who differ marked. */

import { prefersReducedMotion, setText } from "../dom.js";
import { ControlBar } from "../panel/control_bar.js";
import { FrameLoader } from "../playback/frame_loader.js";
import { Player, nextConversation } from "../playback/player.js";
import { dateText, timeText } from "../playback/clock.js";
import { errorText } from "../server.js";
import { gettext, language } from "../translation.js";
import { PairLoader } from "./pair_loader.js";
import { Side } from "./side.js";
import { howAt } from "./spans.js";
import { TiedCameras } from "./tied_cameras.js";
/** @import { Comparison } from "./comparison_words.js" */
/** @import { ComparePage } from "./side.js" */
/** @import { Clock } from "../playback/clock.js" */
/** @import { Timeline } from "../playback/talks.js" */
/** @import { Point } from "../town/camera.js" */

const SPEED = 3; // a minute in a second
const ZOOM = 1.5; // lowest zoom when a person is followed, in screen pixels
const TOGETHER = 160; // town pixels between two versions of a person that are shown at the same place

const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);

export class Playback {
  /** Opens both towns. @param {ComparePage} page  @param {{clock: Clock, timelines: Timeline[]}} time */
  static async open(page, time) {
    const onTrouble = (/** @type {string} */ text) => setText(part("notice"), text);
    const first = await Side.open(part("town-a"), page.sides[0], { onTrouble });
    const second = await Side.open(part("town-b"), page.sides[1], { onTrouble, twin: first.town });
    return new Playback(page, [first, second], time);
  }

  /** @param {ComparePage} page  @param {Side[]} sides  @param {{clock: Clock, timelines: Timeline[]}} time */
  constructor(page, sides, { clock, timelines }) {
    this.sides = sides;
    this.clock = clock;
    /** @type {Comparison["people"]} */
    this.people = {}; // spans by person, once they are known
    this.chosen = null;
    this.drawnAt = null; // the position whose frames are drawn
    /** @type {(step: number) => void} */
    this.onStep = () => {};
    /** @type {(name: ?string) => void} */
    this.onChoose = () => {};
    const loaders = page.sides.map((side, place) => new FrameLoader(side.sim_code, { ...timelines[place], store: side.store, people: side.personas.length }));
    this.loader = new PairLoader(loaders);
    this.player = new Player(this.loader, { step: page.step, speed: SPEED, secondsPerStep: page.sides[0].sec_per_step });
    const conversations = timelines.flatMap((timeline) => timeline.conversations).sort((one, other) => one.first - other.first);
    this.conversations = conversations;
    this.bar = new ControlBar(part("controls"), this.player, { clock, timeline: { conversations }, onTalk: () => this.#toNextTalk() });
    sides.forEach((side, place) => side.talks.know(timelines[place].conversations, timelines[place].steps));
    sides.forEach((side) => (side.town.onPick = (name) => this.choose(name)));
    this.cameras = new TiedCameras(sides.map(({ town }) => town.camera));
    sides[0].town.onTick = (passed) => this.#tick(passed);
  }

  get step() {
    return this.player.step;
  }

  /** Goes to a step, and follows a person there, if one is named. @param {number} step  @param {string} name */
  goTo(step, name = null) {
    this.player.pause();
    this.player.seek(step);
    if (name) this.choose(name);
  }

  /** Follows a person in both towns; null stops. @param {string} name */
  choose(name) {
    this.chosen = name;
    for (const { town } of this.sides) {
      const { camera, density } = town;
      if (name) camera.targetZoom = Math.max(camera.targetZoom, ZOOM * density);
    }
    this.sides.forEach((side) => side.choose(name));
    if (name) this.sides.forEach(({ town }, place) => town.camera.follow(() => this.#spotOf(name, place)));
    this.onChoose(name);
  }

  /**
   * Where a camera looks that follows a person: at both versions of it if they are near each other, else at its own.
   * @param {string} name  @param {number} place  @returns {?Point}
   */
  #spotOf(name, place) {
    const spots = this.sides.map(({ town }) => (town.people.sprites.has(name) ? town.people.middleOf([name]) : null));
    const [one, other] = spots;
    if (one && other && Math.hypot(one[0] - other[0], one[1] - other[1]) < TOGETHER)
      return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
    return spots[place];
  }

  /** @param {number} passed */
  #tick(passed) {
    const loaded = this.player.tick(passed);
    this.bar.update();
    this.cameras.update();
    const error = this.loader.error;
    setText(part("notice"), error ? errorText(error) : loaded ? "" : gettext("Loading the recording …"));
    if (loaded) this.drawnAt = this.player.position;
    part("stage").dataset.waiting = String(this.drawnAt !== this.player.position);
    const scene = this.player.scene;
    if (!scene) return;
    const { before, after } = scene;
    const fraction = prefersReducedMotion() ? 1 : scene.fraction;
    const time = { step: this.step, moment: this.clock.at(this.step), passed };
    this.sides.forEach((side, place) => {
      const letter = place ? "b" : "a";
      side.show({ before: before[letter], after: after[letter], fraction }, time);
      side.rings.show((name) => howAt(this.people[name] ?? [], this.step));
    });
    setText(part("time"), timeText(time.moment));
    setText(part("date"), dateText(time.moment, language));
    this.onStep(this.step);
  }

  #toNextTalk() {
    const talk = nextConversation(this.conversations, this.step);
    if (talk) this.goTo(talk.first, talk.names[0]);
  }
}
