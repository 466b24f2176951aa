/** A study in one file: its arms, and what was measured, as figures and as a table. */

import "./language_choice.js";
import { measureName } from "../compare/comparison_words.js";
import { element } from "../dom.js";
import { meansNotes, meansTable } from "../study/means_table.js";
import { fill, gettext, language } from "../translation.js";
import { showReport } from "./report_page.js";
import { unpacked } from "./unpacked.js";
/** @import { MeasureNumbers } from "../study/means_table.js" */

/**
 * @typedef {MeasureNumbers & {svg: Record<string, string>}} SharedMeasure  with its figure by language
 * @typedef {{title: string, arms: string[], seeds: number, runs: number, done: number, measures: SharedMeasure[]}} SharedStudy
 */

async function open() {
  /** @type {SharedStudy} */
  const study = await unpacked("study");
  const { title, arms, seeds, runs, done, measures } = study;
  const means = measures.length ? [element("div", { class: "wide-table", role: "region", tabindex: "0", "aria-label": gettext("Means and intervals") }, meansTable(measures)), ...meansNotes(measures)] : [];
  showReport(
    title,
    element("p", { class: "lead" }, fill(gettext("Arms: %(arms)s. Seeds: %(seeds)s. Runs done: %(done)s of %(runs)s."), { arms: arms.join(", "), seeds, done, runs })),
    element("section", {}, element("h2", {}, gettext("Measures")), element("div", { class: "figures" }, ...measures.map(drawing)), ...means),
    element("p", { class: "soft" }, gettext("Not in it: answers of people who were asked, models and keys, calls and their cost.")),
  );
}

/** @param {SharedMeasure} measure */
function drawing({ measure, svg }) {
  const shown = svg[language] ?? svg.en;
  const src = URL.createObjectURL(new Blob([shown], { type: "image/svg+xml" }));
  return element("figure", { class: "measure" }, element("figcaption", {}, element("strong", {}, measureName(measure))), element("img", { src, alt: measureName(measure) }));
}

open();
