/** A comparison in one file: what differs first, how it spread, and what came of it. */

import "./language_choice.js";
import { kindName, summary } from "../compare/comparison_words.js";
import { Report } from "../compare/report.js";
import { element } from "../dom.js";
import { Clock, dateText, timeText } from "../playback/clock.js";
import { fill, gettext, language } from "../translation.js";
import { showReport } from "./report_page.js";
import { unpacked } from "./unpacked.js";
/** @import { Comparison } from "../compare/comparison_words.js" */

const FEW = 5;
const SECTIONS = /** @type {const} */ ([
  ["outcomes", () => gettext("What came of it")],
  ["prompts", () => gettext("Words of the prompts that changed")],
  ["spread", () => gettext("How it spread")],
  ["own", () => gettext("What only one of them has")],
  ["set-up", () => gettext("Set-up")],
  ["cite", () => gettext("To cite and run again")],
]);

async function open() {
  /** @type {Comparison & {start: string, sec_per_step: number}} */
  const found = await unpacked("comparison");
  const clock = new Clock(found.start, found.sec_per_step);
  const whenText = (/** @type {number} */ step) => `${dateText(clock.at(step), language, { short: true })}, ${timeText(clock.at(step))}`;
  const [lead, ...more] = summary(found, whenText);
  const sections = SECTIONS.map(([name, title]) => element("section", { "data-section": name, hidden: true }, element("h2", {}, title()), element("div")));
  showReport(
    `${found.a.name} – ${found.b.name}`,
    element("p", { class: "lead" }, lead, " ", more.join(" ")),
    element("section", { class: "firsts" }, element("h2", {}, gettext("First differences")), ...firsts(found, whenText)),
    ...sections,
    element("p", { class: "soft" }, gettext("Not in it: interviews, conversations with users, words of interventions, models and keys, calls and their cost.")),
  );
  new Report(found, { clock, whenText, goTo: () => {} }).show();
  for (const jump of document.querySelectorAll(".jump")) jump.setAttribute("disabled", ""); // there is no recording to go to
}

/** @param {Comparison} found  @param {(step: number) => string} whenText */
function firsts(found, whenText) {
  const kinds = /** @type {const} */ ([["memory", found.memories], ["decision", found.decisions], ["move", found.moves]]);
  const rows = kinds.flatMap(([kind, list]) =>
    list.slice(0, FEW).map(({ who, step, a, b }) =>
      element(
        "li",
        {},
        element("strong", {}, fill(gettext("%(kind)s: %(who)s"), { kind: kindName(kind), who })),
        " ",
        element("small", {}, whenText(step)),
        ...[["A", a], ["B", b]].filter(([, text]) => text).map(([side, text]) => element("p", {}, element("b", { class: "badge", "data-side": side }, side), " ", text)),
      ),
    ),
  );
  return rows.length ? [element("ul", { class: "records" }, ...rows)] : [element("p", { class: "soft" }, gettext("Nothing differs."))];
}

open();
