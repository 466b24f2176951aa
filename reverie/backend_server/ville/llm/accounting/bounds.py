"""The most that a call can use, and what it has used where the provider does not report it.

A token stands for at least one byte of UTF-8, however a model cuts up its text. So a prompt has at most as many tokens
as bytes: about four times the real number in English, twice to three times in most other languages. The answer has at
most `answer_tokens`, which is sent with every request and includes what a reasoning model thinks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ville.llm.accounting.prices import Prices
from ville.llm.gateway import ChatReply, ChatRequest, EmbeddingReply, Usage
from ville.llm.wire.schemas import instruction

AROUND = 256
"""Tokens that a provider may add to a request of its own: a system message, how to keep to a schema."""
PER_TEXT = 16
"""Tokens that it may put around one message or one text to be embedded."""


@dataclass(frozen=True)
class Most:
    """The most that one call can use."""

    model: str
    usage: Usage
    """With its cost at the list price; None if the price is unknown."""


@dataclass(frozen=True)
class ChatRates:
    """What calls to the chat models of one provider can use."""

    prices: Prices
    model_for: Callable[[ChatRequest], str]
    answer_tokens: int
    """The length at which an answer is cut off."""

    def most(self, request: ChatRequest) -> Most:
        usage = Usage(_prompt_bytes(request), completion_tokens=self.answer_tokens, estimated=True)
        return _priced(self.prices, self.model_for(request), usage)

    def used(self, reply: ChatReply, most: Most) -> Usage:
        """As the provider reports it, estimated where it does not, with its cost."""
        partial = bool(reply.fault) or reply.hidden
        answer = self.answer_tokens if partial else min(_size(reply.text), self.answer_tokens)
        return self.prices.priced(reply.model, _completed(reply.usage, most.usage.prompt_tokens, answer))


@dataclass(frozen=True)
class EmbeddingRates:
    """What calls for vectors of one model can use."""

    prices: Prices
    model: str

    def most(self, texts: Sequence[str]) -> Most:
        usage = Usage(AROUND + sum(PER_TEXT + _size(text) for text in texts), estimated=True)
        return _priced(self.prices, self.model, usage)

    def used(self, reply: EmbeddingReply, most: Most) -> Usage:
        """As the provider reports it, estimated where it does not, with its cost."""
        return self.prices.priced(reply.model, _completed(reply.usage, most.usage.prompt_tokens, 0))


def _prompt_bytes(request: ChatRequest) -> int:
    """Of everything that may be sent: the messages, and the form of the answer, in words and as a schema."""
    form = 2 * _size(instruction(request.schema))
    return AROUND + form + sum(PER_TEXT + _size(message.content) for message in request.messages)


def _priced(prices: Prices, model: str, usage: Usage) -> Most:
    return Most(model, prices.priced(model, usage))


def _completed(told: Usage, prompt: int, answer: int) -> Usage:
    """What was reported, with estimates in place of what was not."""
    if told.prompt_tokens and (told.completion_tokens or not answer):
        return told
    return replace(
        told,
        prompt_tokens=told.prompt_tokens or prompt,
        completion_tokens=told.completion_tokens or answer,
        estimated=True,
    )


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
