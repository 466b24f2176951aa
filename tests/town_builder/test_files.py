"""Files are written completely or not at all."""

import pytest

from town_builder.files import write_text


def test_the_bytes_are_the_same_everywhere(tmp_path):
    r"""Text is written as UTF-8 with `\n` on every system, and the folder is created."""
    write_text(tmp_path / "new/town.csv", "Zoë\n1, 2\n")
    assert (tmp_path / "new/town.csv").read_bytes() == b"Zo\xc3\xab\n1, 2\n"


def test_a_failed_write_keeps_the_old_file(tmp_path):
    """A text that cannot be encoded does not destroy the existing file."""
    path = tmp_path / "town.csv"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800")
    assert path.read_text("utf-8") == "old"
