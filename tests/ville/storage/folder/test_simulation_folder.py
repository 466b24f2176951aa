"""Laws of one simulation on disk, above all: killed at any instant, it is as before the save or as after it."""

import itertools
import shutil
from dataclasses import replace
from datetime import datetime

import pytest

from ville.errors import CorruptFile
from ville.storage.files import pretty
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.records.kept_vectors import kept_embedders, kept_file
from ville.storage.steps.step_files import MoveRecord

MOVES = {
    name: MoveRecord((1, row), "🙂", "idle @ the Town", None) for row, name in enumerate(["Ada Stone", "Ben Reed"])
}


@pytest.fixture(scope="module")
def untouched(dying):
    return dying.untouched


def test_a_killed_save_has_happened_or_has_not(storage, dying, killed, files_below):
    """Dying before each file operation of a save in turn, and once more during recovery, leaves before or after."""
    base, after = storage / "base", storage / "after"
    shutil.copytree(base, after)
    dying.save(after)
    dying.recover(after)
    dying.recover(base)
    outcomes = []
    for operations in itertools.count():
        crashed = storage / f"crashed_{operations}"
        shutil.copytree(base, crashed)
        died = killed("save", crashed, operations)
        killed("recover", crashed, operations % 7)
        dying.recover(crashed)
        outcomes.append(files_below(crashed) == files_below(after))
        assert outcomes[-1] or files_below(crashed) == files_below(base)
        if not died:
            break
    assert outcomes == sorted(outcomes)
    assert not outcomes[0]
    assert outcomes[-1]


def test_a_killed_change_of_the_embedder_loses_no_vector(storage, dying, killed, put):
    """Dying before each file operation in turn: vectors of both are there, and those in use are of the one named."""
    base = storage / "base"
    put(base / "reverie/run.json", '{"embedder": "hashing"}')
    for name in ("Ada Stone", "Ben Reed"):
        put(base / kept_file("paid", name), '{"a": [2.0]}')
    for operations in itertools.count():
        crashed = storage / f"crashed_{operations}"
        shutil.copytree(base, crashed)
        died = killed("embedder", crashed, operations)
        dying.recover(crashed)
        folder = SimulationFolder(crashed)
        named = folder.read_side_file("run.json")["embedder"]
        for name in folder.meta.persona_names:
            in_use = folder.vectors.read(name)
            paid = folder.kept_vectors("paid", name) | (in_use if named == "paid" else {})
            hashing = folder.kept_vectors("hashing", name) | (in_use if named == "hashing" else {})
            assert (paid["a"], hashing["a"]) == ([2.0], [0.5, 1])
            assert in_use["a"] == (paid if named == "paid" else hashing)["a"]
        if not died:
            break
    assert operations
    assert kept_embedders(crashed) == ["hashing"]


def test_an_untouched_save_keeps_every_byte(storage, files_below, untouched):
    """Saving people who have not changed leaves their files as they were, however they were spaced."""
    folder = SimulationFolder(storage / "base")
    before = files_below(folder.root / "personas")
    folder.save(folder.meta, untouched(folder))
    folder.save(folder.meta, untouched(folder))
    assert files_below(folder.root / "personas") == before


def test_what_changed_is_written_in_the_classic_form(storage, dying):
    """Scratch and meta are indented, memories on one line, nothing ends with a newline; vectors leave those of
    an older engine as they were.
    """
    dying.save(storage / "base")
    memory = storage / "base/personas/Ada Stone/bootstrap_memory"
    assert (memory / "scratch.json").read_bytes() == b'{\n  "vision_r": 4,\n  "name": "Ada Stone"\n}'
    assert (memory / "associative_memory/embeddings.json").read_bytes() == b'{"a": [0.5, 1]}'
    assert SimulationFolder(storage / "base").vectors.read("Ada Stone") == {"a": [0.5, 1], "b": dying.ROW}
    meta = SimulationFolder(storage / "base").meta
    assert (storage / "base/reverie/meta.json").read_text("utf-8") == pretty(meta.as_json())
    assert SimulationFolder(storage / "base").read_side_file("run.json") == {"seed": 1}


def test_a_second_save_writes_what_changed_since_the_first(storage, untouched):
    """A file that goes back to what it said two saves ago is written again."""
    folder = SimulationFolder(storage / "base")
    first = untouched(folder)
    changed = {name: replace(state, nodes='{"node_1": {}}') for name, state in first.items()}
    for states in (first, changed, first):
        folder.save(folder.meta, states)
        assert untouched(SimulationFolder(folder.root)) == states


def test_steps_after_the_save_are_forgotten(storage, put, untouched):
    """Recovery removes movement from the saved step on, environment after it, and what was half-written."""
    folder = SimulationFolder(storage / "base")
    for step in range(4):
        folder.root.joinpath("movement").mkdir(exist_ok=True)
        folder.write_movement(step, MOVES, folder.meta.curr_time)
        folder.write_environment(step + 1, {name: move.movement for name, move in MOVES.items()})
    folder.save(replace(folder.meta, step=2), untouched(folder))
    put(folder.root / "movement/.2.json.tmp", "{")
    folder.recover()
    assert sorted(path.name for path in (folder.root / "movement").iterdir()) == ["0.json", "1.json"]
    assert sorted(path.name for path in (folder.root / "environment").iterdir()) == ["0.json", "1.json", "2.json"]


def test_people_start_where_they_were_left(storage, untouched):
    """Positions come from the environment of the next step, and without it from the last movement."""
    folder = SimulationFolder(storage / "base")
    assert folder.starting_positions() == {"Ada Stone": (1, 2), "Ben Reed": (1, 3)}
    assert folder.read_environment(1) is None
    folder.recover()
    folder.write_movement(0, MOVES, datetime(2023, 2, 13))
    folder.save(replace(folder.meta, step=1), untouched(folder))
    assert folder.starting_positions() == {name: move.movement for name, move in MOVES.items()}


def test_every_persona_needs_a_position(storage, put):
    """An invalid position is named with its file and persona."""
    folder = SimulationFolder(storage / "base")
    put(folder.root / "environment/0.json", '{"Ada Stone": {"x": 1, "y": 2}, "Ben Reed": {"x": "1", "y": 2}}')
    with pytest.raises(CorruptFile, match=r"0\.json: Ben Reed\.x is not a whole number"):
        folder.starting_positions()
    (folder.root / "environment/0.json").unlink()
    with pytest.raises(CorruptFile, match=r"0.json is missing"):
        folder.starting_positions()


def test_the_cast_is_who_has_a_folder(storage):
    """A folder without a meta entry, and an entry without a folder, are a clear line each; stray files are ignored."""
    folder = SimulationFolder(storage / "base")
    (folder.root / "personas/notes.txt").write_text("", "utf-8")
    (folder.root / "personas/.hidden").mkdir()
    folder.check_cast()
    (folder.root / "personas/Cy Doe").mkdir()
    with pytest.raises(CorruptFile, match="Cy Doe is not in persona_names"):
        folder.check_cast()
    (folder.root / "personas/Cy Doe").rmdir()
    shutil.rmtree(folder.root / "personas/Ben Reed")
    with pytest.raises(CorruptFile, match="Ben Reed is missing"):
        folder.check_cast()


def test_what_may_be_missing_is_empty(storage):
    """Without a tree of places or keyword strengths a persona has none; without a scratch it is no persona."""
    folder = SimulationFolder(storage / "base")
    memory = folder.root / "personas/Ada Stone/bootstrap_memory"
    (memory / "spatial_memory.json").unlink()
    (memory / "associative_memory/kw_strength.json").unlink()
    files = folder.read_persona("Ada Stone")
    assert (files.spatial_memory, files.kw_strength["kw_strength_event"], files.last_accessed) == ({}, {}, {})
    (memory / "scratch.json").unlink()
    with pytest.raises(CorruptFile, match="scratch.json is missing"):
        folder.read_persona("Ada Stone")
