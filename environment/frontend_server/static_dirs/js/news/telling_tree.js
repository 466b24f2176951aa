/** The forest of tellings: who has it from whom, as nested lists. */

import { element } from "../dom.js";
import { recordedElement } from "../recorded.js";
import { gettext } from "../translation.js";
import { agreement, howText } from "./news_words.js";
/** @import { Knower, News, NewsView } from "./news_words.js" */

/** @param {News} news  @param {NewsView} view  @returns {HTMLElement} */
export function tellingTree({ knowers, parents }, view) {
  /** @type {Map<string, Knower[]>} */
  const children = new Map();
  for (const knower of knowers) {
    const above = parents[knower.who] ?? "";
    children.set(above, [...(children.get(above) ?? []), knower]);
  }
  return branch(children, "", view);
}

/** @param {Map<string, Knower[]>} children  @param {string} above  @param {NewsView} view  @returns {HTMLElement} */
function branch(children, above, view) {
  const items = (children.get(above) ?? []).map((knower) =>
    element("li", {}, leaf(knower, view), children.has(knower.who) ? branch(children, knower.who, view) : null),
  );
  return element("ul", { class: above ? "" : "telling-tree" }, ...items);
}

/** @param {Knower} knower  @param {NewsView} view */
function leaf(knower, view) {
  const { who, step, words, memory, thought, became } = knower;
  const links = [
    element("a", { href: view.watch(step, who) }, gettext("Watch the moment")),
    element("a", { href: view.mind(step, who) }, gettext("Memories")),
  ];
  return element(
    "div",
    { class: "leaf", "data-how": knower.how, id: `knower-${memory}-${who.replaceAll(" ", "_")}` },
    view.face(who),
    element(
      "div",
      {},
      element("p", {}, element("strong", {}, who), " ", element("small", {}, `${view.timeText(step)} · ${howText(knower)}`)),
      words ? recordedElement("blockquote", {}, words) : null,
      thought ? element("p", { class: "became", title: became }, element("small", {}, gettext("Remembered as:")), " ", recordedElement("span", {}, thought)) : null,
      ...knower.commitments.map((text) => element("p", { class: "became" }, element("small", {}, gettext("Agreed on:")), " ", recordedElement("span", {}, agreement(text)[0]), agreement(text)[1])),
      element("p", { class: "links" }, ...links),
    ),
  );
}
