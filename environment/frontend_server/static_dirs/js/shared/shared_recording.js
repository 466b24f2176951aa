/** A recording in one file: plays, seeks, and shows minds, without a server. */

import "./language_choice.js";
import { element, isControl, prefersReducedMotion, setText } from "../dom.js";
import { registerKey } from "../keys.js";
import { ControlBar, speedName } from "../panel/control_bar.js";
import { ConversationList } from "../panel/conversation_list.js";
import { PeopleList } from "../panel/people_list.js";
import { Clock, dateText, hourOf, timeText } from "../playback/clock.js";
import { parseDescription } from "../playback/frames.js";
import { Player, SPEEDS, nextConversation } from "../playback/player.js";
import { Talks } from "../playback/talks.js";
import { fill, gettext, language } from "../translation.js";
import { showAbout } from "./about_file.js";
import { CanvasTown } from "./canvas_town.js";
import { MindCard } from "./mind_card.js";
import { makeLayout } from "./shared_layout.js";
import { ToldRun } from "./told_run.js";
import { picture, unpacked } from "./unpacked.js";
/** @import { Conversation, Talk } from "../playback/talks.js" */
/** @import { SharedLayout } from "./shared_layout.js" */

const SPEED = 3; // number of the speed at the beginning: a minute in a second
const NEAR = 1.5; // zoom, in screen pixels, at which a person who was chosen is shown
const CLICK = 6; // screen pixels that a pointer may move in a click

class SharedRecording {
  /** @param {any} shared data of the file  @param {CanvasTown} town  @param {ToldRun} told  @param {SharedLayout} parts */
  constructor(shared, town, told, parts) {
    this.town = town;
    this.told = told;
    this.parts = parts;
    this.clock = new Clock(shared.start, shared.sec_per_step);
    this.player = new Player(told, { step: shared.opening, speed: SPEED, secondsPerStep: shared.sec_per_step });
    this.bar = new ControlBar(parts.controls, this.player, { clock: this.clock, timeline: { conversations: told.conversations }, onTalk: () => this.#toNextTalk() });
    this.talks = new Talks({ personas: told.personas, sec_per_step: shared.sec_per_step }, told.conversations);
    /** @type {Talk[]} */
    this.talking = []; // conversations of the moment
    /** @type {?string} */
    this.chosen = null;
    const page = { static: "", personas: told.personas };
    const pick = (/** @type {string} */ name) => this.choose(name === this.chosen ? null : name);
    this.people = new PeopleList(parts.people, page, { onPick: pick, find: () => [], onShow: () => {} });
    this.list = new ConversationList(parts.talks, page, { clock: this.clock, onPick: (talk) => this.#goTo(talk) });
    this.list.set(told.conversations);
    this.card = new MindCard(parts.card, told, { clock: this.clock, onClose: () => this.choose(null) });
    parts.about.addEventListener("click", () => showAbout(shared.content));
    for (const [name, action] of Object.entries({ nearer: () => town.camera.zoomBy(1.5), farther: () => town.camera.zoomBy(1 / 1.5), overview: () => town.camera.overview() }))
      parts[/** @type {"nearer"} */ (name)].addEventListener("click", action);
    registerKey("Escape", gettext("Stop following"), () => (this.chosen ? this.choose(null) : false));
    registerKey("/", gettext("Find a person or place"), () => this.people.search());
    this.#listenForClicks(parts.town);
    this.before = performance.now();
    requestAnimationFrame((now) => this.#tick(now));
  }

  /** Follows a person and shows their mind; null stops that. @param {?string} name */
  choose(name) {
    this.chosen = name;
    this.card.choose(name);
    this.people.choose(name);
    document.body.classList.toggle("has-card", Boolean(name));
    this.parts.card.parentElement.scrollTop = 0;
    const { camera, density } = this.town;
    camera.follow(name ? () => this.town.middleOf([name, ...this.#partners]) : null);
    if (name && camera.zoom < NEAR * density) camera.targetZoom = NEAR * density;
  }

  /** Those with whom the chosen person talks. */
  get #partners() {
    return this.talking.find(({ names }) => names.includes(this.chosen))?.names ?? [];
  }

  /** @param {number} now */
  #tick(now) {
    const passed = Math.min(200, now - this.before);
    this.before = now;
    this.player.tick(passed);
    this.bar.update();
    const { player, clock, chosen } = this;
    const scene = prefersReducedMotion() ? { ...player.scene, fraction: 1 } : player.scene;
    const talks = (this.talking = this.talks.at(scene.after, player.position));
    const moment = clock.at(player.step);
    this.town.draw(scene, { hour: hourOf(moment), chosen, talks, passed });
    this.#showTime(moment);
    this.people.update(scene.after, { talks, placeOf: (name) => parseDescription(scene.after[name].description).place.sector ?? "", viewOf: (name) => this.town.viewOf(name) });
    this.list.update(player.step, chosen);
    this.card.update(scene.after, player.step, talks);
    requestAnimationFrame((next) => this.#tick(next));
  }

  /** @param {number} moment */
  #showTime(moment) {
    const { player, parts } = this;
    setText(parts.time, timeText(moment));
    setText(parts.date, dateText(moment, language));
    const playing = fill(gettext("Playing, %(speed)s"), { speed: speedName(SPEEDS[player.speed - 1]) });
    setText(parts.status, player.playing ? playing : player.ended ? gettext("The recording ends here.") : gettext("Paused"));
  }

  #toNextTalk() {
    const talk = nextConversation(this.told.conversations, this.player.step);
    if (talk) this.#goTo(talk);
    else this.#notice(gettext("No more conversations in this recording."));
  }

  /** @param {Conversation} talk */
  #goTo({ first, names }) {
    this.player.seek(first);
    this.choose(names.includes(this.chosen) ? this.chosen : names[0]);
    this.#notice(fill(gettext("Conversation: %(names)s"), { names: names.join(", ") }));
  }

  /** @param {string} text */
  #notice(text) {
    setText(this.parts.notice, text);
    clearTimeout(this.noticed);
    this.noticed = setTimeout(() => setText(this.parts.notice, ""), 4000);
  }

  /** @param {HTMLElement} box of the town */
  #listenForClicks(box) {
    /** @type {?[number, number]} */
    let pressed = null;
    box.addEventListener("pointerdown", (event) => (pressed = isControl(event.target) ? null : [event.clientX, event.clientY]));
    box.addEventListener("pointerup", ({ clientX, clientY }) => {
      if (!pressed || Math.hypot(clientX - pressed[0], clientY - pressed[1]) > CLICK) return;
      const { left, top } = box.getBoundingClientRect();
      const name = this.town.at([clientX - left, clientY - top]);
      if (name) this.choose(name);
    });
  }
}

async function open() {
  const shared = await unpacked("recording");
  document.body.append(element("script", { type: "application/json", id: "page" }, JSON.stringify({ language: shared.language })));
  const told = new ToldRun(shared);
  const parts = makeLayout(shared.title);
  const [below, above, people] = await Promise.all(["below", "above", "people"].map(picture));
  const town = new CanvasTown(parts.town, told, { below, above, people, tile: shared.tile });
  const recording = new SharedRecording(shared, town, told, parts);
  window.ville = { recording, town, told };
  document.documentElement.dataset.ready = "true";
}

open().catch((fault) => {
  document.body.prepend(element("p", { class: "notice shared-fault", role: "alert" }, gettext("This file needs a newer browser: one of 2023 or later."), ` (${fault})`));
});
