"""`simulations.py` keeps simulations in order, and says what it did."""

import pytest

from ville.cli.simulations_command import main
from ville.storage.folder.storage import fork, simulations


@pytest.fixture
def told(small_town, monkeypatch, capsys):
    """Return a function that runs the command in a folder with `first` and `second`, and returns its lines."""
    storage = small_town.settings.fs_storage
    monkeypatch.setenv("VILLE_FS_STORAGE", str(storage))
    monkeypatch.setenv("VILLE_FS_TEMP_STORAGE", str(small_town.settings.fs_temp_storage))
    monkeypatch.setenv("VILLE_ASSETS", str(small_town.settings.assets))
    for name in ("first", "second"):
        fork(storage, "base", name)

    def run(*words: str, code: int = 0) -> list[str]:
        assert main(list(words)) == code
        out, err = capsys.readouterr()
        return (err if code else out).splitlines()

    return run


def test_what_is_said_of_simulations_finds_them(told):
    """Name, title, note, tags and people; in any case, every word."""
    told("describe", "first", "--title", "A mill", "--note", "Who buys it?", "--tags", "pilot", "spring 2023")
    assert told("describe", "first") == ["first: A mill", "#pilot #spring 2023", "Who buys it?"]
    for words in (["FIRST"], ["mill"], ["buys", "pilot"], ["#spring"], ["ada", "mill"]):
        lines = told("list", *words)
        assert lines[0].startswith("first ")
        assert lines[1:] == ["1 simulation"]
    assert told("list", "windmill") == ["None is found."]
    assert told("list")[-1] == "3 simulations"
    assert told("describe", "first", "--tags", "x" * 41, code=1) == [
        f"A tag has at most 40 characters: shorten '{'x' * 41}'."
    ]


def test_names_change_and_come_back(told, small_town):
    told("rename", "first", "party")
    assert "party" in told("delete", "party", "second")[0]
    assert simulations(small_town.settings.fs_storage) == ["base"]
    assert [line.split()[0] for line in told("list", "--bin")] == ["second", "party", "Restore"]
    told("restore", "party")
    assert told("restore", "party", code=1) == [
        "There is no 'party' in the bin, where simulations are kept for a day. There are: second."
    ]
    assert "party" in simulations(small_town.settings.fs_storage)


def test_moments_are_marked(told):
    assert told("mark", "first") == ["'first' has no marks."]
    assert told("mark", "first", "0", "The", "beginning") == ["        0  The beginning"]
    assert len(told("mark", "first", "9", "Later", code=1)) == 1
    assert told("mark", "first", "0") == ["'first' has no marks."]


def test_what_cannot_be_done_is_one_line(told):
    for words in (["rename", "first", "base"], ["delete", "nobody"], ["restore", "first"], ["undo", "first"]):
        assert len(told(*words, code=1)) == 1
