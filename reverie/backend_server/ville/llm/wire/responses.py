"""Successful responses of providers, read leniently: optional parts may be missing, null or of another type."""

import re
from collections.abc import Mapping
from typing import Annotated

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

from ville.llm.gateway import Usage, Vectors
from ville.plain_text import one_line, printable

EMPTY = "the answer is empty"
CUT_OFF = "the answer broke off because it is too long: answer more briefly"
DECLINED = "no answer was given: stay with what is asked"
MAX_COUNT = 10**15
"""Larger counts of tokens are ignored: the ledger could not store them."""
PATH = re.compile(r"(?:/|[A-Za-z]:[\\/]|~/|\.{1,2}/).*[\\/]")
LONGEST_NAME = 200
"""Characters of a name that a provider gives its model, its system, or the end of an answer."""
MAX_LENGTH = 100_000
"""Characters of an answer that are kept. Far above any `answer_tokens`, for servers that ignore it."""


def _text(value: object) -> str:
    """Return printable text. Joins lists of parts, and replaces lone surrogates, which could not be stored or sent."""
    if isinstance(value, list):
        value = "".join(str(part.get("text", "")) for part in value if isinstance(part, Mapping))
    return printable(value.encode("utf-8", "replace").decode())[:MAX_LENGTH] if isinstance(value, str) else ""


def _name(value: object) -> str:
    """Return a name in one line. Of a path, which local servers name their model by, only the file is kept."""
    name = one_line(_text(value))
    return (PATH.sub("", name) if PATH.match(name) else name)[:LONGEST_NAME]


def _count(value: object) -> int:
    return value if isinstance(value, int) and 0 < value <= MAX_COUNT else 0


def _dollars(value: object) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < np.inf
    return float(value) if known else None  # type: ignore[arg-type]


def _object(value: object) -> object:
    return value if isinstance(value, Mapping) else {}


Text = Annotated[str, BeforeValidator(_text)]
Name = Annotated[str, BeforeValidator(_name)]
Count = Annotated[int, BeforeValidator(_count)]
Dollars = Annotated[float | None, BeforeValidator(_dollars)]


class ResponsePart(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class PromptTokenDetails(ResponsePart):
    cached_tokens: Count = 0


class TokenUsage(ResponsePart):
    """Usage as reported; missing numbers are 0."""

    prompt_tokens: Count = 0
    completion_tokens: Count = 0
    total_tokens: Count = 0
    """Some providers count reasoning only here, and charge it like the answer."""
    prompt_tokens_details: Annotated[PromptTokenDetails, BeforeValidator(_object)] = PromptTokenDetails()
    cost: Dollars = None

    def usage(self) -> Usage:
        """Return tokens and cost, with reasoning counted as part of the answer."""
        cached = self.prompt_tokens_details.cached_tokens
        answer = max(self.completion_tokens, self.total_tokens - self.prompt_tokens)
        return Usage(self.prompt_tokens, cached, answer, self.cost)


class ResponseMessage(ResponsePart):
    content: Text = ""
    refusal: Text = ""
    hidden: bool = False
    """Whether the model wrote more than `content` shows: reasoning, or characters that were removed."""

    @model_validator(mode="before")
    @classmethod
    def _find_hidden(cls, values: object) -> object:
        written = values.get("content") if isinstance(values, Mapping) else None
        if not isinstance(values, Mapping):
            return values
        thoughts = any(values.get(name) for name in ("reasoning", "reasoning_content", "reasoning_details"))
        return {**values, "hidden": bool(thoughts) or (isinstance(written, str) and _text(written) != written)}


class ResponseChoice(ResponsePart):
    message: Annotated[ResponseMessage, BeforeValidator(_object)] = ResponseMessage()
    finish_reason: Name = ""
    error: object = None

    @property
    def fault(self) -> str:
        """Why the answer is not complete, worded for the model; empty if it is."""
        if self.finish_reason == "content_filter" or self.message.refusal:
            return DECLINED
        if self.finish_reason == "length" or len(self.message.content) == MAX_LENGTH:
            return CUT_OFF
        return "" if self.message.content.strip() else EMPTY


class ProviderResponse(ResponsePart):
    """Response with status 200. Some providers report errors in it."""

    model: Name = ""
    """As the provider names it, often with a version that the request does not have."""
    system_fingerprint: Name = ""
    usage: Annotated[TokenUsage, BeforeValidator(_object)] = TokenUsage()
    error: object = None


class ChatCompletion(ProviderResponse):
    choices: list[ResponseChoice] | None = None


class EmbeddingItem(ResponsePart):
    index: Count = 0
    embedding: object = None


class EmbeddingResponse(ProviderResponse):
    data: list[EmbeddingItem] | None = None

    def vectors(self) -> Vectors | None:
        """Return one vector for each text, in order; None if the data are not vectors of one size."""
        rows = sorted(self.data or (), key=lambda row: row.index)
        try:
            with np.errstate(over="ignore"):
                made: Vectors = np.array([row.embedding for row in rows], dtype=np.float32)
        except (TypeError, ValueError, OverflowError):
            return None
        return made if made.ndim == len(("texts", "numbers")) else None
