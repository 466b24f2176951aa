"""Laws of writing: whole or not at all."""

import pytest

from town_builder.files import write_text


def test_the_bytes_are_the_same_everywhere(tmp_path):
    """UTF-8 and plain line ends, whatever the system; the folder is made."""
    write_text(tmp_path / "new/town.csv", "Zoë\n1, 2\n")
    assert (tmp_path / "new/town.csv").read_bytes() == b"Zo\xc3\xab\n1, 2\n"


def test_what_was_there_stays_until_the_new_is_whole(tmp_path):
    """A text that cannot be written does not cost the file that it was to replace."""
    path = tmp_path / "town.csv"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800")
    assert path.read_text("utf-8") == "old"
