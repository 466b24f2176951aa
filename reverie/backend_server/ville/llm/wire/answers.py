"""What a provider sends with success, read with tolerance: what nobody needs may be missing, null or anything else."""

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

from ville.llm.gateway import Usage, Vectors
from ville.plain_text import printable

EMPTY = "the answer is empty"
CUT_OFF = "the answer broke off because it is too long: answer more briefly"
DECLINED = "no answer was given: stay with what is asked"
MOST = 10**15
LONGEST = 100_000
"""Characters of an answer that are read and kept. Far above any `answer_tokens`, for servers that know no limit."""


def _text(value: object) -> str:
    """Some servers send a list of parts. Half a character could be neither written down nor sent back, and control
    characters have no place in JSON.
    """
    if isinstance(value, list):
        value = "".join(str(part.get("text", "")) for part in value if isinstance(part, Mapping))
    return printable(value.encode("utf-8", "replace").decode())[:LONGEST] if isinstance(value, str) else ""


def _count(value: object) -> int:
    """More than the ledger could write down is nonsense."""
    return value if isinstance(value, int) and 0 < value <= MOST else 0


def _dollars(value: object) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < np.inf
    return float(value) if known else None  # type: ignore[arg-type]


def _object(value: object) -> object:
    return value if isinstance(value, Mapping) else {}


Text = Annotated[str, BeforeValidator(_text)]
Count = Annotated[int, BeforeValidator(_count)]
Dollars = Annotated[float | None, BeforeValidator(_dollars)]


class Body(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Details(Body):
    cached_tokens: Count = 0


class Bill(Body):
    """What was used, as far as it is told."""

    prompt_tokens: Count = 0
    completion_tokens: Count = 0
    total_tokens: Count = 0
    """Some providers count what a model thinks here alone, and charge for it as for the answer."""
    prompt_tokens_details: Annotated[Details, BeforeValidator(_object)] = Details()
    cost: Dollars = None

    def usage(self) -> Usage:
        cached = self.prompt_tokens_details.cached_tokens
        answer = max(self.completion_tokens, self.total_tokens - self.prompt_tokens)
        return Usage(self.prompt_tokens, cached, answer, self.cost)


class Message(Body):
    content: Text = ""
    refusal: Text = ""
    hidden: bool = False
    """Whether more was written than `content` shows: thoughts of the model, or characters that are dropped."""

    @model_validator(mode="before")
    @classmethod
    def _find_hidden(cls, values: Any) -> Any:
        written = values.get("content") if isinstance(values, Mapping) else None
        if not isinstance(values, Mapping):
            return values
        thoughts = any(values.get(name) for name in ("reasoning", "reasoning_content", "reasoning_details"))
        return {**values, "hidden": bool(thoughts) or (isinstance(written, str) and _text(written) != written)}


class Choice(Body):
    message: Annotated[Message, BeforeValidator(_object)] = Message()
    finish_reason: Text = ""
    error: Any = None

    @property
    def shortcoming(self) -> str:
        """Why this is no whole answer, worded for the model; empty if it is one."""
        if self.finish_reason == "content_filter" or self.message.refusal:
            return DECLINED
        if self.finish_reason == "length" or len(self.message.content) == LONGEST:
            return CUT_OFF
        return "" if self.message.content.strip() else EMPTY


class Answered(Body):
    """Something that came with success, though it may hold an error."""

    usage: Annotated[Bill, BeforeValidator(_object)] = Bill()
    error: Any = None


class Completion(Answered):
    choices: list[Choice] | None = None


class Embedded(Body):
    index: Count = 0
    embedding: Any = None


class Embeddings(Answered):
    data: list[Embedded] | None = None

    def vectors(self) -> Vectors | None:
        """One row a text, in the order of the texts; None if it is not one vector of numbers each."""
        rows = sorted(self.data or (), key=lambda row: row.index)
        try:
            with np.errstate(over="ignore"):
                made: Vectors = np.array([row.embedding for row in rows], dtype=np.float32)
        except (TypeError, ValueError, OverflowError):
            return None
        return made if made.ndim == len(("texts", "numbers")) else None
