"""Embedders that run on this machine: hashed words and word pairs, or a sentence-transformers model."""

import asyncio
import importlib
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from ville.errors import MissingPackage
from ville.llm.gateway import Vectors

SIZE = 512
Encode = Callable[..., ArrayLike]
"""Returns the vectors of texts; a method of sentence-transformers."""


class VectorRows(Protocol):
    """Vectors as scikit-learn returns them, with their zeros left out."""

    def toarray(self) -> Vectors: ...


class Vectorizer(Protocol):
    """The part of scikit-learn that is used."""

    def transform(self, texts: list[str], /) -> VectorRows: ...


class HashingEmbedder:
    """Bag of hashed words and word pairs: the same vector for the same text on every machine."""

    def __init__(self, size: int = SIZE) -> None:
        self.size = size
        self._vectorizer: Vectorizer | None = None

    @property
    def name(self) -> str:
        return f"hashing-{self.size}"

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of length 1, or of length 0 for a text without words."""
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        if not rows:
            return np.zeros((0, self.size), dtype=np.float32)
        vectors = self._hashing().transform(list(rows)).toarray().astype(np.float32, copy=False)
        made: Vectors = vectors[[rows[text] for text in texts]]
        return made

    def _hashing(self) -> Vectorizer:
        """Return the vectorizer, imported at first use: the import takes most of a second."""
        if self._vectorizer is None:
            from sklearn.feature_extraction.text import (  # type: ignore[import-untyped]  # noqa: PLC0415
                HashingVectorizer,
            )

            self._vectorizer = HashingVectorizer(
                n_features=self.size, ngram_range=(1, 2), norm="l2", alternate_sign=True, dtype=np.float32
            )
        return self._vectorizer


class SentenceEmbedder:
    """Embedder that runs a model of sentence-transformers, an optional package."""

    def __init__(self, model: str) -> None:
        """Load a model by name or folder. Raises MissingPackage."""
        self.name = f"local:{model}"
        try:
            self._encode: Encode = importlib.import_module("sentence_transformers").SentenceTransformer(model).encode
        except ModuleNotFoundError as error:
            raise MissingPackage(
                "embedder = 'local' needs a package. Run pip install sentence-transformers, or set embedder to hashing."
            ) from error
        except (OSError, ValueError) as error:
            raise MissingPackage(
                f"The sentence model '{model}' cannot be loaded: {error}. Correct embedding_model."
            ) from error

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Compute in a thread, so that other personas go on meanwhile."""
        vectors = await asyncio.to_thread(self._encode, list(texts), normalize_embeddings=True)
        made: Vectors = np.asarray(vectors, dtype=np.float32)
        return made
