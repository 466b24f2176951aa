/** The tab "Do": what a user can do now, each with its form, and what lasts of it. */

import { element, setText } from "../dom.js";
import { capitalize } from "../panel/descriptions.js";
import { registerTab } from "../panel/tabs.js";
import { recordedElement } from "../recorded.js";
import { fill, gettext } from "../translation.js";
import { carryOut, deedButton } from "../acting/deed_button.js";
import { openEvent, setState } from "../acting/forms/happenings.js";
import { offeredKinds, openKind } from "../acting/forms/kind_form.js";
import { openMovingIn } from "../acting/forms/moving.js";
import { IDLE, pictureOf, stateText } from "../acting/forms/object_states.js";
import { nameOf, whereabouts } from "../acting/places.js";
import { openObjects } from "../acting/forms/object_list.js";
import { openPeople } from "../acting/forms/people_choice.js";
import { openWhisper } from "../acting/forms/inner_life.js";
import { signInLink } from "../acting/sign_in.js";
/** @import { Actor } from "../acting/actor.js" */
/** @import { Kind } from "../acting/forms/kind_form.js" */
/** @import { ObjectMap } from "../acting/forms/object_list.js" */
/** @import { Persona } from "../dom.js" */
/** @import { Lasting, Status } from "../playback/status_watch.js" */

registerTab({ name: "do", order: 3, title: () => gettext("Do"), key: "c", waits: true, draw: (box) => new DoTab(box) });

export class DoTab {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    this.key = "";
    this.offered = false; // whether the kinds with a form made from their fields are in the list
    this.note = element("p", { class: "note" });
    this.list = element("ul", { class: "deeds", "aria-label": gettext("What you can do") });
    this.heading = element("h3", {}, gettext("Lasting now"));
    this.lasting = element("ul", { class: "lasting", "aria-label": gettext("Lasting now") });
    box.append(this.note, this.list, this.heading, this.lasting);
  }

  /**
   * Fills it, on a page that can change the town.
   * @param {Actor} actor
   * @param {ObjectMap & {join: () => unknown, people: () => Persona[], onFault: (error: Error) => void}} town
   */
  begin(actor, town) {
    this.actor = actor;
    this.onFault = town.onFault;
    this.people = town.people;
    this.list.append(...this.#deeds(town));
    this.update(null);
  }

  /** Scrolls to it, because a card above it may be long, and adds the kinds that have no form of their own. */
  opened() {
    this.box.scrollIntoView();
    return this.#offerKinds();
  }

  /** @param {?Status} status */
  update(status) {
    const { mayAct } = this.actor;
    const idle = status?.act === "yes" && !mayAct;
    setText(this.note, idle ? gettext("The engine does not have this town open at the moment.") : "");
    if (status?.act === "sign in") this.note.replaceChildren(signInLink());
    this.list.hidden = !mayAct;
    this.#showLasting(mayAct ? (status?.lasting ?? []) : []);
  }

  /** Opens what the user can do. @param {string} name  @returns {boolean} whether it could */
  open(name) {
    this.list.querySelector(`[data-deed=${name}]`).click();
    return true;
  }

  async #offerKinds() {
    if (this.offered) return;
    this.offered = true;
    try {
      const kinds = await offeredKinds(this.actor);
      this.list.append(...kinds.map((kind) => this.#offer(kind)));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.offered = false; // again when the tab is opened
      this.onFault(error);
    }
  }

  /** @param {Kind} kind */
  #offer(kind) {
    const { title, words, picture } = kind.offer;
    return this.#deed(kind.kind, picture, [`${title} …`, words], () => openKind(this.actor, kind, this.people()));
  }

  /** A visitor cannot join again. @param {boolean} visiting */
  setVisiting(visiting) {
    this.list.querySelector("[data-deed=join]").closest("li").hidden = visiting;
  }

  /** @param {ObjectMap & {join: () => unknown, people: () => Persona[]}} town */
  #deeds({ join, menu, nearest, look, people }) {
    const { actor } = this;
    return [
      this.#deed("event", "⚡", [gettext("Something happens …"), gettext("An event that people see or hear")], () => openEvent(actor)),
      this.#deed("object", "🔥", [gettext("Change an object …"), gettext("Set it on fire, break it, put it right")], () =>
        openObjects(actor, { menu, nearest, look }),
      ),
      this.#deed("join", "🧳", [gettext("Join as a visitor …"), gettext("Walk through the town and talk with people")], join),
      this.#deed("whisper-to", "💭", [gettext("Whisper to …"), gettext("A thought that someone takes for their own")], () =>
        openPeople(people(), actor.page.static, {
          title: gettext("Whisper to …"),
          onPick: (persona) => openWhisper(actor, persona),
        }),
      ),
      this.#deed("move-in", "🏠", [gettext("Someone moves in …"), gettext("A new resident with a home and a character")], () =>
        openMovingIn(actor),
      ),
    ];
  }

  /**
   * @param {string} name  @param {string} picture  @param {[string, string]} words  a title, and what it means
   * @param {() => unknown} action
   */
  #deed(name, picture, [title, words], action) {
    const text = element("span", { class: "words" }, element("strong", {}, title), element("span", {}, words));
    const icon = element("span", { class: "picture", "aria-hidden": "true" }, picture);
    return element("li", {}, deedButton({ name, class: "deed", onFault: this.onFault }, [icon, text], action));
  }

  /** @param {Lasting[]} lasting */
  #showLasting(lasting) {
    const key = JSON.stringify(lasting);
    if (key === this.key) return;
    this.key = key;
    this.heading.hidden = !lasting.length;
    this.lasting.replaceChildren(...lasting.toReversed().map((one) => this.#lastingItem(one))); // the newest first
  }

  /** @param {Lasting} lasting */
  #lastingItem({ kind, where, words, until }) {
    const isObject = kind === "object";
    const what = capitalize(isObject ? stateText(nameOf(where), words) : words);
    const end =
      until === null
        ? gettext("until someone puts it right")
        : fill(gettext("until %(time)s"), { time: this.actor.timeOf(until) });
    const place = isObject ? whereabouts(where) : nameOf(where);
    const picture = element("span", { class: "picture", "aria-hidden": "true" }, isObject ? pictureOf(words) : "⚡");
    const item = element(
      "li",
      {},
      picture,
      element("span", { class: "words" }, element("strong", {}, what), element("span", {}, recordedElement("span", {}, place), ` · ${end}`)),
    );
    if (!isObject) return item;
    const button = element(
      "button",
      {
        type: "button",
        class: "button plain",
        "aria-label": fill(gettext("Put right: %(name)s"), { name: nameOf(where) }),
      },
      gettext("Put right"),
    );
    button.addEventListener("click", () => carryOut(button, () => setState(this.actor, where, IDLE), this.onFault));
    item.append(button);
    return item;
  }
}
