"""No vector is kept that could not be compared with the others, whatever a provider sends."""

import asyncio

import numpy as np
import pytest

from ville.errors import TransientError, UnusableVectors
from ville.llm.gateway import EmbeddingReply
from ville.llm.ledgered import SAMPLE, LedgeredEmbedder, RecordedSource
from ville.llm.vectors import MOST, CheckedSource, VectorCheck

GOOD = np.array([[3.0, 0.0, 1.0]], np.float32)


class Source:
    """A provider that sends what is queued for it, then good vectors; remembers what it was asked."""

    name = "letters-3"

    def __init__(self, *queue):
        self.queue, self.asked = list(queue), []

    async def embed(self, texts):
        self.asked.append(list(texts))
        await asyncio.sleep(0)
        vectors = self.queue.pop(0) if self.queue else np.repeat(GOOD, len(texts), axis=0)
        return EmbeddingReply(np.asarray(vectors, np.float32), "vectors-1")


@pytest.fixture
def embedder_of(ledger, vector_rates):
    """An embedder of a source, on the ledger, where vectors of so many numbers are remembered."""

    def make(source, size=0):
        check = VectorCheck(size or ledger.vector_size(source.name))
        return LedgeredEmbedder(RecordedSource(CheckedSource(source, check), ledger, vector_rates), ledger, check)

    return make


def sizes(ledger):
    """How many numbers the vectors of the ledger have."""
    return {length // 4 for (length,) in ledger.connection.execute("SELECT length(vector) FROM vectors")}


BAD = {
    "another size": [[1.0, 2.0]],
    "no numbers": np.zeros((1, 0)),
    "no number": [[1.0, np.nan, 0.0]],
    "beyond all numbers": [[1.0, np.inf, 0.0]],
    "zeros": [[0.0, 0.0, 0.0]],
}


@pytest.mark.parametrize("size", [0, 3])
@pytest.mark.parametrize("bad", BAD)
async def test_a_bad_vector_passes_and_is_nowhere(embedder_of, ledger, bad, size):
    """It is a fault that is tried again; neither the ledger nor the asker ever sees it."""
    good = [GOOD, GOOD] if not size else []
    source = Source(*good, BAD[bad])
    embedder = embedder_of(source, size)
    with pytest.raises(UnusableVectors) as raised:
        await embedder.embed(["tea"])
    assert isinstance(raised.value, TransientError)
    assert ledger.vectors_of(source.name, ["tea"]) == {}
    assert (await embedder.embed(["tea"])).tolist() == GOOD.tolist()
    assert sizes(ledger) == {3}


async def test_one_bad_answer_does_not_set_the_size(embedder_of, ledger):
    """Not even the very first: two in a row have to agree."""
    embedder = embedder_of(Source([[1.0, 2.0]]))
    assert (await embedder.embed(["tea"])).tolist() == GOOD.tolist()
    assert (await embedder.embed(["cake"])).tolist() == GOOD.tolist()
    assert sizes(ledger) == {3}


async def test_the_size_is_asked_for_once(embedder_of):
    """However many ask at the same moment, and not again by another process."""
    source = Source()
    embedder = embedder_of(source)
    await asyncio.gather(*(embedder.embed([text]) for text in ("tea", "cake", "pie")))
    assert source.asked.count([SAMPLE]) == 2
    await embedder_of(source).embed(["more"])
    assert source.asked.count([SAMPLE]) == 2


async def test_a_size_that_is_never_the_same_is_a_fault(embedder_of):
    """After a few attempts."""
    source = Source(*([[1.0] * (2 + number % 2)] for number in range(20)))
    with pytest.raises(UnusableVectors, match="another size each time"):
        await embedder_of(source).embed(["tea"])


@pytest.mark.parametrize("size", [0, 3])
async def test_a_poisoned_ledger_heals(embedder_of, ledger, size):
    """Rows of another size, and of zeros, are asked for anew; the size is what is remembered, else that of most."""
    source = Source()
    await embedder_of(source, 3).embed(["one", "two", "three", "four", "five"])
    for number, vector in enumerate((np.ones(2), np.zeros(3))):
        ledger.connection.execute(
            "UPDATE vectors SET vector = ? WHERE text IN (SELECT text FROM vectors ORDER BY text LIMIT 1 OFFSET ?)",
            (vector.astype("<f4").tobytes(), number),
        )
    source.asked.clear()
    vectors = await embedder_of(source, size).embed(["one", "two", "three", "four", "five"])
    assert (vectors == GOOD).all()
    assert len(source.asked[0]) == 2
    assert sizes(ledger) == {3}


def test_no_embedder_makes_vectors_without_end():
    """A reply of a million numbers is none."""
    check = VectorCheck()
    assert check.fits(np.ones(MOST, np.float32))
    assert not check.fits(np.ones(MOST + 1, np.float32))
