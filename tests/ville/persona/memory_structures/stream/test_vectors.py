"""Laws of embeddings."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.linalg import norm

from ville.errors import BadEmbedding
from ville.llm.embedders import HashingEmbedder
from ville.persona.memory_structures.stream.vectors import Vectors
from ville.storage.records.vector_rows import as_listed, decoded, header, records

numbers = st.floats(-1e3, 1e3, width=32)
vectors_of_four = st.lists(st.lists(numbers, min_size=4, max_size=4), min_size=1, max_size=6)


@given(vectors_of_four, st.lists(numbers, min_size=4, max_size=4))
def test_similarities_are_cosines(rows, focus):
    """They are 0 if either vector is all zeros."""
    vectors = Vectors("Ada Stone")
    for place, row in enumerate(rows):
        vectors.add(str(place), row)
    for row, similarity in zip(rows, vectors.similarities(focus), strict=True):
        lengths = norm(row) * norm(focus)
        assert similarity == pytest.approx(np.dot(row, focus) / lengths if lengths else 0.0, abs=1e-5)


@given(vectors_of_four)
def test_loaded_vectors_equal_added_ones(rows):
    """Bit for bit, so that a resumed run has the same results."""
    vectors = Vectors("Ada Stone")
    for place, row in enumerate(rows):
        vectors.add(str(place), np.array(row, dtype=np.float32))
    again = Vectors.load("Ada Stone", vectors.unsaved)
    focus = np.ones(4)
    assert again.similarities(focus).tobytes() == vectors.similarities(focus).tobytes()
    assert not again.unsaved
    path = Path("vectors.f32")
    assert decoded(header(4) + records(vectors.unsaved), path) == vectors.unsaved


@given(st.integers(1, 700), st.integers(1, 40))
def test_a_cosine_does_not_depend_on_other_rows(size, count):
    """It is the same bit for bit alone and among others."""
    rows = np.random.RandomState(size).standard_normal((count, size))
    alone, among = Vectors("Ada Stone"), Vectors("Ada Stone")
    alone.add("a", rows[0])
    for place, row in enumerate(rows):
        among.add(str(place), row)
    assert among.similarities(rows[-1])[0].tobytes() == alone.similarities(rows[-1])[0].tobytes()


def test_a_text_keeps_its_first_vector():
    """Adding it again changes nothing."""
    vectors = Vectors("Ada Stone")
    vectors.add("bed is idle", [1, 0])
    vectors.add("bed is idle", [0, 1])
    assert (len(vectors), vectors.unsaved) == (1, {"bed is idle": struct.pack("<2f", 1, 0)})
    assert "bed is idle" in vectors
    assert vectors.similarities([1, 0]).tolist() == [1.0]


@pytest.mark.parametrize("vector", [[], None, "text", [[1.0, 2.0]], [float("nan")], [1.0, None], [10**400]])
def test_a_malformed_vector_is_named(vector):
    """With the persona and the text."""
    with pytest.raises(BadEmbedding, match=r"Ada Stone: the vector for 'a' is not a list of numbers"):
        Vectors.load("Ada Stone", {"a": vector})


def test_a_vector_of_another_size_is_named():
    """With the text, both sizes and what to do."""
    with pytest.raises(BadEmbedding, match=r"Ada Stone: the vector for 'b' has 3 numbers, the others have 2"):
        Vectors.load("Ada Stone", {"a": [1, 2], "b": [1, 2, 3]})
    with pytest.raises(BadEmbedding, match="has 1 numbers"):
        Vectors.load("Ada Stone", {"a": [1, 2]}).similarities([1])


def test_without_vectors_there_are_no_similarities():
    """For a focus of any size."""
    assert Vectors("Ada Stone").similarities([1, 2, 3]).tolist() == []


TEXTS = ["Ada likes tea", "Ben likes coffee with Ada", "", "bed is idle"]


async def hashed(texts=TEXTS):
    return dict(zip(texts, await HashingEmbedder().embed(texts), strict=True))


async def test_an_older_engine_gets_hashed_vectors_padded():
    """As 1,536 numbers, with bit for bit the same cosines when they come back."""
    vectors = Vectors("Ada Stone")
    for text, vector in (await hashed()).items():
        vectors.add(text, vector)
    stored = json.loads(json.dumps({text: as_listed(row) for text, row in vectors.unsaved.items()}))
    assert {len(vector) for vector in stored.values()} == {1536}
    assert {type(number) for vector in stored.values() for number in vector} == {float}
    again, question = Vectors.load("Ada Stone", stored), (await hashed(["what does Ada like"]))["what does Ada like"]
    assert again.similarities(question).tobytes() == vectors.similarities(question).tobytes()
    assert again.size == len(question)


async def test_hashed_vectors_stored_unpadded_are_compatible():
    """Those of earlier versions equal new ones."""
    made = await hashed()
    old = {text: list(map(float, vector)) for text, vector in made.items()}
    both = {text: vector + [0.0] * 1024 if text.startswith("Ada") else vector for text, vector in old.items()}
    question = made["Ben likes coffee with Ada"]
    expected = Vectors.load("Ada Stone", old).similarities(question).tobytes()
    assert Vectors.load("Ada Stone", both).similarities(question).tobytes() == expected


async def test_vectors_of_two_embedders_are_noticed():
    """They are loaded and marked as mixed, for example after another engine has added its own."""
    padded = {text: [*map(float, vector), *[0.0] * 1024] for text, vector in (await hashed()).items()}
    other = np.random.RandomState(1).standard_normal(1536).tolist()
    vectors = Vectors.load("Ada Stone", {**padded, "other": other})
    assert (vectors.size, vectors.mixed) == (1536, True)
    assert not Vectors.load("Ada Stone", padded).mixed
    assert not Vectors.load("Ada Stone", {"other": other, "a zero vector": [0.0] * 1536}).mixed


@pytest.mark.parametrize("use", [Vectors.row, lambda vectors, text: vectors.add(text, [1.0, 2.0, 3.0])])
def test_an_error_quotes_as_much_of_a_text_as_finds_it(use):
    """A memory may be as long as a page."""
    vectors = Vectors("Ada Stone")
    vectors.add("bed is idle", [1.0, 0.0])
    with pytest.raises(BadEmbedding) as raised:
        use(vectors, "She remembers all of it. " * 200)
    assert "She remembers all of it." in str(raised.value)
    assert len(str(raised.value)) < 300
