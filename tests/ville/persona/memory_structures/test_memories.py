"""Laws of a whole mind on disk."""

import json
import os
import shutil
from pathlib import Path

import pytest

from ville.errors import CorruptFile
from ville.persona.memory_structures.concept_node import observation
from ville.persona.memory_structures.memories import Memories
from ville.storage.simulation_folder import PersonaFiles
from ville.storage.storage import fork

NAME = "base_the_ville_isabella_maria_klaus"


def minds(folder) -> dict[str, Memories]:
    return {name: Memories.load(name, folder.read_persona(name)) for name in folder.meta.persona_names}


def tree(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def folder(tmp_path):
    """A fork of the classic three-person base."""
    if "REFERENCE_DATA" not in os.environ:
        pytest.skip("REFERENCE_DATA names no folder with the classic data")
    shutil.copytree(
        Path(os.environ["REFERENCE_DATA"]) / "storage" / NAME, tmp_path / NAME, copy_function=shutil.copyfile
    )
    return fork(tmp_path, NAME, "first")


@pytest.mark.reference
def test_untouched_minds_keep_every_byte(folder):
    """Loading the classic people and saving them at once leaves every file of theirs as it was."""
    before = tree(folder.root / "personas")
    assert len(before) == 15
    folder.save(folder.meta, {name: mind.state() for name, mind in minds(folder).items()})
    assert tree(folder.root / "personas") == before


@pytest.mark.reference
def test_a_mind_is_the_same_after_a_save(folder, at):
    """What was seen, where, and when it was thought of is there again after loading, vectors included."""
    all_minds = minds(folder)
    for name, mind in all_minds.items():
        mind.places.add("the Ville", "Moon", "crater")
        for number in range(3):
            seen = observation(
                at(number), (name, "is", "here"), f"{name} is {number}", poignancy=number + 1, keywords=("here",)
            )
            mind.stream.mark_accessed([mind.stream.add(seen, [0.1 * number, 1 / 3, 2.0])], at(60))
    for _ in range(2):
        folder.save(folder.meta, {name: mind.state() for name, mind in all_minds.items()})
        for mind in all_minds.values():
            mind.saved()
    for name, again in minds(folder).items():
        mind = all_minds[name]
        assert again.state() == mind.state()
        focus = [1.0, 2.0, 3.0]
        assert again.stream.vectors.similarities(focus).tobytes() == mind.stream.vectors.similarities(focus).tobytes()


def test_a_folder_is_named_like_its_persona(classic_scratch):
    """A scratch that tells of somebody else is one clear fault."""
    files = PersonaFiles(json.loads(classic_scratch), {}, {}, {}, {}, {})
    assert Memories.load("Ada Stone", files).scratch.name == "Ada Stone"
    with pytest.raises(CorruptFile, match=r"Ben Reed: scratch.json is about 'Ada Stone'"):
        Memories.load("Ben Reed", files)
