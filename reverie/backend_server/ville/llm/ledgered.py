"""Writing down what goes over the wire, and reading it back instead of asking again.

`Recorded` stands right before the wire: whatever passes it becomes a row, once for every time it is sent. `Ledgered`
stands before everybody else: what was answered once is not asked again. `Replayed` is a `Ledgered` with nobody behind.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from ville.errors import LedgerError, ModelError, UnusableVectors
from ville.llm.accounting.bounds import ChatRates, EmbeddingRates, Most
from ville.llm.accounting.ledger import Asked, Ending, Ledger, Vector, batch_key, key_of
from ville.llm.accounting.tables import CANCELLED
from ville.llm.gateway import Chat, ChatReply, ChatRequest, EmbeddingReply, EmbeddingSource, Usage, Vectors
from ville.llm.vectors import VectorCheck

BATCH = 256
"""Texts that go in one call."""
SAMPLE, SAMPLES = "The Ville", 5
"""What is embedded to learn the size of vectors, and how often at most."""
MOMENT = 0.05
"""Seconds after which nobody will call off a question any more that a replay cannot answer."""
ASTRAY = "this run has left the recorded one. Replay it from the same simulation, with the same settings and history."


class Recorded:
    """A Chat that writes down every call before it is sent, and how it ended with what it cost."""

    def __init__(self, chat: Chat, ledger: Ledger, rates: ChatRates) -> None:
        self._chat, self._ledger, self._rates = chat, ledger, rates

    async def complete(self, request: ChatRequest) -> ChatReply:
        most = self._rates.most(request)
        with _row(self._ledger, Asked.question_of(request), most) as row:
            reply = await self._chat.complete(request)
        text = reply.text.encode("utf-8", "replace").decode()  # half a character can be neither kept nor sent back
        reply = replace(reply, text=text, usage=self._rates.used(reply, most))
        row.answered(reply.usage, answer=text, fault=reply.fault)
        return reply


class RecordedSource:
    """An EmbeddingSource that does the same."""

    def __init__(self, source: EmbeddingSource, ledger: Ledger, rates: EmbeddingRates) -> None:
        self._source, self._ledger, self._rates = source, ledger, rates

    @property
    def name(self) -> str:
        return self._source.name

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        most = self._rates.most(texts)
        with _row(self._ledger, Asked.batch_of(self._ledger.step, texts), most) as row:
            reply = await self._source.embed(texts)
        reply = replace(reply, usage=self._rates.used(reply, most))
        row.answered(reply.usage, vectors=[(self.name, *pair) for pair in zip(texts, reply.vectors, strict=True)])
        return reply


class _Row:
    """The row of a call that is being made."""

    def __init__(self, ledger: Ledger, asked: Asked, most: Most) -> None:
        self._ledger, self._most = ledger, most
        self._clock = time.monotonic()
        self._number = ledger.begin(asked, most, datetime.now(UTC))

    def answered(
        self, usage: Usage, *, answer: str = "", fault: str = "", vectors: Iterable[tuple[str, str, Vector]] = ()
    ) -> None:
        ending = Ending(self._seconds, usage, answer=answer, fault=fault, beyond=self._is_beyond(usage))
        self._ledger.settle(self._number, ending, vectors)

    def failed(self, fault: ModelError) -> None:
        """Book what the call can have cost at most, unless it never left or was turned down."""
        if fault.fate == "not_sent":
            self._ledger.forget(self._number)
            return
        usage = Usage(cost=0.0) if fault.fate == "rejected" else self._most.usage
        ending = Ending(self._seconds, usage, outcome=type(fault).__name__, fault=str(fault))
        self._ledger.settle(self._number, ending)

    def cancelled(self) -> None:
        """It was on its way, and may be worked on and paid for."""
        self._ledger.settle(self._number, Ending(self._seconds, self._most.usage, outcome=CANCELLED))

    def _is_beyond(self, usage: Usage) -> bool:
        most = self._most.usage
        return usage.tokens > most.tokens or (most.cost is not None and (usage.cost or 0.0) > most.cost)

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._clock


@contextmanager
def _row(ledger: Ledger, asked: Asked, most: Most) -> Iterator[_Row]:
    """Inside, a call is made; a fault of it is written down. Raises LedgerError before anything is sent."""
    row = _Row(ledger, asked, most)
    try:
        yield row
    except ModelError as fault:
        row.failed(fault)
        raise
    except asyncio.CancelledError:
        row.cancelled()
        raise


class Numbering:
    """Tells requests apart that are the same to the letter, by the order in which they come."""

    def __init__(self) -> None:
        self._asked: dict[str, tuple[int, Counter[bytes]]] = {}
        """Persona to its step and what it has asked in it."""

    def numbered(self, request: ChatRequest) -> ChatRequest:
        step, asked = self._asked.get(request.persona, (-1, Counter()))
        if step != request.step:
            asked = Counter()
            self._asked[request.persona] = (request.step, asked)
        key = key_of(request)
        asked[key] += 1
        return replace(request, occurrence=asked[key] - 1)


class Ledgered:
    """A Chat that asks only what was not answered before."""

    def __init__(self, chat: Chat, ledger: Ledger) -> None:
        self._chat, self.ledger = chat, ledger
        self._numbering = Numbering()

    async def complete(self, request: ChatRequest) -> ChatReply:
        request = self._numbering.numbered(request)
        if reply := self.ledger.answer_to(request):
            return reply
        try:
            return await self._chat.complete(request)
        except ModelError as fault:
            self.ledger.record_failure(key_of(request), fault)
            raise


class Replayed:
    """A Chat that answers from a recording alone, and fails where the recorded one failed."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._numbering = Numbering()

    async def complete(self, request: ChatRequest) -> ChatReply:
        request = self._numbering.numbered(request)
        if reply := self._ledger.answer_to(request):
            return reply
        if fault := self._ledger.failure_of(key_of(request)):
            raise fault
        await asyncio.sleep(MOMENT)  # it was called off in the recorded run, and will be in this one
        what = f"{request.question} of {request.persona} at step {request.step}"
        raise LedgerError(f"{self._ledger.path} has no answer to {what}: {ASTRAY}")


class LedgeredEmbedder:
    """An Embedder that asks only for vectors it was not given before; those that do not fit are asked for again."""

    def __init__(self, source: EmbeddingSource, ledger: Ledger, check: VectorCheck) -> None:
        self._source, self._ledger, self._check = source, ledger, check
        self._learning = asyncio.Lock()

    @property
    def name(self) -> str:
        return self._source.name

    async def embed(self, texts: Sequence[str]) -> Vectors:
        kept = self._ledger.vectors_of(self.name, texts)
        known = {text: vector for text, vector in kept.items() if self._check.fits(vector)}
        if missing := [text for text in dict.fromkeys(texts) if text not in known]:
            known |= zip(missing, await self._asked(missing), strict=True)
        return _stacked([known[text] for text in texts])

    async def _asked(self, texts: Sequence[str]) -> list[Vector]:
        vectors: list[Vector] = []
        for start in range(0, len(texts), BATCH):
            vectors += await self._batch(texts[start : start + BATCH])
        return vectors

    async def _batch(self, texts: Sequence[str]) -> list[Vector]:
        try:
            await self._learn_size()
            return list((await self._source.embed(texts)).vectors)
        except ModelError as fault:
            for text in texts:
                self._ledger.record_failure(batch_key(self._ledger.step, [text]), fault)
            raise

    async def _learn_size(self) -> None:
        """Two vectors in a row have to be of one size: no single bad answer decides about all that come after it."""
        async with self._learning:
            before = 0
            for _ in range(SAMPLES):
                if self._check.size:
                    return
                size = (await self._source.embed([SAMPLE])).vectors.shape[1]
                self._check.size, before = (size if size == before else 0), size
            if not self._check.size:
                raise UnusableVectors(f"{self.name} sends vectors of another size each time: set another embedder.")


class ReplayedEmbedder:
    """An Embedder that has the vectors of a recording and no others."""

    def __init__(self, name: str, recording: Ledger) -> None:
        self.name = name
        self._ledger = recording

    async def embed(self, texts: Sequence[str]) -> Vectors:
        for text in texts:
            if fault := self._ledger.failure_of(batch_key(self._ledger.step, [text])):
                raise fault
        known = self._ledger.vectors_of(self.name, texts)
        if missing := [text for text in texts if text not in known]:
            await asyncio.sleep(MOMENT)
            raise LedgerError(f"{self._ledger.path} has no vector of {self.name} for '{missing[0]}': {ASTRAY}")
        return _stacked([known[text] for text in texts])


def _stacked(vectors: Sequence[Vector]) -> Vectors:
    return np.stack(vectors) if vectors else np.zeros((0, 0), dtype=np.float32)
