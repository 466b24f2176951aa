/** The tab "Feed": what has happened, what reads it, and the list of conversations. */

import { element, setText, showDamage } from "../dom.js";
import { FeedList } from "../feed/feed_list.js";
import { FeedLog } from "../feed/feed_log.js";
import { ConversationList } from "../panel/conversation_list.js";
import { registerTab } from "../panel/tabs.js";
import { get, retry, sleep } from "../server.js";
import { gettext } from "../translation.js";
/** @import { Entry } from "../feed/feed_log.js" */
/** @import { Viewer } from "../pages/viewer.js" */
/** @import { Conversation } from "../playback/talks.js" */

const INTERVAL = 2500; // milliseconds between requests in a live run

registerTab({ name: "feed", order: 2, title: () => gettext("Feed"), key: "e", draw: (box, viewer) => new FeedTab(box, viewer) });

export class FeedTab {
  /** @param {HTMLElement} box  @param {Viewer} viewer */
  constructor(box, viewer) {
    const { page, clock } = viewer;
    const heard = element("span", { "data-part": "heard" });
    this.switches = [switchTo("feed", gettext("What happens")), switchTo("conversations", gettext("Conversations"), " ", heard)];
    /** @type {Record<string, HTMLElement>} */
    this.lists = {
      feed: element("div", { "data-part": "feed-list" }),
      conversations: element("ol", { class: "people", "data-part": "conversations", "aria-label": gettext("Conversations") }),
    };
    box.append(element("div", { class: "switch", role: "group", "aria-label": gettext("What to list") }, ...this.switches), ...Object.values(this.lists));
    this.heard = heard;
    this.log = new FeedLog();
    this.source = new FeedSource(this.log, { simulation: page.sim_code, store: page.store ?? "saved" });
    this.feed = new FeedList(this.lists.feed, this.log, { page, clock, onPick: ({ step, names }) => viewer.goTo(step, names) });
    this.talks = new ConversationList(this.lists.conversations, page, { clock, onPick: ({ first, names }) => viewer.goTo(first, names) });
    /** @type {(acts: Entry[]) => void} */
    this.onActs = () => {}; // gets the interventions whenever there are new entries
    this.source.onNews = () => {
      this.feed.refresh();
      this.onActs(this.log.acts);
    };
    for (const button of this.switches) button.addEventListener("click", () => this.open(button.dataset.lists));
    this.open("feed");
  }

  /** Opens one of the lists: `feed` or `conversations`. @param {string} name */
  open(name) {
    for (const button of this.switches) {
      const isChosen = button.dataset.lists === name;
      button.setAttribute("aria-pressed", String(isChosen));
      this.lists[button.dataset.lists].hidden = !isChosen;
    }
    if (name === "conversations") this.talks.reveal();
  }

  /** @param {Conversation[]} conversations */
  setConversations(conversations) {
    this.talks.set(conversations);
    setText(this.heard, String(conversations.length));
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

/** @param {string} list  @param {...(Node|string)} words */
function switchTo(list, ...words) {
  return element("button", { type: "button", "data-lists": list }, ...words);
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
