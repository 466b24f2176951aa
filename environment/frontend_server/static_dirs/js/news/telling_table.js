/** All conversations in which a fact was told, as a table. */

import { element, headingRow } from "../dom.js";
import { recordedElement } from "../recorded.js";
import { gettext } from "../translation.js";
import { replyText } from "./news_words.js";
/** @import { News, NewsView, Telling } from "./news_words.js" */

/** @param {News} news  @param {NewsView} view */
export function tellingTable({ tellings }, view) {
  const heads = [gettext("When"), gettext("Who told"), gettext("Whom"), gettext("In these words"), gettext("The answer"), gettext("Did the teller know?")];
  return element("table", {}, element("thead", {}, headingRow(heads)), element("tbody", {}, ...tellings.map((telling) => row(telling, view))));
}

/** @param {Telling} telling  @param {NewsView} view */
function row(telling, view) {
  const { step, teller, who, words, answer, is_first: isFirst, is_supported: isSupported } = telling;
  const reply = replyText(telling);
  return element(
    "tr",
    { class: isFirst ? "" : "again" },
    element("td", { class: "when" }, element("a", { href: view.watch(step, who) }, view.timeText(step))),
    element("td", {}, teller),
    element("td", {}, who, isFirst ? null : element("small", {}, ` ${gettext("(knew already)")}`)),
    recordedElement("td", { class: "said" }, words),
    element("td", { class: "said" }, reply ? element("strong", {}, `${reply}: `) : null, recordedElement("span", {}, answer)),
    element("td", {}, isSupported ? gettext("yes") : element("strong", { class: "error" }, gettext("no memory says so"))),
  );
}
