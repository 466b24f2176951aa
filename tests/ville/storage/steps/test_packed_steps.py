"""Packed steps read like files of their own, and become them again byte for byte."""

import json
import random
import shutil

import pytest
from hypothesis import example, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from ville.errors import CorruptFile
from ville.storage.steps import held_steps, hour_pack, packed_steps, step_store
from ville.storage.steps.frames import valid_frame
from ville.storage.steps.held_steps import HeldSteps
from ville.storage.steps.step_files import EnvironmentWriter, MovementWriter, MoveRecord
from ville.storage.steps.step_store import StepStore

HOUR, STEPS = 6, 3 * 6 + 2
"""Short hours, and days of two hours, so that a few steps are enough."""
NAMES = ("Ada Stone", 'Ben "B" Reed', "Cléo")


@pytest.fixture(scope="module", autouse=True)
def short_hours():
    with pytest.MonkeyPatch.context() as patch:
        for module in (hour_pack, packed_steps, step_store, held_steps):
            patch.setattr(module, "HOUR", HOUR)
            patch.setattr(module, "DAY", 2 * HOUR, raising=False)
        yield


def sound_town(root, chance):
    """Write three hours and two steps: people move, talk, come and go; a visitor is reported."""
    store, moves, places = StepStore(root), MovementWriter(), EnvironmentWriter("the_town")
    root.mkdir(exist_ok=True)
    store.prepare()
    here, records = [*NAMES[:2]], {name: MoveRecord((1, 1), "🙂", "idle @ <x>", None) for name in NAMES}
    store.write_environment(0, places.text({name: records[name].movement for name in here}))
    for step in range(STEPS):
        who = chance.choice(NAMES)
        if chance.random() < 0.2:
            here = [name for name in NAMES if name != who or name not in here] or [who]
        chat = (((who, "Hi\n“there”"),) * chance.randrange(3)) or None
        tile = chance.randrange(140), chance.randrange(100)
        records[who] = chance.choice([records[who], MoveRecord(tile, "☕", f"tea {tile} @ a:b", chat)])
        store.write_movement(step, moves.text({name: records[name] for name in here}, f"time {step}"))
        standing = {name: records[name].movement for name in here}
        visitor = {"Visitor": (3, 4)} if chance.random() < 0.1 else {}
        store.write_environment(step + 1, places.text(standing | visitor))
    return store


def town(root, chance):
    """Write such a town, some files of which are damaged."""
    store = sound_town(root, chance)
    for path in chance.sample(sorted(root.rglob("*.json")), 5):
        path.write_bytes(chance.choice([b"", b"{", b'\xff\xfe\n    "', path.read_bytes() + b"\n", b'{"persona": []}']))
    return store


def seen(store):
    """Return all that readers get of each step."""
    return [
        (
            store.movement_bytes(step), store.environment_bytes(step), store.movement(step), store.environment(step),
            store.frame(step), store.positions(step), store.size(step), store.shows(step), store.places(step),
        )
        for step in (-1, *range(STEPS + 2))
    ] + [sorted(store.shown()), sorted(store.placed())]  # fmt: skip


@pytest.fixture
def loose(tmp_path, chance):
    return town(tmp_path / "loose", chance)


@pytest.fixture
def chance():
    return random.Random(3)  # noqa: S311 - any numbers will do


@examples(max_examples=20)
@given(st.integers(0, 10_000))
@example(190)  # the records of a step are no object
def test_packed_steps_read_alike_and_unpack_byte_for_byte(tmp_path_factory, files_below, seed):
    """In any town, also where files are damaged."""
    store = town(tmp_path_factory.mktemp("town") / "run", random.Random(seed))  # noqa: S311 - any numbers will do
    before, files = seen(store), files_below(store.root)
    store.pack(STEPS)
    assert len(files_below(store.root)) == 2 + 2 + 3
    assert seen(store) == before
    store.unpack()
    assert files_below(store.root) == files


@pytest.mark.parametrize("seed", range(6))
def test_frames_are_the_same_in_whatever_order_they_are_read(tmp_path, seed):
    """Records that stay as they were are not read again; nothing else is taken over."""
    chance = random.Random(seed)  # noqa: S311 - any numbers will do
    store = town(tmp_path / "town", chance)
    if seed % 2:
        store.pack(STEPS)
    for step in [*range(STEPS), *chance.choices(range(STEPS), k=2 * STEPS)]:
        frame, found = store.frame(step)
        movement = store.movement(step)
        assert (
            (frame, len(found)) == ({}, 1) if movement is None else valid_frame(movement.get("persona", {}))[0] == frame
        )


def test_a_kill_between_packing_and_removing_changes_nothing(loose, files_below, monkeypatch):
    """Both are there then; the next time, the files are removed."""
    before, kept = seen(loose), shutil.copytree(loose.root, loose.root.with_name("kept"))
    with monkeypatch.context() as patch:
        patch.setattr(step_store, "remove_loose", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            loose.pack(STEPS)
    assert seen(loose) == before
    for step in range(2, 5):
        loose.movement_file(step).unlink()
    loose.pack(STEPS)
    assert seen(loose) == before
    (whole := StepStore(kept)).pack(STEPS)
    assert files_below(loose.root) == files_below(whole.root)


@pytest.mark.parametrize("step", [0, 1, 5, 6, 7, 12, 17, STEPS])
@pytest.mark.parametrize("deed", ["cut", "copy", "link"])
def test_a_part_of_packed_steps_is_that_part(loose, tmp_path, step, deed):
    """Cut after a save, or copied to a branch, with links or without; the origin of a copy is as it was."""
    packed = StepStore(shutil.copytree(loose.root, tmp_path / "packed"))
    packed.pack(STEPS)
    before = seen(packed)
    pair = [loose, packed]
    for place, store in enumerate(pair):
        if deed == "cut":
            store.cut(step)
        else:
            pair[place] = StepStore(tmp_path / f"copy{place}" / store.root.name)
            pair[place].root.mkdir(parents=True)
            store.copy(pair[place].root, range(step), links=deed == "link")
    named = [json.dumps(seen(store), default=repr).replace(store.root.name, "") for store in pair]
    assert named[0] == named[1]
    assert deed == "cut" or seen(packed) == before


def test_a_damaged_pack_is_named(loose, monkeypatch):
    """Those who need a step get an error; a frame has a flaw. An hour is read once, however many of its steps are."""
    loose.pack(STEPS)
    tried, unpacked = [], packed_steps.unpacked
    monkeypatch.setattr(packed_steps, "unpacked", lambda *hour: tried.append(hour) or unpacked(*hour))
    path = loose.movement_file(0).with_name("0.pack")
    content = path.read_bytes()
    for damage in (b"x", content[:-1], content[:40] + b"x" + content[41:], content * 2):
        path.write_bytes(damage)
        frame, flaws = loose.frame(5)
        assert (frame, len(flaws)) == ({}, 1)
        tried.clear()
        with pytest.raises(CorruptFile, match=r"0\.pack is damaged"):
            loose.read_movement(5)
        assert [loose.frame(step)[0] for step in range(HOUR)] == [{}] * HOUR
        assert tried == []


@examples(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_held_steps_are_those_that_are_written_one_by_one(tmp_path_factory, files_below, seed):
    """Whenever they are written between, because of a save or since they are held for long, and though some are added
    again; killed at any moment, all is there that was before the last time.
    """
    chance = random.Random(seed)  # noqa: S311 - any numbers will do
    root = tmp_path_factory.mktemp("towns")
    loose, store = sound_town(root / "loose", chance), StepStore(root / "run")
    store.root.mkdir()
    store.prepare()
    first, killed, saved = chance.choice([0, 0, 2]), chance.randrange(STEPS), 0
    loose.copy(store.root, range(first))
    held = HeldSteps(store)
    with pytest.MonkeyPatch.context() as patch:
        for step in range(first, STEPS):
            patch.setattr(held_steps, "LATEST", chance.choice([-1, *[1000] * 20]))
            for _ in range(chance.choice([1, 1, 2])):
                held.add(step, loose.movement_bytes(step), loose.environment_bytes(step + 1), fsync=False)
            if chance.random() < 0.1:
                held.write()
                saved = step + 1 if step < killed else saved
            if step == killed:
                shutil.copytree(store.root, root / "killed")
    held.write()
    unpacked = StepStore(shutil.copytree(store.root, root / "unpacked"))
    unpacked.unpack()
    assert files_below(unpacked.root) == files_below(loose.root)
    if saved:
        rest = StepStore(root / "killed")
        whole = StepStore(shutil.copytree(loose.root, root / "whole"))
        for each in (rest, whole):
            each.cut(saved)
            each.pack(saved)
        assert files_below(rest.root) == files_below(whole.root)
    for each in (store, loose):
        each.pack(STEPS)
    assert files_below(store.root) == files_below(loose.root)
