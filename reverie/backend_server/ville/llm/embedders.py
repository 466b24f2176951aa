"""Embedders that run on this machine: hashed words and word pairs, or a sentence-transformers model."""

import asyncio
import importlib
import math
import re
import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike

from ville.errors import MissingPackage
from ville.llm.gateway import Vectors

SIZE = 512
Encode = Callable[..., ArrayLike]
"""Returns the vectors of texts; a method of sentence-transformers."""


WORD = re.compile(r"\b\w\w+\b")
SIGN, WHOLE = 2**31, 2**32


class HashingEmbedder:
    """Bag of hashed words and word pairs: the same vector for the same text on every machine.

    They are the vectors of scikit-learn's HashingVectorizer, bit for bit, without the 140 MiB that it takes.
    """

    def __init__(self, size: int = SIZE) -> None:
        self.size = size

    @property
    def name(self) -> str:
        return f"hashing-{self.size}"

    async def embed(self, texts: Sequence[str], _step: int | None = None, /) -> Vectors:
        """Return vectors of length 1, or of length 0 for a text without words."""
        rows = {text: self._vector(text) for text in dict.fromkeys(texts)}
        if not rows:
            return np.zeros((0, self.size), dtype=np.float32)
        return np.stack([rows[text] for text in texts])

    def _vector(self, text: str) -> npt.NDArray[np.float32]:
        words = WORD.findall(text.lower())
        vector = np.zeros(self.size)
        for token in (*words, *(f"{first} {second}" for first, second in pairwise(words))):
            number = _hashed(token)
            vector[abs(number) % self.size] += 1 if number >= 0 else -1
        length = math.sqrt(np.dot(vector, vector))
        return (vector / length if length else vector).astype(np.float32)


@lru_cache(maxsize=2**15)
def _hashed(token: str) -> int:
    """Return the 32-bit MurmurHash3 of a text as a signed number (Appleby 2011, public domain; seed 0)."""
    content = token.encode()
    number, whole = 0, len(content) // 4 * 4
    for (block,) in struct.iter_unpack("<I", content[:whole]):
        number = (_turned(number ^ _mixed(block), 13) * 5 + 0xE6546B64) % WHOLE
    number ^= _mixed(int.from_bytes(content[whole:], "little")) ^ len(content)
    number = (number ^ number >> 16) * 0x85EBCA6B % WHOLE
    number = (number ^ number >> 13) * 0xC2B2AE35 % WHOLE
    number ^= number >> 16
    return number - WHOLE if number >= SIGN else number


def _mixed(block: int) -> int:
    return _turned(block * 0xCC9E2D51 % WHOLE, 15) * 0x1B873593 % WHOLE


def _turned(number: int, bits: int) -> int:
    return (number << bits | number >> 32 - bits) % WHOLE


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

    async def embed(self, texts: Sequence[str], _step: int | None = None, /) -> Vectors:
        """Compute in a thread, so that other personas go on meanwhile."""
        vectors = await asyncio.to_thread(self._encode, list(texts), normalize_embeddings=True)
        made: Vectors = np.asarray(vectors, dtype=np.float32)
        return made
