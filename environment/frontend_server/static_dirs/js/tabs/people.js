/** The tab "People": who is in town, where and doing what. */

import { element } from "../dom.js";
import { registerTab } from "../panel/tabs.js";
import { PeopleList } from "../panel/people_list.js";
import { gettext } from "../translation.js";
/** @import { Viewer } from "../pages/viewer.js" */

registerTab({
  name: "people",
  order: 1,
  title: () => gettext("People"),
  key: "p",
  count: ({ frame, page }) => (frame ? Object.keys(frame).length : page.personas.length),
  draw: (box, viewer) => new PeopleTab(box, viewer),
});

export class PeopleTab {
  /** @param {HTMLElement} box  @param {Viewer} viewer */
  constructor(box, viewer) {
    const list = element("ul", { class: "people", "aria-label": gettext("People") });
    box.append(list);
    this.list = new PeopleList(list, viewer.page, {
      onPick: (name) => viewer.pick(name),
      find: (text) => viewer.places.find(text),
      onShow: (object) => viewer.town.showObject(object),
    });
  }

  /** @param {Viewer} viewer */
  show(viewer) {
    if (!viewer.frame) return;
    this.list.update(viewer.frame, {
      talks: viewer.conversing,
      placeOf: (name) => viewer.placeOf(name),
      viewOf: (name) => viewer.town.people.viewOf(name, viewer.town.view),
    });
  }
}
