"""Texts of everybody who asks at the same moment, turned into vectors in one call."""

import asyncio
from collections.abc import Sequence

import numpy as np

from llm.gateway import Embedder, Vectors


class Batched:
    """An Embedder that waits until all who are ready have asked, then asks once for all of them; each text once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._texts: dict[str, int] = {}
        """Of the batch that is being collected: text to its row."""
        self._batch: asyncio.Task[Vectors] | None = None

    @property
    def name(self) -> str:
        return self._embedder.name

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Raises a ModelError, like everybody whose texts were in the batch."""
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        if self._batch is None:
            self._batch = asyncio.ensure_future(self._collected())
        rows = [self._texts.setdefault(text, len(self._texts)) for text in texts]
        vectors = await asyncio.shield(self._batch)
        chosen: Vectors = vectors[rows]
        return chosen

    async def _collected(self) -> Vectors:
        await asyncio.sleep(0)
        texts, self._texts, self._batch = list(self._texts), {}, None
        return await self._embedder.embed(texts)
