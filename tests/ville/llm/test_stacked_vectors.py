"""Only vectors that can be compared with the others are stored."""

import asyncio

import numpy as np
import pytest

from ville.errors import TransientError, UnusableVectors
from ville.llm.cache import SAMPLE, CachedEmbedder
from ville.llm.gateway import EmbeddingReply
from ville.llm.recording import RecordingClient
from ville.llm.stacked_vectors import MAX_SIZE, CheckedEmbeddings, VectorCheck

GOOD = np.array([[3.0, 0.0, 1.0]], np.float32)


class Source:
    """Provider that sends queued vectors, then good ones, and records requests."""

    def __init__(self, *queue):
        self.queue, self.asked = list(queue), []

    async def complete(self, request):
        self.asked.append(list(request.texts))
        await asyncio.sleep(0)
        vectors = self.queue.pop(0) if self.queue else np.repeat(GOOD, len(request.texts), axis=0)
        return EmbeddingReply(np.asarray(vectors, np.float32), "vectors-1")


@pytest.fixture
def embedder_of(ledger, vector_rates):
    """Return a cached embedder on a source, where stored vectors have a size."""

    def make(source, size=0):
        check = VectorCheck(size or ledger.vector_size("letters-3"))
        recording = RecordingClient(CheckedEmbeddings(source, check), ledger, vector_rates)
        return CachedEmbedder("letters-3", recording, ledger, check=check)

    return make


def sizes(ledger):
    """Return the sizes of the vectors in a ledger."""
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
async def test_an_unusable_vector_is_a_transient_error_and_never_stored(embedder_of, ledger, bad, size):
    good = [GOOD, GOOD] if not size else []
    source = Source(*good, BAD[bad])
    embedder = embedder_of(source, size)
    with pytest.raises(UnusableVectors) as raised:
        await embedder.embed(["tea"])
    assert isinstance(raised.value, TransientError)
    assert ledger.vectors_of("letters-3", ["tea"]) == {}
    assert (await embedder.embed(["tea"])).tolist() == GOOD.tolist()
    assert sizes(ledger) == {3}


async def test_one_bad_reply_does_not_set_the_size(embedder_of, ledger):
    """Two in a row have to agree."""
    embedder = embedder_of(Source([[1.0, 2.0]]))
    assert (await embedder.embed(["tea"])).tolist() == GOOD.tolist()
    assert (await embedder.embed(["cake"])).tolist() == GOOD.tolist()
    assert sizes(ledger) == {3}


async def test_the_size_is_learnt_once(embedder_of):
    """However many ask at the same moment, and not again by another process."""
    source = Source()
    embedder = embedder_of(source)
    await asyncio.gather(*(embedder.embed([text]) for text in ("tea", "cake", "pie")))
    assert source.asked.count([SAMPLE]) == 2
    await embedder_of(source).embed(["more"])
    assert source.asked.count([SAMPLE]) == 2


async def test_changing_sizes_are_an_error(embedder_of):
    """After a few attempts."""
    source = Source(*([[1.0] * (2 + number % 2)] for number in range(20)))
    with pytest.raises(UnusableVectors, match="another size each time"):
        await embedder_of(source).embed(["tea"])


@pytest.mark.parametrize("size", [0, 3])
async def test_unusable_vectors_in_a_ledger_are_replaced(embedder_of, ledger, size):
    """Those of another size, and zeros; the right size is that of memories, else of most rows."""
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


def test_vectors_have_a_largest_size():
    check = VectorCheck()
    assert check.fits(np.ones(MAX_SIZE, np.float32))
    assert not check.fits(np.ones(MAX_SIZE + 1, np.float32))
