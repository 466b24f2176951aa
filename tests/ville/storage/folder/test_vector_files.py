"""Vectors are appended, never rewritten, and no simulation changes those of another."""

import struct
from dataclasses import replace

import pytest

from ville.errors import CorruptFile
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import copy_whole
from ville.storage.records.memory_files import INDEX, VECTORS

ADA = f"personas/Ada Stone/{VECTORS}"


def row(number):
    return struct.pack("<2f", 0.6, 0.8 if number % 2 else -0.8)


@pytest.fixture
def remember(dying):
    """Save more vectors of everybody."""

    def save(root, *texts):
        folder = SimulationFolder(root)
        folder.recover()
        new = {text: row(number) for number, text in enumerate(texts)}
        states = {name: replace(state, new_embeddings=new) for name, state in dying.untouched(folder).items()}
        folder.save(folder.meta, states)
        return SimulationFolder(root).vectors.read("Ada Stone")

    return save


@pytest.fixture
def base(storage, remember):
    remember(storage / "base", "tea", "rain")
    return storage / "base"


def test_the_file_does_not_depend_on_the_saves(base, storage, build, remember):
    """Appended in one save or in several, after a kill or not, in place or to a copy."""
    remember(base, "bed")
    with (base / ADA).open("ab") as file:
        file.write(b"what was not saved")
    assert [*SimulationFolder(base).vectors.read("Ada Stone")] == ["a", "tea", "rain", "bed"]
    node = (base / ADA).stat().st_ino
    remember(base, "cat", "dog")
    assert (base / ADA).stat().st_ino == node
    other = build(storage / "other")
    remember(other, "tea", "rain")
    remember(other, "bed")
    remember(other, "cat", "dog")
    assert (base / ADA).read_bytes() == (other / ADA).read_bytes()
    assert (base / "reverie" / INDEX).read_bytes() == (other / "reverie" / INDEX).read_bytes()


def test_a_fork_of_a_fork_leaves_its_ancestors_as_they_are(base, storage, remember, files_below):
    """They share the file until one of them appends to it, whichever is first."""
    first, second = storage / "first", storage / "second"
    for source, target in ((base, first), (first, second)):
        target.mkdir()
        copy_whole(source, target, links=True)
    assert (base / ADA).stat().st_nlink == 3
    before = files_below(base / "personas")
    assert [*remember(second, "bed")] == ["a", "tea", "rain", "bed"]
    assert [*remember(first, "cat", "dog")] == ["a", "tea", "rain", "cat", "dog"]
    assert files_below(base / "personas") == before
    assert [*remember(base, "sun")] == ["a", "tea", "rain", "sun"]
    assert [*SimulationFolder(second).vectors.read("Ada Stone")] == ["a", "tea", "rain", "bed"]


def test_a_file_that_was_copied_by_hand_counts_as_far_as_it_is_whole(base):
    """There is no length of it then."""
    (base / "reverie" / INDEX).unlink()
    (base / ADA).write_bytes((base / ADA).read_bytes()[:-1])
    assert [*SimulationFolder(base).vectors.read("Ada Stone")] == ["a", "tea"]


@pytest.mark.parametrize("damage", [b"", b"x" * 100, b"VILLEF32" + b"\1\0\0\0" * 3])
def test_a_damaged_file_is_named(base, damage):
    """By those who need its vectors."""
    (base / ADA).write_bytes(damage)
    with pytest.raises(CorruptFile, match=r"vectors\.f32"):
        SimulationFolder(base).vectors.read("Ada Stone")
