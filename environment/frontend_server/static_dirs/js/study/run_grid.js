/** The runs of a study as a table: a row for each arm, a column for each seed. */

import { element } from "../dom.js";
import { fill, gettext, language, ngettext } from "../translation.js";
import { dollars, jobText, share } from "./study_words.js";
/** @import { Failure, Job, Study } from "./study_words.js" */

/** @type {Record<string, string>} */
const SIGNS = { waiting: "·", done: "✓", failed: "!" };

/**
 * A table for each base.
 * @typedef {{name: string, colour: string}} Arm
 * @param {Job[]} jobs  @param {{arms: Arm[], seeds: number[]}} page
 */
export function runGrid(jobs, { arms, seeds }) {
  const bases = [...new Set(jobs.filter(({ arm }) => arm).map(({ base }) => base))];
  const shared = { name: "", label: gettext("shared beginning"), colour: "transparent" };
  return bases.map((base) => {
    const own = jobs.filter((job) => job.base === base);
    const rows = [shared, ...arms.map((arm) => ({ ...arm, label: arm.name }))].filter(({ name }) => own.some(({ arm }) => arm === name));
    const heads = seeds.map((seed) => element("th", { scope: "col" }, String(seed)));
    const head = element("tr", {}, element("th", { class: "corner" }, gettext("seed")), ...heads);
    const body = rows.map((arm) => element("tr", {}, armHead(arm), ...seeds.map((seed) => cells(own, arm.name, seed))));
    const caption = element("caption", { class: bases.length > 1 ? null : "unseen" }, bases.length > 1 ? base : gettext("Runs by arm and seed"));
    const table = element("table", { class: "run-grid" }, caption, element("thead", {}, head), element("tbody", {}, ...body));
    return element("div", { class: "wide-table", role: "region", tabindex: "0", "aria-label": gettext("Runs by arm and seed") }, table);
  });
}

/** @param {{label: string, colour: string}} arm */
export function armHead({ label, colour }) {
  return element("th", { scope: "row" }, element("i", { class: "swatch", style: `background: ${colour}`, "aria-hidden": "true" }), label);
}

/**
 * The cell of an arm and seed; a seed may have several shared beginnings.
 * @param {Job[]} jobs  @param {string} arm  @param {number} seed
 */
function cells(jobs, arm, seed) {
  return element("td", {}, ...jobs.filter((job) => job.arm === arm && job.seed === seed).map(cell));
}

/** @param {Job} job */
function cell(job) {
  const { run, state, link, cost } = job;
  const words = jobText(job);
  const sign = SIGNS[state] ?? (state === "stopped" && !share(job) ? SIGNS.waiting : share(job).toLocaleString(language, { style: "percent" }));
  const parts = [element("span", { "aria-hidden": "true" }, sign), cost ? element("small", { "aria-hidden": "true" }, dollars(cost)) : null];
  const common = { class: "run", "data-state": state, "data-key": run, title: words, style: `--share: ${share(job)}` };
  return link ? element("a", { ...common, href: link, "aria-label": words }, ...parts) : element("span", common, ...parts, element("span", { class: "unseen" }, words));
}

/** The names of the first runs, and how many more there are. @param {Failure} failure */
function namesText({ runs, count }) {
  const more = count - runs.length;
  const named = runs.join(", ");
  return more > 0 ? fill(ngettext("%(names)s and %(count)s more run", "%(names)s and %(count)s more runs", more), { names: named, count: more }) : named;
}

/** Why runs have failed or stopped, a line for each reason. @param {Failure[]} found */
export function failures(found) {
  if (!found.length) return [];
  const lines = found.map((failure) => element("li", {}, element("strong", {}, namesText(failure)), " ", failure.fault));
  return [element("h2", { class: "unseen" }, gettext("What went wrong")), element("ul", { class: "failures" }, ...lines)];
}

/**
 * Buttons to the runs of other seeds; nothing if all are shown.
 * @param {Study} study  @param {(page: number) => void} onPage
 */
export function seedPager({ page, pages, seeds }, onPage) {
  if (pages < 2) return [];
  const isThere = (/** @type {number} */ to) => to >= 0 && to < pages;
  const button = (/** @type {string} */ key, /** @type {string} */ text, /** @type {number} */ to) => {
    const made = element("button", { type: "button", class: "button plain", "data-key": key, "aria-disabled": isThere(to) ? null : "true" }, text);
    made.addEventListener("click", () => isThere(to) && onPage(to)); // one that is disabled would lose the focus
    return made;
  };
  const where = fill(gettext("Seeds %(first)s to %(last)s: part %(page)s of %(pages)s"), { first: seeds[0], last: seeds.at(-1), page: page + 1, pages });
  return [element("p", { class: "seed-pager" }, button("earlier", gettext("Earlier seeds"), page - 1), " ", element("span", { role: "status" }, where), " ", button("later", gettext("Later seeds"), page + 1))];
}
