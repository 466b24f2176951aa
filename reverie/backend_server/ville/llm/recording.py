"""Record every call in the ledger: a row before it is sent, completed when the call ends."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Generic

from ville.errors import ModelError
from ville.llm.accounting.ledger import CallRecord, CallResult, Ledger
from ville.llm.accounting.ledger_schema import CANCELLED
from ville.llm.accounting.rates import MostUsage, Rates
from ville.llm.gateway import (
    ChatReply,
    ChatRequest,
    Client,
    EmbeddingReply,
    EmbeddingRequest,
    ReplyT,
    RequestT,
    Usage,
    Vector,
)


class RecordingClient(Generic[RequestT, ReplyT]):
    """Layer right above the network that records every call, its result and its cost."""

    def __init__(self, client: Client[RequestT, ReplyT], ledger: Ledger, rates: Rates[RequestT, ReplyT]) -> None:
        self._client, self._ledger, self._rates = client, ledger, rates

    async def complete(self, request: RequestT) -> ReplyT:
        """Raises LedgerError before anything is sent, if the ledger cannot be written."""
        most = self._rates.most(request)
        with _recorded(self._ledger, request, most) as row:
            reply = await self._client.complete(request)
        reply = replace(reply, usage=self._rates.used(reply, most))
        row.answered(request, reply)
        return reply


class _Row:
    """The row of a call in flight."""

    def __init__(self, ledger: Ledger, request: ChatRequest | EmbeddingRequest, most: MostUsage) -> None:
        self._ledger, self._most = ledger, most
        self._clock = time.monotonic()
        self._number = ledger.begin(CallRecord.of(request), most, datetime.now(UTC))

    def answered(self, request: ChatRequest | EmbeddingRequest, reply: ChatReply | EmbeddingReply) -> None:
        text, fault = (reply.text, reply.fault) if isinstance(reply, ChatReply) else ("", "")
        result = CallResult(self._seconds, reply.usage, answer=text, fault=fault, terms=reply.terms)
        self._ledger.finish(self._number, result, _vectors(request, reply))

    def failed(self, error: ModelError) -> None:
        """Book the most that the call can have cost, unless it was not sent or was rejected."""
        if error.fate == "not_sent":
            self._ledger.delete(self._number)
            return
        usage = Usage(cost=0.0) if error.fate == "rejected" else self._most.usage
        result = CallResult(self._seconds, usage, outcome=type(error).__name__, fault=str(error))
        self._ledger.finish(self._number, result)

    def cancelled(self) -> None:
        """Book the most that the call can have cost: the provider may still answer and charge it."""
        self._ledger.finish(self._number, CallResult(self._seconds, self._most.usage, outcome=CANCELLED))

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._clock


@contextmanager
def _recorded(ledger: Ledger, request: ChatRequest | EmbeddingRequest, most: MostUsage) -> Iterator[_Row]:
    """Begin a row, and complete it if the context ends with an error. Raises LedgerError."""
    row = _Row(ledger, request, most)
    try:
        yield row
    except ModelError as error:
        row.failed(error)
        raise
    except asyncio.CancelledError:
        row.cancelled()
        raise


def _vectors(
    request: ChatRequest | EmbeddingRequest, reply: ChatReply | EmbeddingReply
) -> list[tuple[str, str, Vector]]:
    """Return embedder, text and vector of each text of a batch."""
    if isinstance(request, EmbeddingRequest) and isinstance(reply, EmbeddingReply):
        return [(request.embedder, text, vector) for text, vector in zip(request.texts, reply.vectors, strict=True)]
    return []
