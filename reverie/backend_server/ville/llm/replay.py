"""Answer from the ledger of a recorded simulation alone, and fail where it failed."""

import asyncio
from collections.abc import Sequence

from ville.errors import LedgerError
from ville.llm.accounting.ledger import Ledger
from ville.llm.cache import Numbering
from ville.llm.gateway import ChatReply, ChatRequest, EmbeddingRequest, Vectors
from ville.llm.stacked_vectors import stacked

CANCELLATION_TIME = 0.05
"""Seconds after which a question that has no answer in the recording is known not to be cancelled, as it was there."""
DIVERGED = "this run differs from the recorded one. Replay it from the same simulation, settings and history."


class ReplayedChat:
    """Chat that answers from a recording."""

    def __init__(self, recording: Ledger, numbering: Numbering) -> None:
        self._ledger = recording
        self._numbering = numbering

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises the recorded ModelError, or LedgerError."""
        request = self._numbering.numbered(request)
        if reply := self._ledger.answer_to(request):
            return reply
        if error := self._ledger.failure_of(request.key):
            raise error
        await asyncio.sleep(CANCELLATION_TIME)
        question = f"{request.question} of {request.persona} at step {request.step}"
        raise LedgerError(f"{self._ledger.path} has no answer to {question}: {DIVERGED}")


class ReplayedEmbedder:
    """Embedder that returns the vectors of a recording."""

    def __init__(self, name: str, recording: Ledger) -> None:
        self.name = name
        self._ledger = recording

    async def embed(self, texts: Sequence[str], step: int | None = None, /) -> Vectors:
        """Raises the recorded ModelError, or LedgerError."""
        at = self._ledger.step if step is None else step
        for text in texts:
            if error := self._ledger.failure_of(EmbeddingRequest((text,), self.name, at).key):
                raise error
        known = self._ledger.vectors_of(self.name, texts)
        if missing := [text for text in texts if text not in known]:
            await asyncio.sleep(CANCELLATION_TIME)
            raise LedgerError(f"{self._ledger.path} has no vector of {self.name} for '{missing[0]}': {DIVERGED}")
        return stacked([known[text] for text in texts])
