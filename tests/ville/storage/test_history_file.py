"""Histories: names and the whispers that become memories."""

import os

import pytest

from ville.errors import BadArgument, CorruptFile
from ville.storage.files import LARGEST_FILE
from ville.storage.folders import folder_path
from ville.storage.history_file import find_history, read_history


@pytest.fixture
def history(tmp_path):
    def write(text: str):
        path = tmp_path / "history.csv"
        path.write_text(text, "utf-8")
        return read_history(path)

    return write


def test_whispers_are_separated_by_semicolons(history):
    """Pieces are stripped, empty ones left out; the heading and blank rows are no people."""
    read = history('Name,Whisper\n\nAda Stone,"You know Ben; ; You like tea, too;"\nBen Reed,Hello\n')
    assert read.whispers == (("Ada Stone", ("You know Ben", "You like tea, too")), ("Ben Reed", ("Hello",)))
    assert read.warnings == ()


def test_an_unquoted_comma_cuts_nothing_off(history):
    """The classic files have some: the text is whole, and a warning names the row."""
    read = history("Name,Whisper\nAda Stone,You like tea, and cake; You sing\n")
    assert read.whispers == (("Ada Stone", ("You like tea, and cake", "You sing")),)
    assert read.warnings[0].startswith("history.csv:2:")


def test_a_row_without_whispers_is_a_fault_with_its_line(history):
    """Nothing is taken from a file that is not a history."""
    with pytest.raises(CorruptFile, match="history.csv:3"):
        history("Name,Whisper\nAda Stone,Hello\nBen Reed\n")


def test_a_quote_that_never_ends_is_a_fault_with_its_line(history):
    """All that follows would be one field, longer than the reader takes."""
    with pytest.raises(CorruptFile, match=r"history.csv:\d+ is not CSV"):
        history('Name,Whisper\nAda Stone,"Hello\n' + "Ben Reed,Hello\n" * 20_000)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("kind", ["device", "pipe", "folder", "large"])
def test_only_files_of_a_reasonable_size_are_read(tmp_path, kind):
    """An endless file is refused at once, and so is one of an unreasonable size."""
    path = tmp_path / "history.csv"
    match kind:
        case "device":
            path.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "large":
            with path.open("wb") as file:
                file.truncate(LARGEST_FILE + 1)
    with pytest.raises(CorruptFile, match="history.csv"):
        read_history(path)


def test_a_missing_file_is_one_clear_line(tmp_path):
    """The path is named."""
    with pytest.raises(CorruptFile, match="none.csv is missing"):
        read_history(tmp_path / "none.csv")


@pytest.mark.parametrize(
    "name", ["../x.csv", "/etc/passwd", "a\0.csv", "\ud800.csv", "x" * 5000, "history.txt", "", "."]
)
def test_only_histories_below_the_assets_can_be_named(tmp_path, name):
    """Whatever a page sends, the answer is a short line."""
    with pytest.raises(BadArgument, match="is not a history") as raised:
        find_history(tmp_path, name)
    assert len(str(raised.value)) < 500


def test_links_in_a_circle_are_no_history(tmp_path):
    """They are refused in one line, like another file that cannot be read; so is a setting that names them."""
    (tmp_path / "own.csv").symlink_to("own.csv")
    assert folder_path(tmp_path / "own.csv") == tmp_path / "own.csv"
    with pytest.raises(CorruptFile, match=r"own\.csv"):
        read_history(find_history(tmp_path, "own.csv"))
