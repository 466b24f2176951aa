"""Laws of all memory files of a persona."""

import json
import os
import shutil
from pathlib import Path

import pytest

from ville.errors import CorruptFile
from ville.persona.memory_structures.stream.concept_node import observation
from ville.persona.memory_structures.stream.memories import Memories
from ville.storage.folder.storage import fork
from ville.storage.records.persona_files import PersonaFiles

NAME = "base_the_ville_isabella_maria_klaus"


def minds(folder) -> dict[str, Memories]:
    return {name: Memories.load(name, folder.read_persona(name)) for name in folder.meta.persona_names}


def tree(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def folder(tmp_path):
    """A fork of the base of the released code with three personas."""
    if "REFERENCE_DATA" not in os.environ:
        pytest.skip("REFERENCE_DATA names no folder with the classic data")
    shutil.copytree(
        Path(os.environ["REFERENCE_DATA"]) / "storage" / NAME, tmp_path / NAME, copy_function=shutil.copyfile
    )
    return fork(tmp_path, NAME, "first")


@pytest.mark.reference
def test_unchanged_memories_are_written_as_they_were(folder):
    """Loading and saving the personas of the released code changes no byte."""
    before = tree(folder.root / "personas")
    assert len(before) == 15
    folder.save(folder.meta, {name: mind.state() for name, mind in minds(folder).items()})
    assert tree(folder.root / "personas") == before


@pytest.mark.reference
def test_memories_are_the_same_after_a_save(folder, at):
    """Nodes, places, access times and vectors are loaded as they were saved."""
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


def test_a_folder_has_the_name_of_its_persona(classic_scratch):
    """A scratch of another persona is refused, naming both."""
    files = PersonaFiles(json.loads(classic_scratch), {}, {}, {}, {}, {})
    assert Memories.load("Ada Stone", files).scratch.name == "Ada Stone"
    with pytest.raises(CorruptFile, match=r"Ben Reed: scratch.json is about 'Ada Stone'"):
        Memories.load("Ben Reed", files)
