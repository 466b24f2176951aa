/** Sees to it that a visitor is moved from one tab only: a second one waits until it is told to take over. */

const PATIENCE = 400; // milliseconds for another tab to answer

export class VisitTabs {
  /** @param {string} simulation  @param {() => void} onLost  called when another tab takes over */
  constructor(simulation, onLost) {
    this.tab = `${Math.random()}`;
    this.mine = null; // name of the visitor that this tab moves
    this.channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(`ville visit ${simulation}`) : null;
    this.onLost = onLost;
    this.waiting = new Map(); // by name of a visitor
    this.channel?.addEventListener("message", ({ data }) => this.#hear(data));
  }

  /** Whether another tab moves a visitor. @param {string} name  @returns {Promise<boolean>} */
  isTaken(name) {
    if (!this.channel) return Promise.resolve(false);
    return new Promise((done) => {
      this.waiting.set(name, () => done(true));
      this.#tell("here?", name);
      setTimeout(() => done(false), PATIENCE);
    }).finally(() => this.waiting.delete(name));
  }

  /** Moves a visitor from this tab; other tabs let go of it. @param {string} name */
  take(name) {
    this.mine = name;
    this.#tell("taken", name);
  }

  release() {
    this.mine = null;
  }

  /** @param {string} what  @param {string} name */
  #tell(what, name) {
    this.channel?.postMessage({ what, name, tab: this.tab });
  }

  /** @param {{what: string, name: string, tab: string}} message */
  #hear({ what, name, tab }) {
    if (tab === this.tab) return;
    if (what === "here?" && name === this.mine) this.#tell("here", name);
    if (what === "here") this.waiting.get(name)?.();
    if (what === "taken" && name === this.mine) {
      this.mine = null;
      this.onLost();
    }
  }
}
