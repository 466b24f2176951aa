/** The frame of a shared file that is read: a comparison, or a study. */

import { element } from "../dom.js";
import { gettext } from "../translation.js";

/** @param {string} title  @param {...Node} content */
export function showReport(title, ...content) {
  document.body.className = "shared report-page";
  const brand = element("header", { class: "masthead" }, element("span", { class: "brand" }, gettext("The Ville")));
  document.body.prepend(brand, element("main", { class: "report" }, element("h1", {}, title), ...content));
  document.documentElement.dataset.ready = "true";
}
