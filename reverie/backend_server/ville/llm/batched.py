"""Texts of everybody who asks at the same moment, turned into vectors in one call."""

import asyncio
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ville.llm.gateway import Embedder, Vectors

Rows = dict[str, npt.NDArray[np.float32]]
"""Text to vector."""
Batch = asyncio.Task[Rows]


class Batched:
    """An Embedder that waits until all who are ready have asked, then asks once for all of them.

    A text that somebody is being given a vector for at the moment is not asked for again.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._open: dict[str, Batch] = {}
        """Text to the batch that it is in."""
        self._texts: list[str] = []
        """Of the batch that is being collected."""
        self._batch: Batch | None = None

    @property
    def name(self) -> str:
        return self._embedder.name

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Raises a ModelError, like everybody whose texts were in the batch."""
        batches = [self._batch_of(text) for text in texts]
        vectors = [(await asyncio.shield(batch))[text] for text, batch in zip(texts, batches, strict=True)]
        return np.stack(vectors) if vectors else np.zeros((0, 0), dtype=np.float32)

    def _batch_of(self, text: str) -> Batch:
        if text not in self._open:
            if self._batch is None:
                self._batch = asyncio.ensure_future(self._collected())
            self._texts.append(text)
            self._open[text] = self._batch
        return self._open[text]

    async def _collected(self) -> Rows:
        await asyncio.sleep(0)
        texts, self._texts, self._batch = self._texts, [], None
        try:
            return dict(zip(texts, await self._embedder.embed(texts), strict=True))
        finally:
            for text in texts:
                del self._open[text]
