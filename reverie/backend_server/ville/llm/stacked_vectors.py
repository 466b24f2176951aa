"""Vectors of embedders: check that they can be compared with those already stored, and stack them."""

from collections.abc import Sequence

import numpy as np

from ville.errors import UnusableVectors
from ville.llm.gateway import EmbeddingClient, EmbeddingReply, EmbeddingRequest, Vector, Vectors

MAX_SIZE = 16_384
"""More numbers than any embedding model returns for a text."""


class VectorCheck:
    """Requirements on the vectors of one embedder: finite, not all zero, and of one size."""

    def __init__(self, size: int = 0) -> None:
        self.size = size
        """Numbers in each vector; 0 as long as it is unknown."""

    def fits(self, vector: Vector) -> bool:
        """Whether a vector can be compared with the others."""
        return not self.fault_of(vector[np.newaxis])

    def fault_of(self, vectors: Vectors) -> str:
        """Return what is wrong with the vectors; empty if all are usable."""
        size = vectors.shape[1]
        if size != (self.size or size):
            return f"vectors of {size} numbers instead of {self.size} as before"
        if not 0 < size <= MAX_SIZE:
            return f"vectors of {size} numbers"
        if not np.isfinite(vectors).all():
            return "vectors with numbers that are not finite"
        if not vectors.any(axis=1).all():
            return "a vector of zeros"
        return ""


class CheckedEmbeddings:
    """Layer that rejects unusable vectors."""

    def __init__(self, client: EmbeddingClient, check: VectorCheck) -> None:
        self._client, self._check = client, check

    async def complete(self, request: EmbeddingRequest) -> EmbeddingReply:
        """Raises UnusableVectors."""
        reply = await self._client.complete(request)
        if fault := self._check.fault_of(reply.vectors):
            raise UnusableVectors(f"{request.embedder} sent {fault}. If this continues, set another embedder.")
        return reply


def stacked(vectors: Sequence[Vector]) -> Vectors:
    """Return vectors as the rows of one array; an empty array for none."""
    return np.stack(vectors) if vectors else np.zeros((0, 0), dtype=np.float32)
