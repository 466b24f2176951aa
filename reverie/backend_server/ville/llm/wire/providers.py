"""Known providers and their differences. Other OpenAI-compatible servers are reached as "compatible", by address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ville.errors import BadSetting

Structure = Literal["json_schema", "schema_in_object", "json_object", "instruction"]
"""How the form of an answer is requested: by a schema (in the form of OpenAI or of llama-cpp-python), as any JSON, or
only by an instruction in words."""

LimitName = Literal["max_tokens", "max_completion_tokens"]
"""Name of the parameter that limits the length of an answer."""

OFFLINE = "offline"
"""Name of the offline rules, which need no provider."""
SERVED = "gguf"
"""Name of the provider that serves a model file beside the engine."""


@dataclass(frozen=True)
class Provider:
    """Address and capabilities of a provider. Where model names are empty, the user must set them."""

    name: str
    title: str
    base_url: str = ""
    needs_key: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)
    structure: Structure = "json_schema"
    spelled_out: bool = True
    """Whether the schema is also sent in words, because some models there ignore it."""
    grammar: bool = False
    """Whether a grammar is made of the schema: choices cost no tokens then, and lengths and counts are kept."""
    limit: LimitName = "max_tokens"
    fast: str = ""
    advanced: str = ""
    embedding: str = ""
    """Embedding model; empty if there is none, or none by default."""
    seeded: bool = True
    """Whether it accepts a seed."""
    ordered: bool = False
    """Whether it accepts a priority: of the calls that wait for it, it answers those with lower numbers first."""
    idempotent: bool = False
    """Whether it accepts an Idempotency-Key, so that a repeated call is charged once."""
    example: str = "http://localhost:8000/v1"
    """Example of an address, for messages."""

    @property
    def by_key(self) -> bool:
        """Whether a key alone selects this provider: not if the address differs for every user."""
        return self.needs_key and bool(self.base_url)


ATTRIBUTION = {
    "HTTP-Referer": "http://localhost:8000",
    "X-OpenRouter-Title": "The Ville",
    "X-Title": "The Ville",
}
"""Headers by which OpenRouter identifies programs; the last two are its new and old name for the same."""

PROVIDERS = {
    provider.name: provider
    for provider in (
        Provider(
            "openai",
            "OpenAI",
            base_url="https://api.openai.com/v1",
            limit="max_completion_tokens",
            idempotent=True,
            spelled_out=False,
            fast="gpt-5.4-nano",
            advanced="gpt-5.4-mini",
            embedding="text-embedding-3-small",
        ),
        Provider(
            "openrouter",
            "OpenRouter",
            base_url="https://openrouter.ai/api/v1",
            headers=ATTRIBUTION,
            fast="openai/gpt-5.4-nano",
            advanced="openai/gpt-5.4-mini",
            embedding="openai/text-embedding-3-small",
        ),
        Provider(
            "gemini",
            "Gemini",
            base_url="https://generativelanguage.googleapis.com/v1beta/openai",
            spelled_out=False,
            seeded=False,
            fast="gemini-3.5-flash-lite",
            advanced="gemini-3.6-flash",
            embedding="gemini-embedding-001",
        ),
        Provider("ollama", "Ollama", base_url="http://localhost:11434/v1", needs_key=False, grammar=True),
        Provider("vllm", "vLLM", base_url="http://localhost:8000/v1", needs_key=False, grammar=True, ordered=True),
        Provider("llamacpp", "llama.cpp", base_url="http://localhost:8080/v1", needs_key=False, grammar=True),
        Provider("lmstudio", "LM Studio", base_url="http://localhost:1234/v1", needs_key=False, grammar=True),
        Provider(SERVED, "llama.cpp", base_url="http://127.0.0.1/v1", needs_key=False, grammar=True),
        Provider("azure", "Azure OpenAI", example="https://NAME.openai.azure.com"),
        Provider("compatible", "an OpenAI-compatible server", needs_key=False),
    )
}


def provider_named(name: str, setting: str = "provider", others: Sequence[str] = (OFFLINE,)) -> Provider:
    """Return a provider by name. Raises BadSetting that names the setting, and what else it may be."""
    if name not in PROVIDERS:
        raise BadSetting(f"{setting} = {name!r} is unknown. Choose one of {', '.join([*others, *PROVIDERS])}.")
    return PROVIDERS[name]
