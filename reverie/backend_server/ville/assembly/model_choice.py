"""Choose provider, models and embedder from the settings. Nothing is connected here."""

import importlib.util
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import filterfalse
from pathlib import Path
from typing import NoReturn

from ville.errors import BadSetting, MissingKey, MissingPackage
from ville.llm.accounting.prices import FREE, HOW, Prices
from ville.llm.embedders import HashingEmbedder, SentenceEmbedder
from ville.llm.gateway import ChatRequest, Embedder, Tier
from ville.llm.language import language_name
from ville.llm.local.model_file import ModelFile, model_file
from ville.llm.local.server_plan import ServerPlan
from ville.llm.meaning_embedder import MeaningEmbedder, is_installed
from ville.llm.wire.endpoint import Endpoint
from ville.llm.wire.providers import OFFLINE, PROVIDERS, SERVED, Provider, provider_named
from ville.persona.prompt_template.question import is_question
from ville.settings import Secret, Settings
from ville.settings.key_names import key_name
from ville.settings.server_urls import address_error, is_local, masked_url, origin_of, secrets_in

HASHING = "hashing"
LOCAL = "local"
MEANING = "meaning"
NO_PROVIDER = (HASHING, MEANING, LOCAL)
OFFLINE_ANNOUNCEMENT = "No language model is configured: personas follow offline rules instead."


@dataclass(frozen=True)
class ModelChoice:
    """Selects the model of a question: the one set for it or for its kind, else that of its tier."""

    fast: str
    advanced: str
    chosen: Mapping[str, str]
    """Question, or kind of question, to model or tier."""

    def __call__(self, request: ChatRequest) -> str:
        if request.model:
            return request.model
        kind = request.question.partition("/")[0]
        return self._model(self.chosen.get(request.question) or self.chosen.get(kind) or request.tier)

    def _model(self, name: Tier | str) -> str:
        return {"fast": self.fast, "advanced": self.advanced}.get(name, name)

    @property
    def names(self) -> list[str]:
        """Names of all models, the fast one first."""
        return list(dict.fromkeys([self.fast, self.advanced, *map(self._model, self.chosen.values())]))


@dataclass(frozen=True)
class ChatConfig:
    """Endpoint and models for questions."""

    endpoint: Endpoint
    models: ModelChoice


@dataclass(frozen=True)
class EmbeddingConfig:
    """Endpoint and model for embeddings."""

    endpoint: Endpoint
    model: str
    size: int = 0
    """Size of its vectors; 0 if that is known only when it has made one."""

    @property
    def name(self) -> str:
        """Provider and model: the same model makes the same vectors at any address."""
        return f"{self.endpoint.provider.name}:{self.model}"


def chat_config(settings: Settings) -> ChatConfig | None:
    """Return where questions go; None for the offline rules. Raises SetupError."""
    for kind in filterfalse(is_question, settings.models):
        raise BadSetting(f"MODEL_{kind.replace('/', '_').upper()}: there is no question '{kind}'.")
    name = provider_name(settings)
    if name == OFFLINE:
        return None
    provider = provider_named(name)
    if name == SERVED:
        served = _served_model(settings)
        return ChatConfig(_serving(served, embeds=False), ModelChoice(served.name, served.name, {}))
    return ChatConfig(_endpoint(settings, provider, settings.base_url), _models(settings, provider))


def embedding_config(settings: Settings) -> EmbeddingConfig | None:
    """Return where texts are embedded; None for an embedder on this machine. Raises SetupError."""
    chat_provider = provider_name(settings)
    named = _named_embedder(settings, chat_provider)
    classic = settings.openrouter_embedding_model if not (named or settings.embedding_model) else ""
    if classic and chat_provider == "openrouter":
        return EmbeddingConfig(_endpoint(settings, provider_named("openai"), ""), classic)
    name = named or _default_embedder(settings, chat_provider)
    if name in NO_PROVIDER:
        return None
    provider = provider_named(name, "embedder", NO_PROVIDER)
    if name == SERVED:
        served = _file(settings.embedding_file, "embedding_file") or _served_model(settings)
        return EmbeddingConfig(_serving(served, embeds=True), served.name, served.vector_size)
    model = settings.embedding_model or provider.embedding
    if not model:
        raise BadSetting(f"embedder = {name!r} needs a model. Set embedding_model, or set embedder to hashing.")
    base_url = settings.embedding_base_url or (settings.base_url if name == chat_provider else "")
    key = _key_apart(settings, provider, chat_provider) if settings.embedding_base_url else None
    return EmbeddingConfig(_endpoint(settings, provider, base_url, key=key), model)


def local_embedder(settings: Settings) -> Embedder:
    """Return the embedder that runs on this machine. Raises SetupError."""
    kind = local_kind(settings)
    if kind == MEANING:
        return MeaningEmbedder()
    if kind == HASHING:
        return HashingEmbedder()
    if not settings.embedding_model:
        raise BadSetting("embedder = 'local' needs a model. Set embedding_model to its name or folder.")
    return SentenceEmbedder(settings.embedding_model)


def local_embedder_named(settings: Settings, name: str) -> Embedder | None:
    """Return the embedder of this name, which is stored with vectors; None if it does not run on this machine.

    Raises MissingPackage.
    """
    kind, _, model = name.partition(":")
    chosen = LOCAL if kind == LOCAL else keyless_embedder(name) or HASHING
    local = local_embedder(replace(settings, embedder=chosen, embedding_model=model))
    return local if local.name == name else None


def keyless_embedder(name: str) -> str:
    """Return the setting of the embedder that has this name and needs neither a model nor a provider; empty if none
    does.
    """
    return {HashingEmbedder().name: HASHING, MeaningEmbedder.name: MEANING}.get(name, "")


def embedder_name(settings: Settings) -> str:
    """Return the name that is stored with vectors, without loading a model. Raises SetupError."""
    if config := embedding_config(settings):
        return config.name
    names = {LOCAL: f"{LOCAL}:{settings.embedding_model}", MEANING: MeaningEmbedder.name}
    return names.get(local_kind(settings)) or HashingEmbedder().name


def local_kind(settings: Settings) -> str:
    """Return which embedder of this machine is used, where none of a provider is."""
    if settings.embedder in NO_PROVIDER:
        return settings.embedder
    return MEANING if _default_embedder(settings, provider_name(settings)) == MEANING else HASHING


def announcement(settings: Settings) -> str:
    """Return the first line of a run: its models, embedder and language. Raises SetupError."""
    chat = chat_config(settings)
    if chat is None:
        hint = _misspelt_key(settings) if settings.provider != OFFLINE else ""
        english = "The offline rules speak English only." if settings.language else ""
        return " ".join(filter(None, [OFFLINE_ANNOUNCEMENT, english, hint]))
    vectors = embedding_config(settings)
    embedder = f"{vectors.model} at {vectors.endpoint.receiver}" if vectors else _local_title(settings)
    keys = _several_keys(settings) or _keys_of_others(settings, chat, vectors)
    language = f" Language: {language_name(settings.language)}." if settings.language else ""
    models = ", ".join(chat.models.names)
    return f"Language model: {models} at {chat.endpoint.receiver}. Embeddings: {embedder}.{language}{keys}"


def _local_title(settings: Settings) -> str:
    """Return the name of the embedder on this machine, with a hint if a better one would be the default."""
    name = embedder_name(settings)
    hint = "; pip install the-ville[meaning] lets memories be found by meaning, too"
    return name if settings.embedder or name == MeaningEmbedder.name else f"{name}{hint}"


def _several_keys(settings: Settings) -> str:
    """Return a notice if keys of several providers are set and none is named; the first one gets the texts."""
    keyed = [provider.title for name, provider in PROVIDERS.items() if provider.by_key and settings.keys.get(name)]
    if settings.provider or settings.use_openrouter or settings.base_url or not keyed[1:]:
        return ""
    return f" Keys are set for {', '.join(keyed)}. To use another one, set provider."


def _keys_of_others(settings: Settings, chat: ChatConfig, vectors: EmbeddingConfig | None) -> str:
    """Return a notice if a server that only has an address gets no key, and keys of providers are set but not used."""
    unnamed = settings.base_url and chat.endpoint.provider.name == "compatible" and not settings.provider
    used = vectors.endpoint.provider.name if vectors else ""
    others = [name for name in settings.keys if PROVIDERS[name].by_key and name != used]
    if not unnamed or chat.endpoint.key or not others:
        return ""
    whose = " and ".join(f"{key_name(name)} is for {PROVIDERS[name].title}" for name in others)
    return f" No key is sent to it: {whose}. If it needs one, set VILLE_API_KEY beside its address."


def prices_for(endpoint: Endpoint, prices: Prices) -> Prices:
    """Return the price list of an endpoint. A server on this machine or network that needs no key is free."""
    has_key = endpoint.key or secrets_in(endpoint.base_url)
    return prices if has_key or not is_local(endpoint.base_url) else FREE


def chat_name(settings: Settings) -> str:
    """Return provider and models that answer questions, or `offline`. Raises SetupError."""
    chat = chat_config(settings)
    return f"{chat.endpoint.provider.name}:{','.join(chat.models.names)}" if chat else OFFLINE


def check_prices(settings: Settings, swapped: Collection[str] = ()) -> str:
    """Return a warning that names the models whose price is unknown; empty if there are none. `swapped` are those that
    rules of the town give to single personas.

    Raises BadSetting if dollars are limited, because that cannot be enforced then. Raises SetupError.
    """
    unknown = without_price(settings, swapped)
    if not unknown:
        return ""
    problem = f"The price of {' and of '.join(unknown)} is unknown"
    if limit := limit_in_dollars(settings):
        said = f"{problem}, so {limit} cannot be enforced. Unset {limit}, or add the price to {settings.prices}: {HOW}."
        raise BadSetting(said)
    return f"{problem} and not included in the cost. Add it to {settings.prices}: {HOW}."


def without_price(settings: Settings, swapped: Collection[str] = ()) -> list[str]:
    """Return the models whose price is unknown. Raises SetupError."""
    chat, vectors, prices = chat_config(settings), embedding_config(settings), Prices.load(settings.prices)
    models = dict.fromkeys([*chat.models.names, *swapped]) if chat else ()
    used = [(chat.endpoint, model) for model in models if model != OFFLINE] if chat else []
    used += [(vectors.endpoint, vectors.model)] if vectors else []
    return list(dict.fromkeys(model for endpoint, model in used if prices_for(endpoint, prices).of(model) is None))


def check_other_models(settings: Settings, models: Collection[str]) -> None:
    """Raise BadSetting if personas cannot have models of their own: there are only rules, or a limit in dollars cannot
    be enforced. Raises SetupError.
    """
    if models and chat_config(settings) is None:
        refuse_model(min(models))
    check_prices(settings, models)


def refuse_model(model: str) -> NoReturn:
    """Raise BadSetting: a persona cannot have a model where rules answer."""
    raise BadSetting(f"The offline rules answer for everyone, so no persona can have {model}. Set a provider.")


def limit_in_dollars(settings: Settings) -> str:
    """Return the name of a setting that limits dollars, for which every model needs a price; empty if none is set."""
    return next((name for name in ("max_cost", "wallet") if getattr(settings, name) is not None), "")


def provider_name(settings: Settings) -> str:
    """Return the configured provider, else the one that an address or a key is set for."""
    if settings.provider:
        return settings.provider
    if settings.use_openrouter:
        return "openrouter"
    if settings.model_file:
        return SERVED
    if settings.base_url:
        return "compatible"
    return next((name for name in PROVIDERS if PROVIDERS[name].by_key and settings.keys.get(name)), OFFLINE)


def _named_embedder(settings: Settings, chat_provider: str) -> str:
    """Return the embedder that the settings name, by itself, by a file or by an address; empty if none."""
    by_file = SERVED if settings.embedding_file else ""
    return settings.embedder or by_file or _embedder_by_address(settings, chat_provider)


def _default_embedder(settings: Settings, chat_provider: str) -> str:
    """Return the embedder if none is named. The rules reuse words, and are understood by these; models paraphrase."""
    if chat_provider == OFFLINE:
        return HASHING
    if _can_embed(settings, chat_provider):
        return chat_provider
    return MEANING if is_installed() else HASHING


def _embedder_by_address(settings: Settings, chat_provider: str) -> str:
    """Return the embedder of an embedding address: the chat provider if it needs no key, else "compatible", so that no
    other key is sent there. Empty without an address, or with the rules.
    """
    if not settings.embedding_base_url or chat_provider == OFFLINE:
        return ""
    keyless = chat_provider != SERVED and not provider_named(chat_provider).needs_key
    return chat_provider if keyless else "compatible"


def _misspelt_key(settings: Settings, name: str = "") -> str:
    """Return a hint about a variable that looks like a misspelt key: like `name`, or like any."""
    near = {written: right for written, right in settings.misspelt.items() if name in {"", right}}
    return next((f"{written} is not a known setting. Did you mean {right}?" for written, right in near.items()), "")


def _can_embed(settings: Settings, name: str) -> bool:
    """Whether a provider embeds unless another is named. A model that talks makes poor vectors: it has to be named."""
    return name != SERVED and bool(settings.embedding_model or provider_named(name).embedding)


def _served_model(settings: Settings) -> ModelFile:
    """Return the model file that answers. Raises BadSetting."""
    found = _file(settings.model_file, "model_file")
    if found is None:
        raise BadSetting(f"provider = {SERVED!r} needs a model file. Set model_file to a file that ends in .gguf.")
    if not found.talks:
        raise BadSetting(f"model_file: {found.path} has no chat template. Choose a model that was trained for chat.")
    return found


def _file(path: Path | None, setting: str) -> ModelFile | None:
    """Return what a setting names; None if it is not set. Raises BadSetting."""
    return model_file(path, setting) if path else None


def _serving(model: ModelFile, *, embeds: bool) -> Endpoint:
    """Return the server of a model file. Raises MissingPackage."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise MissingPackage(f"provider = {SERVED!r} needs the package xllamacpp. Run pip install the-ville[gguf].")
    provider = provider_named(SERVED)
    return Endpoint(provider, provider.base_url, served=ServerPlan.of(model, embeds=embeds))


def _endpoint(settings: Settings, provider: Provider, base_url: str, *, key: str | None = None) -> Endpoint:
    """Return the server of a provider. `key`: the key for it, if it is not the usual one.

    Raises MissingKey and BadSetting.
    """
    address = base_url or provider.base_url
    if not address:
        raise BadSetting(
            f"provider = {provider.name!r} needs an address. Set base_url (in a utils.py of AGA: openai_api_base), for "
            f"example {provider.example}"
        )
    if wrong := address_error(address):
        raise BadSetting(f"The address of {provider.title} is invalid: {wrong}. Example: base_url = {provider.example}")
    key = _key(settings, provider, base_url) if key is None else key
    if not (key.isascii() and key.isprintable()):
        raise BadSetting(f"The key for {provider.title} contains invalid characters. Copy it again.")
    return Endpoint(provider, address, key, settings.api_version)


def _key(settings: Settings, provider: Provider, base_url: str) -> str:
    """Return the key for an address: the provider's, or the one for a custom address. Raises MissingKey."""
    fitting = _fitting_keys(settings, provider, base_url)
    if not fitting and provider.needs_key:
        name = key_name(provider.name)
        hint = _misspelt_key(settings, name) or f"See {name} in .env.example."
        reason = " The existing one belongs to another address." if any(_keys(settings, provider, base_url)) else ""
        raise MissingKey(f"{provider.title} needs a key.{reason} Set {name} in the environment or in .env. {hint}")
    return fitting[0].reveal() if fitting else ""


def _key_apart(settings: Settings, provider: Provider, chat_provider: str) -> str:
    """Return the key for the address of embeddings: not that of the language model at another server, and none for a
    server on this machine or network that has none. Raises MissingKey.
    """
    address = settings.embedding_base_url
    chat = None if chat_provider == OFFLINE else provider_named(chat_provider)
    elsewhere = chat is not None and origin_of(settings.base_url or chat.base_url) != origin_of(address)
    taken = _fitting_keys(settings, chat, settings.base_url)[:1] if chat and elsewhere else []
    fitting = [key for key in _fitting_keys(settings, provider, address) if key not in taken]
    if fitting or is_local(address):
        return fitting[0].reveal() if fitting else ""
    if not any(_keys(settings, provider, address)):
        return _key(settings, provider, address)
    named = chat is not None and settings.keys.get(chat.name) in taken
    own = "VILLE_EMBEDDER=compatible and VILLE_API_KEY" if named else "VILLE_EMBEDDER=openai and VILLE_OPENAI_API_KEY"
    raise MissingKey(
        f"The embeddings at {masked_url(address)} need a key of their own: the existing one is for another server. "
        f"Set {own} beside VILLE_EMBEDDING_BASE_URL, or VILLE_EMBEDDER=hashing."
    )


def _keys(settings: Settings, provider: Provider, base_url: str) -> list[Secret]:
    """Return the keys that are set for a provider, or for a custom address, wherever they may be sent."""
    keys = (settings.keys.get(provider.name), settings.keys.get("compatible") if base_url else None)
    return [key for key in keys if key]


def _fitting_keys(settings: Settings, provider: Provider, base_url: str) -> list[Secret]:
    """Return those of the keys that may be sent to this server, the provider's own first."""
    server = origin_of(base_url or provider.base_url)
    return [key for key in _keys(settings, provider, base_url) if not key.servers or server in key.servers]


def _models(settings: Settings, provider: Provider) -> ModelChoice:
    """Return the models; if only one tier is set, it serves both. Raises BadSetting."""
    classic, named = provider.name == "openrouter", settings.provider_models.get(provider.name, "")
    fast = settings.fast_model or (settings.openrouter_chat_model if classic else named) or provider.fast
    advanced = settings.advanced_model or (settings.openrouter_gpt4_model if classic else named) or provider.advanced
    if not (fast or advanced):
        raise BadSetting(f"{provider.title} has no default model. Set fast_model, and advanced_model if it differs.")
    return ModelChoice(fast or advanced, advanced or fast, settings.models)
