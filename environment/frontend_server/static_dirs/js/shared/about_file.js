/** What is in a shared file and what is not, said to those who were given it. */

import { element } from "../dom.js";
import { fill, gettext } from "../translation.js";

/** @typedef {{people: number, talks: number, memories: number, private: number, version: string}} FileContent  numbers of what is in a file, and of the conversations left out */

/** Opens the sheet. @param {FileContent} content */
export function showAbout({ people, talks, memories, private: hidden, version }) {
  const there = [
    fill(gettext("Map and people: %(people)s of them, with every step they take"), { people }),
    fill(gettext("What they say to each other: %(talks)s conversations"), { talks }),
    fill(gettext("Their minds: %(memories)s memories, plans, and what they are like"), { memories }),
  ];
  const missing = [
    gettext("Interviews"),
    hidden ? fill(gettext("Conversations with users, and memories of them: %(count)s left out"), { count: hidden }) : gettext("Conversations with users, and memories of them"),
    gettext("Models and keys, calls and their cost, folders of the machine it was made on"),
  ];
  const close = element("button", { class: "close", "aria-label": gettext("Close"), autofocus: true }, "×");
  const sheet = element(
    "dialog",
    { class: "keys about-file", "aria-label": gettext("About this file") },
    element("form", { method: "dialog" }, close),
    element("h2", {}, gettext("About this file")),
    element("p", {}, gettext("A town of generative agents, recorded. The file needs no network and loads nothing: you can keep it, send it, or put it on a web page.")),
    element("h3", {}, gettext("In it")),
    element("ul", {}, ...there.map((line) => element("li", {}, line))),
    element("h3", {}, gettext("Not in it")),
    element("ul", {}, ...missing.map((line) => element("li", {}, line))),
    element("p", { class: "soft" }, fill(gettext("Made with The Ville %(version)s."), { version })),
  );
  sheet.addEventListener("close", () => sheet.remove());
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
  document.body.append(sheet);
  sheet.showModal();
}
