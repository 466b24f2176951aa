"""The providers this house knows by name, and all that differs between them; whoever else speaks like OpenAI is reached
by an address of one's own ("compatible").
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ville.errors import BadSetting

Structure = Literal["json_schema", "schema_in_object", "json_object", "instruction"]
"""How a provider is held to the form of an answer: by a schema, as OpenAI or as llama-cpp-python wants to be told it,
to JSON of any kind, or by words alone."""

LimitName = Literal["max_tokens", "max_completion_tokens"]
"""What a provider calls the number of tokens after which an answer is cut off."""

OFFLINE = "offline"
"""The rules that need no provider."""


@dataclass(frozen=True)
class Provider:
    """An address and its abilities. Without model names, these have to be set."""

    name: str
    title: str
    base_url: str = ""
    needs_key: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)
    structure: Structure = "json_schema"
    spelled_out: bool = True
    """Whether the form of an answer is also said in words, because some models there overlook the schema."""
    limit: LimitName = "max_tokens"
    fast: str = ""
    advanced: str = ""
    embedding: str = ""
    """Model for vectors; empty if it has none, or none that everybody has."""
    idempotent: bool = False
    """Whether it may be sent an Idempotency-Key, by which a call that is made again is not paid for again."""
    example: str = "http://localhost:8000/v1"
    """An address of one's own."""

    @property
    def by_key(self) -> bool:
        """Whether a key is enough to choose it: whose address is one's own has to be named."""
        return self.needs_key and bool(self.base_url)


ATTRIBUTION = {
    "HTTP-Referer": "http://localhost:8000",
    "X-OpenRouter-Title": "The Ville",
    "X-Title": "The Ville",
}
"""By which OpenRouter tells its customers' programs apart; the last two are its new and its old name for one thing."""

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
            fast="gemini-3.5-flash-lite",
            advanced="gemini-3.6-flash",
            embedding="gemini-embedding-001",
        ),
        Provider("ollama", "Ollama", base_url="http://localhost:11434/v1", needs_key=False),
        Provider("vllm", "vLLM", base_url="http://localhost:8000/v1", needs_key=False),
        Provider("llamacpp", "llama.cpp", base_url="http://localhost:8080/v1", needs_key=False),
        Provider("lmstudio", "LM Studio", base_url="http://localhost:1234/v1", needs_key=False),
        Provider("azure", "Azure OpenAI", example="https://NAME.openai.azure.com"),
        Provider("compatible", "an OpenAI-compatible server", needs_key=False),
    )
}


def provider_named(name: str) -> Provider:
    """Raises BadSetting, listing those there are."""
    if name not in PROVIDERS:
        raise BadSetting(f"provider = {name!r}: nobody knows it. There are {', '.join([OFFLINE, *PROVIDERS])}.")
    return PROVIDERS[name]
