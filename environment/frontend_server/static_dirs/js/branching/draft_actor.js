/** Collects what is to be different in a branch: forms that would change a town add to a list instead. */

import { Actor } from "../acting/actor.js";

export class DraftActor extends Actor {
  /** @param {Object} page  @param {Object} time as of Actor  @param {{step: number, onChange: function()}} branch */
  constructor(page, time, { step, onChange }) {
    super(page, time);
    this.step = step;
    this.onChange = onChange;
    this.rows = []; // what differs: {fields, text}
  }

  intervene(fields, text = "") {
    this.rows.push({ fields, text });
    this.onChange();
    return Promise.resolve({});
  }

  remove(row) {
    this.rows.splice(this.rows.indexOf(row), 1);
    this.onChange();
  }

  /** A note for users of other languages is given by the form of the branch. */
  get languageNote() {
    return "";
  }

  stepAfter(minutes) {
    return this.step + this.steps(minutes);
  }
}
