"""What the minds know of the telephone: two protocols, and the frozen things that pass through them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""texts × size."""

Tier = Literal["fast", "advanced"]
"""Which of the two configured models a question goes to."""


@dataclass(frozen=True)
class ChatMessage:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class ChatRequest:
    """One question of one persona at one step, ready to be sent."""

    question: str
    """Its address on the shelves, as in `plan/wake_up_hour`."""
    fields: Mapping[str, Any]
    """The blanks of its template, as values: a provider that answers by rule reads these instead of the text."""
    messages: tuple[ChatMessage, ...]
    """What a model sees. A correction adds the bad answer and what was wrong with it."""
    schema: Mapping[str, Any]
    """JSON schema of the answer."""
    persona: str
    step: int
    seed: int = 0
    tier: Tier = "fast"
    occurrence: int = 0
    """How often this persona has asked exactly this in this step before."""


@dataclass(frozen=True)
class Usage:
    """Tokens and money of one call."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Those of the prompt that the provider still knew, and charges less for."""
    completion_tokens: int = 0
    cost: float | None = None
    """US dollars; None if nobody has said so."""
    estimated: bool = False
    """Whether the provider did not report the tokens, so that they are an upper estimate of our own."""

    @property
    def tokens(self) -> int:
        """Of prompt and answer."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True)
class ChatReply:
    """The model's answer as it came, and what it cost."""

    text: str
    model: str
    """As it was asked for; the provider may call it by a longer name."""
    usage: Usage = field(default_factory=Usage)
    fault: str = ""
    """Why the text is no whole answer, worded for the model: it is empty, broke off, or was refused."""
    hidden: bool = False
    """Whether more was written than the text shows: thoughts of the model, or characters that were dropped."""


@dataclass(frozen=True)
class EmbeddingReply:
    """The vectors of a batch of texts, and what they cost."""

    vectors: Vectors
    model: str
    usage: Usage = field(default_factory=Usage)


class Chat(Protocol):
    """Anything that answers questions: a provider, a rule book, a recording, or a wrapper round one of them."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Answer, or raise a ModelError."""
        ...


class Embedder(Protocol):
    """Anything that turns texts into vectors of one size."""

    @property
    def name(self) -> str:
        """Model and size, so that vectors of different makes are never mixed."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, in their order; float32. Raises a ModelError."""
        ...


class EmbeddingSource(Protocol):
    """A provider of vectors that has to be paid, or a wrapper round one; an Embedder stands before it."""

    @property
    def name(self) -> str:
        """See Embedder."""
        ...

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        """One row a text, in their order. Raises a ModelError."""
        ...


@dataclass(frozen=True)
class Models:
    """Model access shared by all personas. Same seed and answers, same run."""

    chat: Chat
    embedder: Embedder
    seed: int
    language: str = ""
    """Language that personas speak and think in; empty if the settings name none. Kept with the simulation."""
