/** Collects what is to be different in a branch: forms that would change a town add to a list instead. */

import { Actor } from "../acting/actor.js";
/** @import { Page } from "../dom.js" */

/** @typedef {{fields: {kind: string, [field: string]: unknown}, text: string}} Draft  an intervention, and its words */

export class DraftActor extends Actor {
  /**
   * @param {Page} page  @param {{secondsPerStep: number, timeOf: (step: number) => string}} time as of Actor
   * @param {{step: number, onChange: () => void}} branch
   */
  constructor(page, time, { step, onChange }) {
    super(page, time);
    this.step = step;
    this.onChange = onChange;
    /** @type {Draft[]} */
    this.rows = []; // what differs
  }

  /** @param {Draft["fields"]} fields  @param {string} text */
  intervene(fields, text = "") {
    this.rows.push({ fields, text });
    this.onChange();
    return Promise.resolve({});
  }

  /** @param {Draft} row */
  remove(row) {
    this.rows.splice(this.rows.indexOf(row), 1);
    this.onChange();
  }

  /** A note for users of other languages is given by the form of the branch. */
  get languageNote() {
    return "";
  }

  /** Of the moment at which the branch begins, only names are known: what is left empty in a form stays as it is. */
  residents() {
    return Promise.resolve(this.page.personas.map(({ name }) => ({ name })));
  }

  /** The engine says whether a bed is free then. */
  async freeBeds() {
    return new Map((await this.places()).beds.map(({ home, beds }) => [home, beds]));
  }

  /** @param {number} minutes */
  stepAfter(minutes) {
    return this.step + this.steps(minutes);
  }
}
