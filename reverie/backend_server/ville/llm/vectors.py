"""Which vectors of a provider may be kept: those that can be compared with the ones there are."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ville.errors import UnusableVectors
from ville.llm.gateway import EmbeddingReply, EmbeddingSource, Vectors

MOST = 16_384
"""Numbers of a vector. No embedding model gives more."""


class VectorCheck:
    """What the vectors of one embedder have to be like: finite, not all zero, and all of one size."""

    def __init__(self, size: int = 0) -> None:
        self.size = size
        """How many numbers each has; 0 as long as that is not known."""

    def fits(self, vector: npt.NDArray[np.float32]) -> bool:
        """Whether a vector may stand among the others."""
        return not self.fault_of(vector[np.newaxis])

    def fault_of(self, vectors: Vectors) -> str:
        """What is wrong with the rows, in words; empty if all of them may be kept."""
        size = vectors.shape[1]
        if size != (self.size or size):
            return f"vectors of {size} numbers, not of {self.size} as before"
        if not 0 < size <= MOST:
            return f"vectors of {size} numbers"
        if not np.isfinite(vectors).all():
            return "vectors with numbers that are not finite"
        if not vectors.any(axis=1).all():
            return "a vector of zeros only"
        return ""


class CheckedSource:
    """An EmbeddingSource that lets no vector pass that could not be kept."""

    def __init__(self, source: EmbeddingSource, check: VectorCheck) -> None:
        self._source, self._check = source, check

    @property
    def name(self) -> str:
        return self._source.name

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        """Raises UnusableVectors, and whatever the source raises."""
        reply = await self._source.embed(texts)
        if fault := self._check.fault_of(reply.vectors):
            raise UnusableVectors(f"{self.name} sent {fault}. If it keeps doing so, set another embedder.")
        return reply
