"""Who answers: from the settings to a provider, its models and its embedder. Nothing is connected yet."""

from collections.abc import Mapping
from dataclasses import dataclass

from ville.errors import BadSetting, MissingKey
from ville.llm.accounting.prices import FREE, Prices
from ville.llm.embedders import HashingEmbedder, SentenceEmbedder
from ville.llm.gateway import ChatRequest, Embedder, Tier
from ville.llm.language import language_named
from ville.llm.wire.providers import OFFLINE, PROVIDERS, Provider, provider_named
from ville.persona.prompt_template.question import TEMPLATES
from ville.settings import Settings
from ville.settings.key_names import key_name
from ville.settings.server_urls import fault_of_address, is_near, origin_of, secrets_in, shown

HASHING = "hashing"
LOCAL = "local"
OFFLINE_ANNOUNCEMENT = "No language model is configured: these minds are rules, not a language model."


@dataclass(frozen=True)
class ModelChoice:
    """Which model a question goes to: its own, its shelf's, else that of its tier."""

    fast: str
    advanced: str
    chosen: Mapping[str, str]

    def __call__(self, request: ChatRequest) -> str:
        shelf = request.question.partition("/")[0]
        return self._model(self.chosen.get(request.question) or self.chosen.get(shelf) or request.tier)

    def _model(self, name: Tier | str) -> str:
        return {"fast": self.fast, "advanced": self.advanced}.get(name, name)

    @property
    def names(self) -> list[str]:
        """All of them, the fast one first."""
        return list(dict.fromkeys([self.fast, self.advanced, *map(self._model, self.chosen.values())]))


@dataclass(frozen=True)
class Endpoint:
    """Somebody at the other end of the line."""

    provider: Provider
    base_url: str
    key: str
    api_version: str = ""

    def __repr__(self) -> str:
        return f"Endpoint({self.provider.name}, {shown(self.base_url)})"


@dataclass(frozen=True)
class ChatConfig:
    """Who answers questions, with which models."""

    endpoint: Endpoint
    models: ModelChoice


@dataclass(frozen=True)
class EmbeddingConfig:
    """Who makes vectors, with which model."""

    endpoint: Endpoint
    model: str

    @property
    def name(self) -> str:
        """As it is kept with the vectors."""
        return f"{self.endpoint.provider.name}:{self.model}"


def chat_config(settings: Settings) -> ChatConfig | None:
    """Who answers; None for the offline rules. Raises SetupError."""
    name = _chosen_name(settings)
    if name == OFFLINE:
        return None
    provider = provider_named(name)
    return ChatConfig(_endpoint(settings, provider, settings.base_url), _models(settings, provider))


def embedding_config(settings: Settings) -> EmbeddingConfig | None:
    """Who makes vectors; None where this machine does. Raises SetupError."""
    chosen = _chosen_name(settings)
    name = settings.embedder or _by_address(settings, chosen)
    if not name:
        name = chosen if chosen != OFFLINE and _can_embed(settings, chosen) else HASHING
    if name in {HASHING, LOCAL}:
        return None
    provider = provider_named(name)
    model = settings.embedding_model or provider.embedding
    if not model:
        raise BadSetting(f"embedder = {name!r} needs a model: set embedding_model, or embedder to hashing.")
    base_url = settings.embedding_base_url or (settings.base_url if name == chosen else "")
    return EmbeddingConfig(_endpoint(settings, provider, base_url), model)


def local_embedder(settings: Settings) -> Embedder:
    """What makes vectors on this machine. Raises SetupError."""
    if settings.embedder != LOCAL:
        return HashingEmbedder()
    if not settings.embedding_model:
        raise BadSetting("embedder = 'local' needs a model: set embedding_model to its name or folder.")
    return SentenceEmbedder(settings.embedding_model)


def embedder_name(settings: Settings) -> str:
    """The name that goes with the vectors of a run, without loading anything. Raises SetupError."""
    if who := embedding_config(settings):
        return who.name
    return f"{LOCAL}:{settings.embedding_model}" if settings.embedder == LOCAL else HashingEmbedder().name


def announcement(settings: Settings) -> str:
    """What kind of minds live here, to be said before anything else. Raises SetupError."""
    spoken = f" They speak and think in {language_named(settings.language)}." if settings.language else ""
    who = chat_config(settings)
    if who is None:
        hint = _hint(settings) if settings.provider != OFFLINE else ""
        english = "Rules speak English only." if settings.language else ""
        return " ".join(filter(None, [OFFLINE_ANNOUNCEMENT, english, hint]))
    vectors = embedding_config(settings)
    compared = f"{vectors.model} at {vectors.endpoint.provider.title}" if vectors else embedder_name(settings)
    models = ", ".join(who.models.names)
    return f"These minds ask {who.endpoint.provider.title}: {models}. Memories are compared by {compared}.{spoken}"


def prices_for(endpoint: Endpoint, prices: Prices) -> Prices:
    """Return the price list of a provider. Only a server on this machine or network that asks for no key is free."""
    opened = endpoint.key or secrets_in(endpoint.base_url)
    return prices if opened or not is_near(endpoint.base_url) else FREE


def check_prices(settings: Settings) -> str:
    """Return a warning that names the models whose price is unknown; empty if there are none.

    Raises BadSetting if money is limited: what such a model costs cannot be counted. Raises SetupError.
    """
    who, vectors, prices = chat_config(settings), embedding_config(settings), Prices.load(settings.prices)
    asked = [(who.endpoint, model) for model in who.models.names] if who else []
    asked += [(vectors.endpoint, vectors.model)] if vectors else []
    unknown = dict.fromkeys(model for endpoint, model in asked if prices_for(endpoint, prices).of(model) is None)
    if not unknown:
        return ""
    what = f"The price of {' and of '.join(unknown)} is unknown"
    if settings.max_cost is not None:
        raise BadSetting(f"{what}, so max_cost cannot be kept: add it to {settings.prices}, or set no max_cost.")
    return f"{what}: the cost that is shown leaves it out. Add it to {settings.prices}."


def _chosen_name(settings: Settings) -> str:
    """The provider that was named, else the one there is an address or a key for."""
    if settings.provider:
        return settings.provider
    if settings.use_openrouter:
        return "openrouter"
    if settings.base_url:
        return "compatible"
    return next((name for name in PROVIDERS if PROVIDERS[name].by_key and settings.keys.get(name)), OFFLINE)


def _by_address(settings: Settings, chosen: str) -> str:
    """Who makes vectors at an address of their own that no name stands beside: the key of another is not for them."""
    by_name = chosen == OFFLINE or not provider_named(chosen).needs_key
    return "compatible" if settings.embedding_base_url and not by_name else ""


def _hint(settings: Settings, name: str = "") -> str:
    """A name that somebody may have taken for that of a key, of this one or of any."""
    near = {written: right for written, right in settings.misspelt.items() if name in {"", right}}
    return next((f"{written} is not read: is {right} meant?" for written, right in near.items()), "")


def _can_embed(settings: Settings, name: str) -> bool:
    return bool(settings.embedding_model or provider_named(name).embedding)


def _endpoint(settings: Settings, provider: Provider, base_url: str) -> Endpoint:
    """Raises MissingKey and BadSetting."""
    address = base_url or provider.base_url
    if not address:
        raise BadSetting(
            f"provider = {provider.name!r} needs an address: set base_url (in a utils.py of AGA openai_api_base), as "
            f"{provider.example}."
        )
    if wrong := fault_of_address(address):
        raise BadSetting(
            f"The address of {provider.title} cannot be called: {wrong}. Write base_url as {provider.example}."
        )
    return Endpoint(provider, address, _key(settings, provider, base_url), settings.api_version)


def _key(settings: Settings, provider: Provider, base_url: str) -> str:
    """The key that opens an address: the provider's own, or that for an address of one's own. Raises MissingKey."""
    there = (settings.keys.get(provider.name), settings.keys.get("compatible") if base_url else None)
    server = origin_of(base_url or provider.base_url)
    fitting = [key for key in there if key and (not key.servers or server in key.servers)]
    if not fitting and provider.needs_key:
        name = key_name(provider.name)
        hint = _hint(settings, name) or f"see {name} in .env.example."
        why = "the one there is was set beside another address: set" if any(there) else "set"
        raise MissingKey(f"{provider.title} needs a key: {why} {name} in the environment or in .env; {hint}")
    bare = fitting[0].reveal() if fitting else ""
    if not (bare.isascii() and bare.isprintable()):
        raise BadSetting(f"The key for {provider.title} holds characters that no key can have: copy it again.")
    return bare


def _models(settings: Settings, provider: Provider) -> ModelChoice:
    """Where only one of the two tiers is known, it serves both. Raises BadSetting."""
    classic = provider.name == "openrouter"
    fast = settings.fast_model or (settings.openrouter_chat_model if classic else "") or provider.fast
    advanced = settings.advanced_model or (settings.openrouter_gpt4_model if classic else "") or provider.advanced
    if not (fast or advanced):
        raise BadSetting(f"{provider.title} has many models: set fast_model, and advanced_model if it is another.")
    for kind in settings.models:
        if not (TEMPLATES / kind).is_dir() and not (TEMPLATES / f"{kind}.txt").is_file():
            raise BadSetting(f"MODEL_{kind.replace('/', '_').upper()}: there is no question {kind}.")
    return ModelChoice(fast or advanced, advanced or fast, settings.models)
