"""The one place that knows how steps are kept."""

import ast
from pathlib import Path

import pytest

from ville.errors import CorruptFile
from ville.storage.steps.step_store import StepStore

PROJECT = Path(__file__).resolve().parents[4]


@pytest.fixture
def store(tmp_path):
    """Four steps: a movement for each, and the positions before the fifth, which is to come."""
    store = StepStore(tmp_path / "run")
    store.root.mkdir()
    store.prepare()
    for step in range(4):
        store.write_movement(step, f'{{"persona": {{}}, "step": {step}}}')
    for step in range(5):
        store.write_environment(step, "{}")
    return store


def test_steps_are_what_has_a_number(store):
    """Other files are ignored; a folder that is not there has no steps."""
    for name in (".5.json.tmp", "notes.json", "7.txt", "-1.json", "9999999999.json"):
        (store.movement_file(0).parent / name).write_text("{}", "utf-8")
    assert (sorted(store.shown()), sorted(store.placed())) == ([0, 1, 2, 3], [0, 1, 2, 3, 4])
    assert [store.shows(3), store.shows(4), store.places(4), store.places(5)] == [True, False, True, False]
    nothing = StepStore(store.root / "missing")
    assert (nothing.shown(), nothing.placed(), nothing.frame(0), nothing.movement_bytes(0)) == ([], [], ({}, []), b"")


def test_what_comes_after_a_save_is_cut(store):
    """With what an interrupted write left; the positions before the next step stay."""
    (store.movement_file(0).parent / ".9.json.tmp").write_text("{", "utf-8")
    store.cut(2)
    assert (sorted(store.shown()), sorted(store.placed())) == ([0, 1], [0, 1, 2])
    assert not list(store.root.rglob("*.tmp"))


def test_a_copy_has_the_steps_asked_for(store, tmp_path):
    """Byte for byte, with the positions after the last one."""
    store.copy(tmp_path / "copy", range(1, 3))
    copy = StepStore(tmp_path / "copy")
    assert (sorted(copy.shown()), sorted(copy.placed())) == ([1, 2], [1, 2, 3])
    assert copy.movement_bytes(2) == store.movement_bytes(2)


def test_a_damaged_step_has_no_frame_but_a_flaw(store):
    """Those who need all of it get an error that names the file."""
    store.movement_file(2).write_text('{"persona": {"Ada', "utf-8")
    frame, flaws = store.frame(2)
    assert (frame, [flaw.file for flaw in flaws]) == ({}, ["run/movement/2.json"])
    with pytest.raises(CorruptFile, match="2.json"):
        store.read_movement(2)


def test_no_other_module_builds_the_path_of_a_step():
    """So that steps can be kept in another form by changing one module."""
    rooms = (
        PROJECT / "reverie" / "backend_server" / "ville",
        PROJECT / "environment" / "frontend_server" / "translator",
    )
    modules = [path for room in rooms for path in (PROJECT / room).rglob("*.py") if path.name != "step_store.py"]
    paths = [
        f"{path.name}:{node.lineno}"
        for path in modules
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
        for side in (node.left, node.right)
        if isinstance(side, ast.Constant) and side.value == "movement"
    ]
    assert modules
    assert not paths
