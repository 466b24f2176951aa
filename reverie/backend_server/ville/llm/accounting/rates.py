"""The most that a call can use, and what it did use: as the provider reports it, up to that, or else estimated.

A token stands for at least one byte of UTF-8, whatever the tokenizer. So a prompt has at most as many tokens as bytes:
about four times the real number in English, two to three times in most other languages. The answer has at most
`answer_tokens`, which is sent with every request and includes reasoning.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from ville.llm.accounting.prices import Price, Prices
from ville.llm.gateway import (
    ChatReply,
    ChatRequest,
    EmbeddingReply,
    EmbeddingRequest,
    ReplyT_contra,
    RequestT_contra,
    Usage,
)
from ville.llm.wire.schemas import instruction

OVERHEAD = 256
"""Tokens that a provider may add to a request: a system message, instructions about the schema."""
OVERHEAD_PER_TEXT = 16
"""Tokens that a provider may add to each message, or to each text to embed."""
DEAREST = Price(1000.0, 1000.0, 1000.0)
"""More than any model costs: bounds what a server reports for a model whose price is unknown."""


@dataclass(frozen=True)
class MostUsage:
    """The most that one call can use."""

    model: str
    usage: Usage
    """Its cost is at list prices; None if the price is unknown."""


class Rates(Protocol[RequestT_contra, ReplyT_contra]):
    """Usage of one kind of call, before and after it is made."""

    def most(self, request: RequestT_contra, /) -> MostUsage:
        """Return the most that a request can use."""
        ...

    def used(self, reply: ReplyT_contra, most: MostUsage, /) -> Usage:
        """Return reported usage with its cost, at most `most`; tokens that were not reported are estimated."""
        ...


@dataclass(frozen=True)
class ChatRates:
    """Rates of the chat models of one endpoint."""

    prices: Prices
    model_for: Callable[[ChatRequest], str]
    answer_tokens: int
    """Length at which the provider cuts an answer off."""

    def most(self, request: ChatRequest) -> MostUsage:
        model = self.model_for(request)
        usage = Usage(_prompt_bytes(request), completion_tokens=self.answer_tokens, estimated=True)
        return MostUsage(model, self.prices.priced(model, usage))

    def used(self, reply: ChatReply, most: MostUsage) -> Usage:
        incomplete = bool(reply.fault) or reply.hidden
        answer = self.answer_tokens if incomplete else min(_size(reply.text), self.answer_tokens)
        return self.prices.priced(reply.model, _bounded(_completed(reply.usage, most.usage, answer), most.usage))


@dataclass(frozen=True)
class EmbeddingRates:
    """Rates of one embedding model."""

    prices: Prices
    model: str

    def most(self, request: EmbeddingRequest) -> MostUsage:
        tokens = OVERHEAD + sum(OVERHEAD_PER_TEXT + _size(text) for text in request.texts)
        return MostUsage(self.model, self.prices.priced(self.model, Usage(tokens, estimated=True)))

    def used(self, reply: EmbeddingReply, most: MostUsage) -> Usage:
        return self.prices.priced(reply.model, _bounded(_completed(reply.usage, most.usage, 0), most.usage))


def _prompt_bytes(request: ChatRequest) -> int:
    """Return the size of everything that may be sent: the messages, and the schema both in words and as a parameter."""
    schema = 2 * _size(instruction(request.schema_text))
    return OVERHEAD + schema + sum(OVERHEAD_PER_TEXT + _size(message.content) for message in request.messages)


def _completed(reported: Usage, most: Usage, answer: int) -> Usage:
    """Fill in estimates for tokens that were not reported."""
    if reported.prompt_tokens and (reported.completion_tokens or not answer):
        return reported
    return replace(
        reported,
        prompt_tokens=reported.prompt_tokens or most.prompt_tokens,
        completion_tokens=reported.completion_tokens or answer,
        estimated=True,
    )


def _bounded(reported: Usage, most: Usage) -> Usage:
    """Return reported usage up to the most that the call can have used, marked if it is more."""
    dearest = DEAREST.of(most) if most.cost is None else most.cost
    bounded = replace(
        reported,
        prompt_tokens=min(reported.prompt_tokens, most.prompt_tokens),
        cached_tokens=min(reported.cached_tokens, most.prompt_tokens),
        completion_tokens=min(reported.completion_tokens, most.completion_tokens),
        cost=None if reported.cost is None else min(reported.cost, dearest),
    )
    return replace(bounded, beyond=bounded != reported)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
