"""Texts that several callers embed at the same moment go in one batch."""

import asyncio

import numpy as np
import pytest

from ville.errors import RateLimited
from ville.llm.batching import BatchedEmbedder


class Counting:
    """Vectors of one number, the length; remembers every batch, may be told to fail, or to hold its answers back."""

    name = "lengths-1"

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.fault: Exception | None = None
        self.answering = asyncio.Event()
        self.answering.set()

    async def embed(self, texts, _step=None):
        self.batches.append(list(texts))
        await self.answering.wait()
        if self.fault:
            raise self.fault
        return np.array([[len(text)] for text in texts], np.float32)


async def until(true):
    while not true():  # noqa: ASYNC110 - it is not told
        await asyncio.sleep(0)


async def test_concurrent_callers_share_a_batch():
    """Each text is sent once; every caller gets its rows in its own order."""
    counting = Counting()
    batched = BatchedEmbedder(counting)
    one, two, none = await asyncio.gather(
        batched.embed(["tea", "a"]), batched.embed(["cake", "tea", "tea"]), batched.embed([])
    )
    assert counting.batches == [["tea", "a", "cake"]]
    assert (one.tolist(), two.tolist(), len(none)) == ([[3], [1]], [[4], [3], [3]], 0)


async def test_a_later_caller_gets_another_batch():
    """It does not wait for a batch in flight, except for the same text; later the text is sent again."""
    counting = Counting()
    batched = BatchedEmbedder(counting)
    counting.answering.clear()
    first = asyncio.ensure_future(batched.embed(["tea"]))
    await until(lambda: counting.batches == [["tea"]])
    later = asyncio.ensure_future(batched.embed(["cake", "tea"]))
    await until(lambda: counting.batches == [["tea"], ["cake"]])
    counting.answering.set()
    assert (await later).tolist() == [[4], [3]]
    await first
    await batched.embed(["tea"])
    assert counting.batches[2:] == [["tea"]]


async def test_an_error_reaches_all_callers_and_a_cancellation_only_one():
    """All callers of a failed batch get its error; a cancelled caller does not cancel the others."""
    counting = Counting()
    batched = BatchedEmbedder(counting)
    leaving, staying = (asyncio.ensure_future(batched.embed([text])) for text in ("tea", "cake"))
    await asyncio.sleep(0)
    leaving.cancel()
    assert (await staying).tolist() == [[4]]
    counting.fault = RateLimited("Slower.")
    faults = await asyncio.gather(batched.embed(["a"]), batched.embed(["b"]), return_exceptions=True)
    assert faults == [counting.fault] * 2
    with pytest.raises(RateLimited):
        await batched.embed(["c"])
