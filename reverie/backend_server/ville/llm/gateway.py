"""Interface between minds and models: requests, replies, and the protocols of those that answer."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Literal, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
Vectors = npt.NDArray[np.float32]
"""Array of shape (texts, size)."""

Tier = Literal["fast", "advanced"]
"""Which of the two configured models a question goes to."""


OFFLINE_RULES = "offline rules"
"""Name, as of a model, of the rules that answer without one."""
EMBEDDING = "embedding"
"""Stands for the name of a question in the ledger, for calls that embed texts."""


def digest(text: str) -> bytes:
    """Return a short digest of a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True)
class ChatMessage:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class ChatRequest:
    """One question of one persona at one step."""

    question: str
    """Name of its template, for example `plan/wake_up_hour`."""
    fields: Mapping[str, object]
    """Values of the blanks in the template. The offline rules read these instead of the messages."""
    messages: tuple[ChatMessage, ...]
    """Messages in order. A correction appends the bad answer and what was wrong with it."""
    schema: Mapping[str, object]
    """JSON schema of the answer."""
    persona: str
    step: int
    seed: int = 0
    tier: Tier = "fast"
    temperature: float | None = None
    """Temperature that suits the question; settings may choose another, or the provider's own. Not part of the ledger's
    key.
    """
    answer_tokens: int = sys.maxsize
    """Longest answer that suits the question; settings may allow less. Not part of the ledger's key."""
    model: str = ""
    """Model that answers this persona; empty: the configured one. Part of the ledger's key if it is given."""
    occurrence: int = 0
    """Number of identical requests by this persona earlier in the same step."""
    due: int | None = None
    """Step at which the answer is needed; None: at once. Not part of the ledger's key."""

    @property
    def needed(self) -> int:
        """The step that waits for the answer."""
        return self.step if self.due is None else self.due

    @cached_property
    def schema_text(self) -> str:
        """The schema as JSON."""
        return json.dumps(self.schema)

    @cached_property
    def key(self) -> bytes:
        """Digest of everything that identifies it."""
        messages = [(message.role, message.content) for message in self.messages]
        asked = json.dumps([self.persona, self.step, self.question, self.seed, self.occurrence, messages])
        swapped = f", {json.dumps(self.model)}" if self.model else ""
        return digest(f"{asked[:-1]}, {self.schema_text}{swapped}]")

    @property
    def jitter_seed(self) -> str:
        """Seed of the pauses between retries."""
        return f"{self.seed} {self.persona} {self.step} {self.question}"


@dataclass(frozen=True)
class EmbeddingRequest:
    """A batch of texts to embed at one step."""

    texts: tuple[str, ...]
    embedder: str
    """Name under which the vectors are kept: provider and model."""
    step: int

    @cached_property
    def key(self) -> bytes:
        """Digest of the texts and the step."""
        return digest(json.dumps([EMBEDDING, self.step, *self.texts]))

    @property
    def needed(self) -> int:
        """The step that waits for the vectors."""
        return self.step

    @property
    def jitter_seed(self) -> str:
        """Seed of the pauses between retries."""
        return " ".join(self.texts[:1])


@dataclass(frozen=True)
class Usage:
    """Tokens and cost of one call."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens that the provider had cached, at a lower price."""
    completion_tokens: int = 0
    cost: float | None = None
    """US dollars; None if the price is unknown."""
    estimated: bool = False
    """Whether the provider reported no tokens, so that they are our own upper estimate."""
    beyond: bool = False
    """Whether the provider reported more than the call can have used, so that these are the most it can."""

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens."""
        return self.prompt_tokens + self.completion_tokens


class AnswerTerms(NamedTuple):
    """How an answer was sampled, and by what: with these, a call can be checked years later. Empty: not known."""

    parameters: str = ""
    """JSON: temperature, seed, most tokens and all else that was sent beside model and prompt. What is not there was
    left to the provider.
    """
    served: str = ""
    """The model, as the provider names it in its answer."""
    fingerprint: str = ""
    """Of the provider's system (`system_fingerprint`)."""
    finish_reason: str = ""
    """Why the answer ended, as the provider says."""


@dataclass(frozen=True)
class ChatReply:
    """The answer of a model, as it was received."""

    text: str
    model: str
    """Name of the model in the request; the provider may report a longer one."""
    usage: Usage = field(default_factory=Usage)
    fault: str = ""
    """Why the text is not a complete answer, worded for the model: it is empty, cut off, or refused."""
    hidden: bool = False
    """Whether the model wrote more than the text shows: reasoning, or characters that were removed."""
    terms: AnswerTerms = field(default_factory=AnswerTerms)


@dataclass(frozen=True)
class EmbeddingReply:
    """One vector for each text of a batch, in the order of the texts."""

    vectors: Vectors
    model: str
    usage: Usage = field(default_factory=Usage)
    terms: AnswerTerms = field(default_factory=AnswerTerms)


RequestT = TypeVar("RequestT", bound=ChatRequest | EmbeddingRequest)
ReplyT = TypeVar("ReplyT", bound=ChatReply | EmbeddingReply)
RequestT_contra = TypeVar("RequestT_contra", contravariant=True)
ReplyT_co = TypeVar("ReplyT_co", covariant=True)
ReplyT_contra = TypeVar("ReplyT_contra", contravariant=True)


class Client(Protocol[RequestT_contra, ReplyT_co]):
    """Answers requests: a provider, the offline rules, a ledger, or a layer around another client."""

    async def complete(self, request: RequestT_contra, /) -> ReplyT_co:
        """Answer, or raise a ModelError."""
        ...


Chat = Client[ChatRequest, ChatReply]
EmbeddingClient = Client[EmbeddingRequest, EmbeddingReply]


class Embedder(Protocol):
    """Turns texts into vectors of one size."""

    @property
    def name(self) -> str:
        """Provider and model. Vectors of different embedders cannot be compared."""
        ...

    async def embed(self, texts: Sequence[str], step: int | None = None, /) -> Vectors:
        """Return one vector for each text, in the same order. Raises a ModelError.

        `step` is that of the mind that asks, with which a call is recorded; None: the step that the ledger is at.
        """
        ...


@dataclass(frozen=True)
class Models:
    """Model access shared by all personas. Same seed and answers, same run."""

    chat: Chat
    embedder: Embedder
    seed: int
    language: str = ""
    """Language that personas speak and think in; empty if the settings name none. Kept with the simulation."""
