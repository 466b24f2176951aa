/** The card of a person in a shared file: what they do and say, have in mind, planned and remember, as of a step. */

import { element, setText } from "../dom.js";
import { doingElement, showDoing } from "../doings.js";
import { evidenceOf, isTrivial, linesOf } from "../mind/trivia.js";
import { capitalize, describe } from "../panel/descriptions.js";
import { LiveDialogue, makeLine } from "../panel/live_dialogue.js";
import { portraitImage } from "../panel/people_list.js";
import { DAY, dateText, momentOf, timeText } from "../playback/clock.js";
import { fillRecorded, recorded, recordedElement } from "../recorded.js";
import { fill, gettext, language, ngettext } from "../translation.js";
/** @import { Persona } from "../dom.js" */
/** @import { MemoryNode } from "../mind/trivia.js" */
/** @import { Clock } from "../playback/clock.js" */
/** @import { Frame } from "../playback/frames.js" */
/** @import { Talk } from "../playback/talks.js" */
/** @import { ToldRun } from "./told_run.js" */

const SHOWN = 60; // memories at a time
const MINUTE = 60_000;

export class MindCard {
  /** @param {HTMLElement} box  @param {ToldRun} told  @param {{clock: Clock, onClose: () => void}} run */
  constructor(box, told, { clock, onClose }) {
    this.box = box;
    this.told = told;
    this.clock = clock;
    this.onClose = onClose;
    /** @type {?Persona} */
    this.persona = null;
    this.written = ""; // what the lists show
    this.most = SHOWN;
  }

  /** @param {?string} name */
  choose(name) {
    this.persona = this.told.personas.find((persona) => persona.name === name) ?? null;
    this.box.hidden = !this.persona;
    this.written = "";
    this.most = SHOWN;
    if (this.persona) this.#build(this.persona);
  }

  /** @param {Persona} persona */
  #build(persona) {
    const close = element("button", { type: "button", class: "close", "aria-label": gettext("Stop following") }, "×");
    close.addEventListener("click", this.onClose);
    this.doing = element("p", { class: "doing" });
    this.task = element("p", { class: "task" });
    this.where = element("p", { class: "where" });
    this.emoji = element("span", { class: "emoji", "aria-hidden": "true" });
    this.dialogue = new LiveDialogue();
    this.mind = element("div", { class: "shared-mind", hidden: Boolean(persona.visitor) });
    const title = element("h2", {}, persona.name, " ", this.emoji);
    const head = element("div", { class: "head" }, portraitImage(persona, ""), element("div", {}, title, this.doing));
    this.box.replaceChildren(close, head, this.task, this.where, this.dialogue.box, this.mind);
    if (!persona.visitor) this.#buildMind(persona.name);
  }

  /** @param {string} name */
  #buildMind(name) {
    this.currently = recordedElement("p", {});
    this.plan = element("ol", { class: "shared-plan" });
    this.planned = section(gettext("Plan of the day"), this.plan);
    this.currentlyBox = section(gettext("On their mind"), this.currently);
    this.field = element("input", { type: "search", "aria-label": gettext("Search the memories"), placeholder: gettext("Search the memories") });
    this.all = element("input", { type: "checkbox" });
    this.count = element("small", { role: "status" });
    this.list = element("ol", { class: "shared-memories" });
    this.more = element("button", { type: "button", class: "button plain" }, gettext("Show more"));
    const tools = element("div", { class: "shared-tools" }, this.field, element("label", {}, this.all, " ", gettext("Trivial ones, too")));
    const memories = element("section", {}, element("h3", {}, gettext("Memories"), " ", this.count), tools, this.list, this.more);
    this.mind.replaceChildren(aboutBox(this.told.traits(name)), this.currentlyBox, this.planned, memories);
    const again = () => {
      this.most = SHOWN;
      this.written = "";
    };
    this.field.addEventListener("input", again);
    this.all.addEventListener("change", again);
    this.more.addEventListener("click", () => {
      this.most += SHOWN;
      this.written = "";
    });
  }

  /** @param {Frame} frame  @param {number} step  @param {Talk[]} talks of the frame */
  update(frame, step, talks) {
    if (!this.persona) return;
    const { name } = this.persona;
    const record = frame[name];
    const words = describe(record);
    const unknown = record ? gettext("In a private conversation, which is not shared") : gettext("Not in town at this time.");
    setText(this.emoji, record?.pronunciatio ?? "");
    if (words.doing) showDoing(this.doing, words.doing);
    else setText(recorded(this.doing, false), unknown);
    if (this.task.dataset.task !== words.task) {
      this.task.dataset.task = words.task;
      this.task.replaceChildren(...(words.task ? fillRecorded(gettext("Part of: %(task)s"), { task: doingElement("span", {}, words.task) }) : []));
    }
    setText(this.where, words.where);
    recorded(this.where, words.isPlace);
    this.dialogue.show(name, talks.find(({ names }) => names.includes(name)) ?? null);
    if (!this.persona.visitor) this.#updateMind(name, step);
  }

  /** @param {string} name  @param {number} step */
  #updateMind(name, step) {
    const state = this.told.state(name, step);
    const minute = Math.floor((this.clock.at(step) % DAY) / MINUTE);
    const now = state?.plan.findIndex((_, place) => state.plan.slice(0, place + 1).reduce((sum, [, minutes]) => sum + minutes, 0) > minute) ?? -1;
    const wanted = JSON.stringify([this.told.countMemories(name, step), state?.currently, now]);
    if (wanted === this.written) return;
    this.written = wanted;
    this.currentlyBox.hidden = !state?.currently;
    setText(this.currently, state?.currently ?? "");
    this.planned.hidden = !state?.plan.length;
    this.plan.replaceChildren(...planRows(state?.plan ?? [], now));
    this.#listMemories(this.told.memories(name, step));
  }

  /** @param {MemoryNode[]} nodes newest first */
  #listMemories(nodes) {
    const words = this.field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const texts = (/** @type {MemoryNode} */ node) => [node.description, ...linesOf(node).flat()].join(" ").toLowerCase();
    const found = nodes.filter((node) => (words.length ? words.every((word) => texts(node).includes(word)) : this.all.checked || !isTrivial(node)));
    const open = new Set([...this.list.querySelectorAll("details[open]")].map(({ dataset }) => dataset.memory));
    const byId = new Map(nodes.map((node) => [node.id, node]));
    setText(this.count, fill(ngettext("%(count)s memory", "%(count)s memories", found.length), { count: found.length }));
    this.list.replaceChildren(...found.slice(0, this.most).map((node) => memoryRow(node, this.persona.name, byId)));
    for (const details of this.list.querySelectorAll("details")) details.open = open.has(details.dataset.memory);
    this.more.hidden = found.length <= this.most;
  }
}

/** @param {string} title  @param {...Node} content */
function section(title, ...content) {
  return element("section", {}, element("h3", {}, title), ...content);
}

/** @param {Record<string, string|number>} traits */
function aboutBox(traits) {
  const { age, innate, learned, lifestyle } = traits;
  const line = [age ? fill(gettext("%(age)s years old"), { age }) : "", innate].filter(Boolean).join(" · ");
  const texts = [learned, lifestyle].filter(Boolean).map((text) => recordedElement("p", {}, String(text)));
  const box = element("details", { class: "shared-about" }, element("summary", {}, gettext("Who this is")), element("p", { class: "soft" }, line), ...texts);
  box.hidden = !line && !texts.length;
  return box;
}

/** @param {Array<[string, number]>} plan  @param {number} now  number of the row that is due */
function planRows(plan, now) {
  let minutes = 0;
  return plan.map(([what, lasts], number) => {
    const time = timeText(minutes * MINUTE);
    minutes += lasts;
    return element("li", { "aria-current": number === now && "true" }, element("time", {}, time), " ", doingElement("span", {}, capitalize(what)));
  });
}

/** @param {MemoryNode} node  @param {string} owner  @param {Map<string, MemoryNode>} byId */
function memoryRow(node, owner, byId) {
  const moment = momentOf(node.created);
  const kinds = { event: gettext("Event"), thought: gettext("Thought"), chat: gettext("Conversation") };
  const title = fill(gettext("poignancy %(weight)s"), { weight: node.poignancy });
  const facts = element("small", { title }, element("time", { datetime: node.created }, `${dateText(moment, language, { short: true })}, ${timeText(moment)}`), ` · ${kinds[node.type]}`);
  return element("li", { class: node.type }, facts, recordedElement("p", {}, node.description), detailsOf(node, owner, byId));
}

/** @param {MemoryNode} node  @param {string} owner  @param {Map<string, MemoryNode>} byId */
function detailsOf(node, owner, byId) {
  const lines = linesOf(node);
  const evidence = evidenceOf(node).map((id) => byId.get(id)).filter(Boolean);
  if (!lines.length && !evidence.length) return null;
  const label = lines.length ? gettext("What was said") : `${node.type === "thought" ? gettext("Based on") : gettext("Part of")} (${evidence.length})`;
  const content = lines.length
    ? element("ol", { class: "lines" }, ...lines.map((line) => makeLine(line, owner)))
    : element("ul", {}, ...evidence.map(({ description }) => recordedElement("li", {}, description)));
  return element("details", { "data-memory": node.id }, element("summary", {}, label), content);
}
