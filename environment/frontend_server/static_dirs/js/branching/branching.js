/** Branching on a page that shows the town: the button and its key, the form, and what runs in the background. */

import { registerKey } from "../keys.js";
import { RULES } from "../acting/powers.js";
import { dateText, timeText } from "../playback/clock.js";
import { fill, gettext, language } from "../translation.js";
import { openBranchForm } from "./branch_form.js";
import { openBranches } from "./branch_list.js";
/** @import { Actor } from "../acting/actor.js" */
/** @import { Viewer } from "../pages/viewer.js" */
/** @import { Clock } from "../playback/clock.js" */

export class Branching {
  /**
   * @param {Viewer} viewer
   * @param {Actor} actor  whose latest status says whether branches can be begun
   * @param {{clock: Clock, secondsPerStep: number, step: () => number, last: () => number, pause: () => void}} run
   *   the step on screen, the one at which the original ends, and what keeps a recording from going on
   * @param {HTMLElement[]} buttons
   */
  constructor(viewer, actor, run, buttons) {
    this.viewer = viewer;
    this.actor = actor;
    this.run = run;
    this.buttons = buttons;
    for (const button of buttons) button.addEventListener("click", () => this.open());
    registerKey("b", gettext("Branch here"), () => this.isOffered && this.open());
    this.update();
  }

  /** Recordings without checkpoints cannot be taken up again. */
  get isOffered() {
    const { status } = this.actor;
    if (this.viewer.page.moments?.length === 0) return false;
    return status?.act === "yes" && status.engine?.state !== "none";
  }

  /** Called whenever the status changes. */
  update() {
    for (const button of this.buttons) button.hidden = !this.isOffered;
  }

  open() {
    const { clock, secondsPerStep, step, last, pause } = this.run;
    pause();
    const { page } = this.viewer;
    const here = nearest(step(), page.moments);
    const timeOf = (/** @type {number} */ at) => timeText(clock.at(at));
    const text = fill(gettext("%(date)s, %(time)s, step %(step)s"), {
      date: dateText(clock.at(here), language, { short: true }),
      time: timeOf(here),
      step: here.toLocaleString(language),
    });
    const moment = { step: here, last: last(), secondsPerStep, timeOf, text };
    openBranchForm(page, moment, {
      people: page.personas.filter(({ name, visitor }) => !visitor && this.viewer.frame?.[name]),
      chosen: this.viewer.chosen,
      models: this.actor.status.engine?.models ?? RULES,
      onBegun: () => openBranches({ mayAct: () => true, models: () => this.actor.status.engine?.models ?? "" }),
      onFault: (error) => this.viewer.notice(error.message),
    });
  }
}

/**
 * The moment at which a recording can be taken up that is nearest to a step; without a list, any step is one.
 * @param {number} step  @param {number[]} moments
 */
function nearest(step, moments = []) {
  return moments.reduce((best, each) => (Math.abs(each - step) < Math.abs(best - step) ? each : best), moments[0] ?? step);
}
