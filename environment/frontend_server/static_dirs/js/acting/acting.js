/** Acting on a page that shows the town: what the card, the map, the tab "Do" and the keys offer. */

import { element } from "../dom.js";
import { registerKey } from "../keys.js";
import { GoalMark } from "../town/goal_mark.js";
import { LastingMarks } from "../town/lasting_marks.js";
import { gettext } from "../translation.js";
import { CardActions } from "../asking/card_actions.js";
import { openJoining } from "../visiting/join_form.js";
import { openObjects } from "./forms/object_list.js";
import { pictureOf } from "./forms/object_states.js";
import { PlaceMenu } from "./forms/place_menu.js";
import { Visit } from "../visiting/visit.js";
import { VisitBox } from "../visiting/visit_box.js";
/** @import { Actor } from "./actor.js" */
/** @import { ObjectMap } from "./forms/object_list.js" */
/** @import { Tile, TownObject } from "./places.js" */
/** @import { Persona } from "../dom.js" */
/** @import { Viewer } from "../pages/viewer.js" */
/** @import { DoTab } from "../tabs/do.js" */
/** @import { Frame } from "../playback/frames.js" */
/** @import { Lasting, Status } from "../playback/status_watch.js" */
/** @import { Point } from "../town/camera.js" */

const LEAST_TILE = 12; // screen pixels of a tile from which a click on the ground means the room
/** @type {Record<string, [number, number]>} */
const WALKS = {
  ArrowLeft: [-1, 0],
  a: [-1, 0],
  ArrowRight: [1, 0],
  d: [1, 0],
  ArrowUp: [0, -1],
  w: [0, -1],
  ArrowDown: [0, 1],
  s: [0, 1],
};

/** Asking people, on recordings too. @param {Viewer} viewer  @param {Actor} actor */
export function offerAsking(viewer, actor) {
  const deeds = new CardActions(viewer.card.deeds, actor, { onFault: (error) => viewer.notice(error.message) });
  viewer.card.onChoose = (persona) => deeds.choose(persona);
  viewer.card.onPresence = (present) => deeds.setPresence(present);
  deeds.choose(viewer.card.persona);
  registerKey("i", gettext("Ask the person"), () => deeds.open("ask"));
  return deeds;
}

/** Everything that changes a town, on the page of the running simulation. */
export class Acting {
  /** @param {Viewer} viewer  @param {Actor} actor  @param {HTMLElement} visitBox */
  constructor(viewer, actor, visitBox) {
    this.viewer = viewer;
    this.actor = actor;
    /** @type {?Frame} */
    this.frame = null; // what everyone does now
    this.shownLasting = ""; // as JSON
    this.resumed = false;
    this.looksBack = false; // whether the page shows the past, where nothing can be changed
    this.onFault = (/** @type {Error} */ error) => viewer.notice(error.message);
    const { scene, map, density } = viewer.town;
    this.marks = new LastingMarks(scene, { tile: map.tile, density });
    this.goal = new GoalMark(scene, map.tile);
    this.deeds = offerAsking(viewer, actor);
    this.menu = new PlaceMenu(actor, { onFault: this.onFault });
    this.#makeVisit(visitBox);
    /** @type {ObjectMap & {join: () => unknown, people: () => Persona[], onFault: (error: Error) => void}} */
    const town = {
      join: () => this.#join(),
      menu: this.menu,
      nearest: (objects) => this.#nearest(objects),
      look: (object) => this.#look(object),
      people: () => this.#people(),
      onFault: this.onFault,
    };
    this.doTab = /** @type {DoTab} */ (viewer.tabs.views.get("do"));
    this.doTab.begin(actor, town);
    this.#listen(town);
  }

  /** @param {Status} status */
  onStatus(status) {
    this.actor.status = status;
    this.deeds.update();
    this.doTab.update(status);
    this.visitBox.update();
    this.#showLasting(status.lasting ?? []);
  }

  /** @param {Frame} frame what everyone does now */
  onFrame(frame) {
    if (frame === this.frame) return;
    this.frame = frame;
    if (!this.resumed) {
      this.resumed = true;
      this.visit.resume(frame).catch(this.onFault);
    }
    const { state } = this.visit;
    this.visit.update(frame);
    if (this.visit.state === "here" && state === "coming") this.#followVisitor();
    this.visitBox.update();
  }

  /** Called on every tick of the town. */
  tick() {
    this.visit.tick();
    this.marks.layOut(this.viewer.town.view, !this.looksBack);
  }

  /** @param {HTMLElement} box */
  #makeVisit(box) {
    const { viewer, actor } = this;
    const personaOf = (/** @type {string} */ name) => viewer.page.personas.find((persona) => persona.name === name);
    const isVisitor = (/** @type {string} */ name) => Boolean(personaOf(name)?.visitor);
    this.visit = new Visit(actor, {
      onChange: () => this.#onVisit(),
      onGoal: (tile) => this.goal.show(tile),
      isVisitor,
    });
    this.visitBox = new VisitBox(box, this.visit, {
      static: viewer.page.static,
      personaOf,
      onAgain: () => this.#join(),
      onFault: this.onFault,
    });
  }

  #onVisit() {
    const { visit, viewer } = this;
    const over = visit.state === "none" || visit.state === "gone";
    const except = over ? null : visit.name;
    if (viewer.card.except !== except) {
      viewer.card.except = except;
      if (viewer.chosen === visit.name) viewer.choose(except);
    }
    this.visitBox?.update();
    this.doTab?.setVisiting(["coming", "here", "elsewhere"].includes(visit.state));
  }

  /** @param {ObjectMap} town */
  #listen(town) {
    const { viewer, visit } = this;
    const pick = viewer.town.onPick;
    viewer.town.onPick = (name) => (visit.isHere && !this.looksBack && !visit.isVisitor(name) ? visit.approach(name) : pick(name));
    viewer.town.onPickTile = (tile, spot) => this.#onTile(tile, spot).catch(this.onFault);
    registerKey("w", gettext("Whisper to someone"), () => this.deeds.open("whisper") || (this.actor.mayAct && this.doTab.open("whisper-to")));
    registerKey(
      "o",
      gettext("Change an object"),
      () => this.actor.mayAct && void openObjects(this.actor, town).catch(this.onFault),
    );
    registerKey("v", gettext("Join as a visitor, or speak"), () => this.#visitKey());
    for (const [key, direction] of Object.entries(WALKS)) {
      registerKey(key, "", (event) => this.#walk(direction, event), {
        onRelease: () => visit.walker?.release(direction),
      });
    }
    addEventListener("blur", () => visit.walker?.releaseAll());
  }

  /** @param {Tile} direction  @param {KeyboardEvent} event */
  #walk(direction, { repeat }) {
    if (!this.visit.isHere || this.looksBack) return false;
    this.visit.walker.press(direction);
    if (!repeat) this.#followVisitor();
    return true;
  }

  #visitKey() {
    if (this.visitBox.focus()) return true;
    if (!this.actor.mayAct) return false;
    if (!this.visit.isHere) this.#join();
    return true;
  }

  /** @param {Tile} tile  @param {Point} spot */
  async #onTile(tile, spot) {
    if (!this.actor.mayAct || this.looksBack) return;
    if (this.visit.isHere) {
      this.visit.walkTo(tile);
      this.#followVisitor();
      return;
    }
    const places = await this.actor.places();
    const object = places.objectAt(tile);
    if (object) this.menu.openObject(object, this.#stateOf(object), spot);
    else if (this.#tileSize >= LEAST_TILE && places.sectorAt(tile)) {
      this.menu.openPlace({ sector: places.sectorAt(tile).name, arena: places.arenaAt(tile)?.name ?? "" }, spot);
    }
  }

  /** Size of a tile in screen pixels. */
  get #tileSize() {
    const { map, view, density } = this.viewer.town;
    return (map.tile * view.zoom) / density;
  }

  /** @param {TownObject} object  @returns {?Lasting} */
  #stateOf({ address }) {
    return this.actor.status.lasting?.find((one) => one.where === address) ?? null;
  }

  /** The camera goes with the visitor; the box takes the place of its card. */
  #followVisitor() {
    const { viewer, visit } = this;
    if (viewer.chosen !== visit.name || !viewer.town.isFollowing) viewer.choose(visit.name);
  }

  #join() {
    const { visit, actor } = this;
    if (visit.isHere || visit.state === "coming") return null;
    return openJoining(actor, { middle: () => this.#middle, onJoin: (name) => visit.begin(name) })
      .then((dialog) => dialog.addEventListener("close", () => visit.name && this.#arrive()))
      .catch(this.onFault);
  }

  /** Arrow keys walk from here on, and the visit is in sight. */
  #arrive() {
    this.viewer.town.element.focus();
    this.visitBox.box.scrollIntoView({ block: "nearest" });
  }

  /** The tile in the middle of what the map shows. @returns {Tile} */
  get #middle() {
    const { camera, map } = this.viewer.town;
    return [Math.floor(camera.x / map.tile), Math.floor(camera.y / map.tile)];
  }

  /** @param {TownObject[]} objects */
  #nearest(objects) {
    const [x, y] = this.#middle;
    const away = (/** @type {TownObject} */ { tiles: [tile] }) => Math.hypot(tile[0] - x, tile[1] - y);
    return [...objects].sort((one, other) => away(one) - away(other));
  }

  /**
   * Shows an object on the map.
   * @param {TownObject} object  @returns {[number, number]} the spot in the window where it will be
   */
  #look(object) {
    const { camera, density, element: view } = this.viewer.town;
    const spot = this.viewer.town.showObject(object);
    const { left, top, width, height } = view.getBoundingClientRect();
    const [away, down] = camera.awayFromMiddle(spot);
    return [left + width / 2 + away / density, top + height / 2 + down / density];
  }

  #people() {
    return this.viewer.page.personas.filter(({ name, visitor }) => !visitor && this.frame?.[name]);
  }

  /** @param {Lasting[]} lasting */
  async #showLasting(lasting) {
    const objects = lasting.filter(({ kind }) => kind === "object");
    const key = JSON.stringify(objects);
    if (key === this.shownLasting) return;
    this.shownLasting = key;
    try {
      const places = objects.length ? await this.actor.places() : null;
      this.marks.show(
        objects.flatMap(({ where, words }) => {
          const object = places.byAddress.get(where);
          return object ? [{ address: where, picture: pictureOf(words), spots: places.spotsOf(object) }] : [];
        }),
      );
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.shownLasting = ""; // again with the next status
    }
  }
}

/** The section of the panel in which a visit is shown, above the card. @param {HTMLElement} card */
export function makeVisitBox(card) {
  const box = element("section", {
    class: "visit",
    "data-part": "visit",
    "aria-label": gettext("Your visit"),
    hidden: true,
  });
  card.before(box);
  return box;
}
