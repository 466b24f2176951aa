"""The command that packs a simulation, and writes all of its files again."""

import pytest

from ville.cli import steps_command


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
