/** What was found in an older project, how far it has been brought, and whether it works here: parts of a page. */

import { element, headingRow } from "../dom.js";
import { sizeText } from "../keeping/size_text.js";
import { fill, gettext, language, ngettext } from "../translation.js";

/**
 * @typedef {{kind: string, from: string, to: string, maze: string, histories: number, size: number, there: boolean}} Thing
 *   something that is brought, or is here already; sizes are bytes
 * @typedef {{deed: "bring"|"check", kind: string, name: string, number: number, of: number}} Deed  what is done now
 * @typedef {{name: string, kind: string, checks: Array<{of: string, said: string, fault: boolean}>}} Proof
 * @typedef {{folder: string, things: Thing[], settings: string[], kept: string[], left: Array<{text: string, lost: boolean}>,
 *   wrong: string[], size: number, does: Partial<Deed>, notes: string[], proofs: Proof[], added: string[], faults: string[],
 *   done: boolean}} Report  as `ville migrate` writes it
 */

/** @type {Record<string, string>} */
const KINDS = {
  simulation: gettext("town"),
  replay: gettext("recording"),
  map: gettext("map"),
  history: gettext("past"),
  pools: gettext("habits"),
};
/** @type {Record<string, string>} */
const CHECKS = {
  opens: gettext("goes on"),
  "in walls": gettext("in walls"),
  interview: gettext("answers questions"),
  "compressed again": gettext("as its recording"),
  replay: gettext("plays"),
};
/** @type {Record<string, string>} */
const SAID = { yes: gettext("yes"), no: gettext("no"), answers: gettext("yes"), opens: gettext("yes"), "no one": gettext("nobody"), someone: gettext("somebody"), "no steps": gettext("no steps yet") };
const SAME = /^same, ([\d,]+) steps?$/;

/** Whether there is something to bring. @param {Report} report */
export const bringsSomething = ({ things, settings }) => things.some((thing) => !thing.there) || settings.length > 0;

/** What is done now, in a few words. @param {Report} report */
export function progressText({ does, done }) {
  if (done || !does.deed) return gettext("Looking into the folder …");
  const values = { kind: KINDS[does.kind] ?? does.kind, name: does.name, number: does.number, of: does.of };
  const text = does.deed === "bring" ? gettext("Copying %(number)s of %(of)s: the %(kind)s “%(name)s” …") : gettext("Checking %(number)s of %(of)s: the %(kind)s “%(name)s” …");
  return fill(text, values);
}

/** The plan. @param {Report} report  @returns {HTMLElement[]} */
export function planParts(report) {
  const found = element("p", { class: "hint" }, gettext("Found in"), " ", element("code", {}, report.folder));
  const rows = report.things.map(thingRow);
  const heads = ["", gettext("In the old project"), gettext("Here"), gettext("Size")];
  const table = element("table", {}, element("thead", {}, headingRow(heads)), element("tbody", {}, ...rows));
  const box = element("div", { class: "wide-table", role: "region", tabindex: "0", "aria-label": gettext("What is brought") }, table);
  return [found, ...(rows.length ? [box] : []), ...leftParts(report)];
}

/** @param {Thing} thing */
function thingRow({ kind, from, to, maze, histories, size, there }) {
  const more = [
    there ? element("small", {}, gettext("is here already")) : null,
    maze ? element("small", {}, KINDS.map, " ", named(maze)) : null,
    histories ? element("small", {}, fill(ngettext("with %(count)s past", "with %(count)s pasts", histories), { count: histories })) : null,
  ];
  const here = element("td", {}, element("b", {}, kind === "pools" ? gettext("added to yours") : named(to)), ...more);
  return element("tr", { class: there ? "there" : null }, element("th", { scope: "row" }, KINDS[kind] ?? kind), element("td", {}, named(from)), here, element("td", { class: "size" }, there ? "" : sizeText(size)));
}

/** A name, which is in no language. @param {string} name */
const named = (name) => element("span", { lang: "" }, name);

/** What stays in the old project, and why: mostly in English, as the engine says it. @param {Report} report */
function leftParts({ left, wrong, kept }) {
  const lines = [...left.map(({ text, lost }) => ({ text, lost })), ...wrong.map((text) => ({ text, lost: true }))];
  const listed = lines.map(({ text, lost }) => element("li", { class: lost ? "fault" : null, lang: "en" }, text));
  const stay = kept.length ? [element("p", { class: "soft" }, gettext("Settings that are set here already, and stay:"), " ", element("code", {}, kept.join(", ")))] : [];
  return [...(listed.length ? [element("h3", {}, gettext("Not brought")), element("ul", { class: "lines" }, ...listed)] : []), ...stay];
}

/** The proof. @param {Report} report  @returns {HTMLElement[]} */
export function proofParts({ proofs, notes, added, faults }) {
  const columns = Object.keys(CHECKS);
  const rows = proofs.map(({ name, kind, checks }) => {
    const cells = columns.map((column) => checkCell(checks.find((check) => check.of === column)));
    return element("tr", {}, element("th", { scope: "row" }, named(name), " ", element("small", {}, KINDS[kind] ?? kind)), ...cells);
  });
  const table = element("table", {}, element("thead", {}, headingRow(["", ...Object.values(CHECKS)])), element("tbody", {}, ...rows));
  const box = element("div", { class: "wide-table", role: "region", tabindex: "0", "aria-label": gettext("What was checked") }, table);
  const list = (/** @type {string[]} */ lines, /** @type {?string} */ kind) => (lines.length ? [element("ul", { class: "lines" }, ...lines.map((line) => element("li", { class: kind, lang: "en" }, line)))] : []);
  const settings = added.length ? [element("p", {}, gettext("Settings that were added:"), " ", element("code", {}, added.join(", ")))] : [];
  return [...(rows.length ? [box] : []), ...settings, ...list(notes, null), ...list(faults, "fault")];
}

/** @param {{said: string, fault: boolean}|undefined} check */
function checkCell(check) {
  if (!check) return element("td", {}, "–");
  const same = SAME.exec(check.said);
  const steps = same ? Number(same[1].replaceAll(",", "")) : 0;
  const said = same ? fill(ngettext("the same, %(count)s step", "the same, %(count)s steps", steps), { count: steps.toLocaleString(language) }) : SAID[check.said];
  return element("td", { class: check.fault ? "fault" : "well", lang: said ? null : "en" }, said ?? check.said);
}
