"""The command that packs a simulation, and writes all of its files again."""

import pytest

from ville.cli import steps_command
from ville.storage.compressed.compression import compress
from ville.storage.steps.step_files import MovementWriter
from ville.storage.steps.step_store import StepStore


@pytest.mark.parametrize(("people", "is_packed"), [("9", False), ("2", True), ("0", False)])
def test_people_are_packed_where_enough_live_and_unpacked_as_they_were(
    small_town, monkeypatch, capsys, people, is_packed
):
    """By the setting, as saves do; packing and unpacking again change nothing."""
    monkeypatch.setenv("VILLE_PACK_PEOPLE", people)
    root = small_town.root / "storage/base"
    before = {path.relative_to(root): path.read_bytes() for path in root.rglob("*.*") if path.is_file()}
    for act in ("pack", "pack", "unpack", "unpack"):
        assert steps_command.main([act, "base", "--storage", str(root.parent)]) == 0
        assert (root / "reverie/people.json").exists() == (is_packed and act == "pack")
        assert (root / "personas").exists() != (is_packed and act == "pack")
    assert {path.relative_to(root): path.read_bytes() for path in root.rglob("*.*") if path.is_file()} == before
    assert "'base' has" in capsys.readouterr().out


def test_a_recording_is_packed_and_unpacked_too(small_town, monkeypatch, capsys):
    """Where no simulation has its name: what people remember, as it was."""
    monkeypatch.setenv("VILLE_PACK_PEOPLE", "2")
    base, root = small_town.root / "storage/base", small_town.root / "recordings/day"
    monkeypatch.setenv("VILLE_FS_COMPRESSED_STORAGE", str(root.parent))
    steps = StepStore(base)
    steps.prepare()
    steps.write_movement(0, MovementWriter().text({}, "February 13, 2023, 00:00:00"))
    compress(base, root)
    before = {path.relative_to(root): path.read_bytes() for path in root.rglob("*.*") if path.is_file()}
    for act in ("pack", "unpack"):
        assert steps_command.main([act, "day", "--storage", str(base.parent)]) == 0
        assert (root / "reverie/people.json").exists() == (act == "pack")
    assert {path.relative_to(root): path.read_bytes() for path in root.rglob("*.*") if path.is_file()} == before
    assert steps_command.main(["pack", "nobody", "--storage", str(base.parent)]) == 1
    assert "nobody" in capsys.readouterr().err
