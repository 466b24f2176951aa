/** The first page of a folder of shared recordings: a card for each. */

import "./language_choice.js";
import { element } from "../dom.js";
import { dateText, momentOf, timeText } from "../playback/clock.js";
import { fill, gettext, language, ngettext } from "../translation.js";
import { picture, unpacked } from "./unpacked.js";

/**
 * @typedef {{file: string, title: string, begins: string, ends: string, megabytes: number, people: number, talks: number,
 *   memories: number}} SiteEntry
 */

async function open() {
  /** @type {SiteEntry[]} */
  const entries = await unpacked("site");
  document.body.className = "shared site";
  const pictures = await Promise.all(entries.map((_, place) => picture(`town${place}`)));
  const cards = entries.map((entry, place) => card(entry, pictures[place]));
  document.body.prepend(
    element("main", {}, element("h1", {}, gettext("The Ville")), element("p", { class: "lead" }, gettext("Towns of generative agents, recorded. Choose one to watch what they do, say and remember.")), element("ul", { class: "cards" }, ...cards)),
  );
  document.documentElement.dataset.ready = "true";
}

/** @param {SiteEntry} entry  @param {HTMLImageElement} image */
function card({ file, title, begins, ends, people, talks, memories, megabytes }, image) {
  image.hidden = false;
  image.removeAttribute("id");
  const facts = [
    fill(ngettext("%(count)s person", "%(count)s people", people), { count: people }),
    fill(ngettext("%(count)s conversation", "%(count)s conversations", talks), { count: talks }),
    fill(ngettext("%(count)s memory", "%(count)s memories", memories), { count: memories }),
    fill(gettext("%(size)s MB"), { size: megabytes }),
  ];
  const when = [begins, ends].map(momentOf).map((moment) => `${dateText(moment, language, { short: true })}, ${timeText(moment)}`);
  return element("li", {}, element("a", { href: file }, image, element("strong", {}, title), element("span", {}, when.join(" – ")), element("small", {}, facts.join(" · "))));
}

open().catch((fault) => document.body.prepend(element("p", { role: "alert" }, gettext("This file needs a newer browser: one of 2023 or later."), ` (${fault})`)));
