/** Branches as a tree: what came from what, how far each has come, and where to watch and compare them. */

import { askEngine } from "../acting/engine.js";
import { openDialog, openForm } from "../acting/forms/form_dialog.js";
import { element, setText } from "../dom.js";
import { dateText, momentOf, timeText } from "../playback/clock.js";
import { costNote } from "../running/run_words.js";
import { errorText, get, sleep } from "../server.js";
import { fill, gettext, language } from "../translation.js";
import { canRunOn, counterpart, forest, isOver, nodesOf } from "./branch_tree.js";
import { dismiss, isDismissed } from "./dismissed.js";
/** @import { EngineRequest } from "../acting/engine.js" */
/** @import { Branch, BranchNode } from "./branch_tree.js" */

const INTERVAL = 1000; // milliseconds, while something runs in the background
const IDLE_INTERVAL = 5000;

export class BranchList {
  /**
   * @param {HTMLElement} box
   * @param {{mayAct: () => boolean, models: () => string, onShow?: (count: number) => void}} options  `mayAct`: whether
   *   branches can be stopped; `models`: what would answer now; `onShow` gets the number of trees
   */
  constructor(box, { mayAct, models, onShow = () => {} }) {
    this.box = box;
    this.mayAct = mayAct;
    this.models = models;
    this.onShow = onShow;
    this.key = "";
    /** @type {[BranchNode[], Branch[]]} */
    this.shown = [[], []];
    this.fault = element("p", { class: "fault", role: "alert" });
    this.list = element("ul", { class: "branches" });
    box.replaceChildren(this.fault, this.list);
  }

  /** Follows the branches for as long as the list is on the page. */
  async follow() {
    for (let going = false; this.box.isConnected; await sleep(going ? INTERVAL : IDLE_INTERVAL)) {
      if (document.hidden) continue;
      try {
        const [{ simulations }, { branches }] = await Promise.all([get("/tree/"), get("/branches/")]);
        this.show(nodesOf(simulations), branches);
        going = branches.some((/** @type {Branch} */ branch) => !isOver(branch));
        setText(this.fault, "");
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        setText(this.fault, errorText(error));
      }
    }
  }

  /**
   * @param {BranchNode[]} nodes  everything that is saved
   * @param {Branch[]} everything  what runs, or ran, in the background
   */
  show(nodes, everything) {
    this.shown = [nodes, everything];
    const branches = everything.filter((branch) => !isDismissed(branch));
    const key = JSON.stringify([nodes, branches, this.mayAct()]);
    if (key === this.key) return;
    this.key = key;
    const held = document.activeElement?.closest("[data-branch]")?.dataset.branch;
    this.nodes = nodes;
    const trees = forest(nodes, branches);
    this.list.replaceChildren(...trees.map((node) => this.#item(node)));
    this.onShow(trees.length);
    if (held) this.list.querySelector(`[data-branch="${CSS.escape(held)}"] :is(a, button)`)?.focus();
  }

  /** @param {BranchNode} node  @returns {HTMLLIElement} */
  #item(node) {
    const { name, title, progress, branches } = node;
    const facts = [beginText(node), progress && stateText(progress, node)];
    const item = element(
      "li",
      { "data-branch": name },
      element("p", { class: "title" }, element("strong", {}, title || name), " ", title && title !== name ? element("small", {}, name) : ""),
      element("p", { class: "soft" }, facts.filter(Boolean).join(" · ")),
      ...(progress && ["recomputing", "running"].includes(progress.state) ? [progressBar(progress)] : []),
      this.#actions(node),
    );
    if (branches.length) item.append(element("ul", { class: "branches" }, ...branches.map((branch) => this.#item(branch))));
    return item;
  }

  /** @param {BranchNode} node */
  #actions(node) {
    const { name, origin, step, steps } = node;
    const code = encodeURIComponent(name);
    const watch = steps > (step ?? 0) ? [element("a", { href: `/replay/${code}/${step ?? 0}/` }, gettext("Watch"))] : [];
    const other = counterpart(node, this.nodes);
    const words = other === origin ? gettext("Compare with the original") : gettext("Compare with the untouched branch");
    const compare = other ? [element("a", { href: `/compare/${encodeURIComponent(other)}/${code}/` }, words)] : [];
    const requests = this.mayAct() ? this.#requests(node) : [];
    return element("p", { class: "actions" }, ...watch, ...compare, ...requests, ...this.#dismissal(node));
  }

  /** @param {BranchNode} node */
  #dismissal({ progress }) {
    if (progress?.state !== "failed") return [];
    const button = element("button", { type: "button", class: "link" }, gettext("Dismiss"));
    button.addEventListener("click", () => {
      dismiss(progress);
      this.show(...this.shown);
    });
    return [button];
  }

  /** Buttons of what can be asked for now. @param {BranchNode} node */
  #requests(node) {
    const { name, progress } = node;
    if (progress && !isOver(progress)) return [this.#button(gettext("Stop"), { request: "stop_branch", name })];
    if (!canRunOn(node)) return [];
    const request = { request: "branch", from: name, name, until: progress.until_step };
    return [this.#button(gettext("Run on"), request, () => costNote(this.models()))];
  }

  /** @param {string} text  @param {EngineRequest} request  @param {() => string} warning  shown first, to be agreed to */
  #button(text, request, warning = () => "") {
    const button = element("button", { type: "button", class: "link" }, text);
    button.addEventListener("click", async () => {
      const note = warning();
      if (note) return openForm({ title: text, note, action: text, fields: [] }, () => askEngine(request));
      button.setAttribute("aria-busy", "true");
      try {
        await askEngine(request);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        setText(this.fault, error.message);
      }
      button.removeAttribute("aria-busy");
    });
    return button;
  }
}

/** Opens the branches in a dialog. @param {{mayAct: () => boolean, models: () => string}} options */
export function openBranches(options) {
  const box = element("div", {});
  const note = gettext("They run in the background, also when this page is closed.");
  const dialog = openDialog({ title: gettext("Branches"), note, className: "form roomy" }, box);
  new BranchList(box, options).follow();
  return dialog;
}

/** `from Feb 13, 12:30, step 4,500 · seed 7`; empty for a root. @param {BranchNode} node */
function beginText({ origin, step, moment, seed }) {
  if (!origin) return "";
  const date = moment ? `${dateText(momentOf(moment), language, { short: true })}, ${timeText(momentOf(moment))}` : "";
  const words = { date, step: step.toLocaleString(language) };
  const from = fill(moment ? gettext("from %(date)s, step %(step)s") : gettext("from step %(step)s"), words);
  return seed === null ? from : `${from} · ${fill(gettext("seed %(seed)s"), { seed })}`;
}

/** @param {Branch} progress */
function progressBar({ first_step: first, step, until_step: last }) {
  return element("progress", { max: String(Math.max(1, last - first)), value: String(step - first), "aria-label": gettext("Progress") });
}

/** What becomes of a branch, in a few words. @param {Branch} progress  @param {BranchNode} node */
function stateText({ state, step, until_step: last, curr_time: time, cost, fault }, { steps: saved }) {
  const steps = { step: step.toLocaleString(language), last: last.toLocaleString(language) };
  const words = {
    waiting: () => gettext("waiting for a free processor"),
    copying: () => gettext("copying what has happened before …"),
    recomputing: () => fill(gettext("going back there: step %(step)s of %(last)s"), steps),
    running: () => fill(gettext("running: %(time)s, step %(step)s of %(last)s"), { ...steps, time: time.split(", ").at(-1).slice(0, 5) }),
    done: () => gettext("done"),
    stopped: () => (saved ? fill(gettext("stopped at step %(step)s"), steps) : gettext("stopped before it was begun")),
    failed: () => fill(gettext("failed: %(fault)s"), { fault: fault || gettext("the terminal says why") }),
  };
  return [words[state](), costText(cost)].filter(Boolean).join(" · ");
}

/** @param {Branch["cost"]} cost */
function costText(cost) {
  if (!cost) return "";
  const calls = fill(gettext("%(calls)s calls"), { calls: cost.calls.toLocaleString(language) });
  return cost.dollars ? `${calls} · $${cost.dollars.toFixed(2)}` : calls;
}
