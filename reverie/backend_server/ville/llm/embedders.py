"""Vectors without a key or a network: words and pairs of words, hashed; or a sentence model on this machine."""

import asyncio
import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ville.errors import MissingPackage
from ville.llm.gateway import Vectors

SIZE = 512


class HashingEmbedder:
    """The same vector for the same text on every machine; texts that share words point the same way."""

    def __init__(self, size: int = SIZE) -> None:
        self.size = size
        self._vectorizer: Any = None

    @property
    def name(self) -> str:
        return f"hashing-{self.size}"

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Texts × size, each of length 1 (of length 0 for a text without words). A text that comes twice costs once."""
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        if not rows:
            return np.zeros((0, self.size), dtype=np.float32)
        vectors = self._hashing().transform(list(rows)).toarray().astype(np.float32, copy=False)
        made: Vectors = vectors[[rows[text] for text in texts]]
        return made

    def _hashing(self) -> Any:
        """Loaded when the first text comes: the import costs most of a second."""
        if self._vectorizer is None:
            from sklearn.feature_extraction.text import (  # type: ignore[import-untyped]  # noqa: PLC0415
                HashingVectorizer,
            )

            self._vectorizer = HashingVectorizer(
                n_features=self.size, ngram_range=(1, 2), norm="l2", alternate_sign=True, dtype=np.float32
            )
        return self._vectorizer


class SentenceEmbedder:
    """Vectors by a model of sentence-transformers on this machine, which has to be installed for it."""

    def __init__(self, model: str) -> None:
        """`model` is a name or a folder. Raises MissingPackage."""
        self.name = f"local:{model}"
        try:
            self._model: Any = importlib.import_module("sentence_transformers").SentenceTransformer(model)
        except ModuleNotFoundError as fault:
            raise MissingPackage(
                "embedder = 'local' needs a package: pip install sentence-transformers, or set embedder to hashing."
            ) from fault
        except (OSError, ValueError) as fault:
            raise MissingPackage(
                f"The sentence model {model} cannot be loaded: {fault}. Set embedding_model."
            ) from fault

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Computed beside the town, which goes on meanwhile."""
        vectors = await asyncio.to_thread(self._model.encode, list(texts), normalize_embeddings=True)
        made: Vectors = np.asarray(vectors, dtype=np.float32)
        return made
