/** The tab with what has happened: the feed, what reads it, and the list of conversations. */

import { setText, showDamage } from "../dom.js";
import { ConversationList } from "../panel/conversation_list.js";
import { FeedList } from "./feed_list.js";
import { FeedLog } from "./feed_log.js";
import { get, retry, sleep } from "../server.js";
/** @import { Page } from "../dom.js" */
/** @import { Entry } from "./feed_log.js" */
/** @import { Clock } from "../playback/clock.js" */
/** @import { Conversation } from "../playback/talks.js" */

const INTERVAL = 2500; // milliseconds between requests in a live run

export class FeedTab {
  /**
   * @param {HTMLElement} panel with both lists and the buttons between them, from the template
   * @param {Page} page
   * @param {{clock: Clock, store: string, goTo: (step: number, names: string[]) => void}} run `goTo` gets the step of an entry, and
   *   the names of those it is about
   */
  constructor(panel, page, { clock, store, goTo }) {
    this.part = (/** @type {string} */ name) => panel.querySelector(`[data-part=${name}]`);
    this.log = new FeedLog();
    this.source = new FeedSource(this.log, { simulation: page.sim_code, store });
    this.feed = new FeedList(this.part("feed"), this.log, { page, clock, onPick: ({ step, names }) => goTo(step, names) });
    this.talks = new ConversationList(this.part("conversations"), page, { clock, onPick: ({ first, names }) => goTo(first, names) });
    /** @type {(acts: Entry[]) => void} */
    this.onActs = () => {}; // gets the interventions whenever there are new entries
    this.source.onNews = () => {
      this.feed.refresh();
      this.onActs(this.log.acts);
    };
    this.switches = [...panel.querySelectorAll("[data-lists]")];
    for (const button of this.switches) button.addEventListener("click", () => this.open(button.dataset.lists));
  }

  /** Opens one of the lists: `feed` or `conversations`. @param {string} name */
  open(name) {
    for (const button of this.switches) {
      const isChosen = button.dataset.lists === name;
      button.setAttribute("aria-pressed", String(isChosen));
      this.part(button.dataset.lists).hidden = !isChosen;
    }
    if (name === "conversations") this.talks.reveal();
  }

  /** @param {Conversation[]} conversations */
  setConversations(conversations) {
    this.talks.set(conversations);
    setText(this.part("heard"), String(conversations.length));
  }

  /**
   * Shows what has happened until a step.
   * @param {number} step  @param {?string} chosen name of the chosen person  @param {number} told the last step of which entries are listed
   */
  update(step, chosen, told = step) {
    this.feed.update(told);
    this.talks.update(step, chosen);
  }
}

/** Reads the feed of a run: at once, and again while the run goes on. */
class FeedSource {
  /** @param {FeedLog} log  @param {{simulation: string, store: string}} run */
  constructor(log, { simulation, store }) {
    this.log = log;
    this.address = (/** @type {number} */ from) => `/feed/${simulation}/?from=${from}&store=${store}`;
    this.onNews = () => {};
  }

  /** Reads what has not been read yet. Repeats until the server answers. */
  async read() {
    const response = await retry(
      () => get(this.address(this.log.last + 1)),
      () => {},
    );
    showDamage(response.damage ?? []);
    if (this.log.add(response)) this.onNews();
  }

  /** Never ends. @param {() => number} newest step of the run */
  async follow(newest) {
    for (;;) {
      if (this.log.last !== newest() && !document.hidden) await this.read();
      await sleep(INTERVAL);
    }
  }
}
