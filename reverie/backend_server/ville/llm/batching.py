"""Combine texts that several callers want to embed at the same moment into one call."""

import asyncio
from collections.abc import Sequence

from ville.llm.gateway import Embedder, Vector, Vectors
from ville.llm.stacked_vectors import stacked

Batch = asyncio.Task[dict[str, Vector]]
"""Text to vector."""


class BatchedEmbedder:
    """Collects texts until all tasks that are ready to run have asked, then makes one call for those of a step.

    A text that is already being embedded is not sent again.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._in_flight: dict[str, Batch] = {}
        """Text to the batch that contains it."""
        self._collected: dict[int | None, tuple[list[str], Batch]] = {}
        """Texts of the batches that are being collected, by the step of those who ask."""

    @property
    def name(self) -> str:
        return self._embedder.name

    async def embed(self, texts: Sequence[str], step: int | None = None, /) -> Vectors:
        """Return one vector for each text. A ModelError reaches every caller with a text in the failed batch."""
        batches = [self._batch_of(text, step) for text in texts]
        return stacked([(await asyncio.shield(batch))[text] for text, batch in zip(texts, batches, strict=True)])

    def _batch_of(self, text: str, step: int | None) -> Batch:
        if text not in self._in_flight:
            if step not in self._collected:
                self._collected[step] = ([], asyncio.ensure_future(self._embed_batch(step)))
            texts, self._in_flight[text] = self._collected[step]
            texts.append(text)
        return self._in_flight[text]

    async def _embed_batch(self, step: int | None) -> dict[str, Vector]:
        await asyncio.sleep(0)
        texts, _ = self._collected.pop(step)
        try:
            return dict(zip(texts, await self._embedder.embed(texts, step), strict=True))
        finally:
            for text in texts:
                del self._in_flight[text]
