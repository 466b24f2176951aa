/** The form of the page "Model": which provider, and what it needs. The key is sent once, and forgotten. */

import { element, setText } from "../dom.js";
import { Refused, post } from "../server.js";
import { gettext } from "../translation.js";
import { keyText } from "./model_report.js";
/** @import { Report } from "./model_report.js" */

/** @typedef {"model_file"|"base_url"|"fast_model"|"advanced_model"} Field */

/** @type {Field[]} */
const FIELDS = ["model_file", "base_url", "fast_model", "advanced_model"];
/** @type {Record<string, string>} */
const ADDRESSES = {
  ollama: "http://localhost:11434/v1",
  llamacpp: "http://localhost:8080/v1",
  lmstudio: "http://localhost:1234/v1",
  vllm: "http://localhost:8000/v1",
  azure: "https://NAME.openai.azure.com",
  compatible: "http://localhost:9000/v1",
};
const ADDRESS_NEEDED = ["azure", "compatible"];
const MODEL_NEEDED = ["ollama", "llamacpp", "lmstudio", "vllm", "azure", "compatible"];

const part = (/** @type {string} */ name) => document.querySelector(`[data-part="${name}"]`);

/**
 * @typedef {HTMLFormControlsCollection & Record<Field|"key", HTMLInputElement>} ChoiceFields
 */

export class ChoiceForm {
  /** @param {() => Promise<void>} onSaved */
  constructor(onSaved) {
    this.form = /** @type {HTMLFormElement} */ (part("choice"));
    this.fields = /** @type {ChoiceFields} */ (this.form.elements);
    this.onSaved = onSaved;
    /** @type {?Report} */
    this.report = null;
    this.changed = false; // by the user, since the page was opened
    this.form.addEventListener("input", () => {
      this.changed = true;
      setText(part("saved"), "");
    });
    this.form.addEventListener("change", (event) => /** @type {HTMLInputElement} */ (event.target).name === "provider" && this.#turnTo());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save();
    });
    part("remove-key").addEventListener("click", () => this.#removeKey());
    this.#show();
  }

  get provider() {
    return new FormData(this.form).get("provider").toString();
  }

  /** Shows what is set; what the user has typed since stays. @param {Report} report */
  tell(report) {
    if (!this.report && !this.changed) this.#fill(report.form);
    this.report = report;
    this.#show();
  }

  /** Fills the form for a server that was found. @param {string} provider  @param {string} model */
  offer(provider, model) {
    this.#fill({ provider, fast_model: model });
    this.#show();
    this.fields.fast_model.focus();
    setText(part("saved"), gettext("Not saved yet."));
  }

  /** @param {Record<string, string>} values */
  #fill(values) {
    const chosen = /** @type {?HTMLInputElement} */ (this.form.querySelector(`[name=provider][value="${CSS.escape(values.provider)}"]`));
    if (chosen) chosen.checked = true;
    for (const name of FIELDS) this.fields[name].value = values[name] ?? "";
  }

  /** Another provider has other models, and another address. */
  #turnTo() {
    const { form } = this.report ?? {};
    this.#fill(form?.provider === this.provider ? form : { provider: this.provider });
    this.fields.key.value = "";
    this.#show();
  }

  #show() {
    const { provider } = this;
    for (const each of this.form.querySelectorAll("[data-for]")) each.hidden = !each.dataset.for.split(" ").includes(provider);
    const { base_url: address, fast_model: model, model_file: file } = this.fields;
    address.placeholder = ADDRESSES[provider] ?? "";
    address.required = ADDRESS_NEEDED.includes(provider);
    model.required = MODEL_NEEDED.includes(provider);
    model.placeholder = model.required ? "" : gettext("the default");
    file.required = provider === "gguf";
    const place = this.report?.keys[provider] ?? null;
    setText(part("key-state"), this.report ? keyText(place, provider) : "");
    part("remove-key").hidden = place !== ".env";
    const models = this.report?.servers.find((each) => each.provider === provider)?.models ?? [];
    document.getElementById("models").replaceChildren(...models.map((name) => element("option", { value: name })));
  }

  async #save() {
    const wrong = FIELDS.map((name) => this.fields[name]).find((field) => !field.closest("[data-for]").hidden && !field.checkValidity());
    if (wrong) {
      wrong.reportValidity();
      return;
    }
    const shown = FIELDS.filter((name) => !this.fields[name].closest("[data-for]").hidden);
    const values = Object.fromEntries(shown.map((name) => [name, this.fields[name].value]));
    const { provider } = this;
    const key = this.fields.key.closest("[data-for]").hidden ? "" : this.fields.key.value;
    await this.#send("/model_choice/", { provider, ...values, key }, gettext("Saved."));
  }

  async #removeKey() {
    if (await this.#send("/model_key/", { provider: this.provider }, gettext("The key is removed."))) this.fields.key.focus();
  }

  /** @param {string} address  @param {object} body  @param {string} done  @returns {Promise<boolean>} whether it succeeded */
  async #send(address, body, done) {
    this.#complain("");
    setText(part("saved"), "");
    try {
      await post(address, body);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#complain(error instanceof Refused ? error.message : gettext("The server does not answer."));
      return false;
    }
    this.fields.key.value = "";
    setText(part("saved"), done);
    await this.onSaved();
    return true;
  }

  /** @param {string} text */
  #complain(text) {
    setText(part("choice-error"), text);
    part("choice-error").hidden = !text;
  }
}
