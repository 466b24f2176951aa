"""One file at a time."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from translator.errors import Damaged
from translator.storage.files import numbers, pretty, read_object, write_text


def test_the_classic_serialisation():
    """As json.dumps with an indent of two writes it: ASCII, no newline at the end."""
    value = {"a": ["😴", None, {"b": 1}]}
    assert pretty(value) == json.dumps(value, indent=2)
    assert pretty(value).isascii()


@pytest.mark.parametrize("text", ["", "{", '{"a": 1', "[1]", "1", "\x00", "[" * 100_000, "1" * 5_000])
def test_half_a_file_is_not_there_yet(tmp_path, text):
    """The classic engine writes in place; whoever reads too early reads again."""
    (tmp_path / "1.json").write_text(text, "utf-8")
    assert read_object(tmp_path / "1.json") is None
    assert read_object(tmp_path / "2.json") is None
    assert read_object(tmp_path / "1.json" / "3.json") is None


def test_bytes_that_are_no_text_are_not_there(tmp_path):
    """A file in another encoding cannot be understood."""
    (tmp_path / "1.json").write_bytes(b'{"a": "\xff"}')
    assert read_object(tmp_path / "1.json") is None


def test_a_file_that_cannot_be_read_says_so(tmp_path):
    """A folder in its place, for example."""
    (tmp_path / "1.json").mkdir()
    with pytest.raises(Damaged, match="1.json cannot be read"):
        read_object(tmp_path / "1.json")


def test_a_file_is_replaced_whole(tmp_path):
    """Many write at once and others read: every reader finds one of the texts, and nothing else is left behind."""
    path = tmp_path / "new" / "1.json"
    texts = [pretty({str(number): "x" * 50_000}) for number in range(4)]
    with ThreadPoolExecutor(6) as threads:
        writers = [threads.submit(write_text, path, text) for text in texts * 25]
        while not path.exists():
            pass
        seen = {path.read_text("utf-8") for _ in range(300)}
        for writer in writers:
            writer.result()
    assert seen <= set(texts)
    assert [entry.name for entry in path.parent.iterdir()] == ["1.json"]


def test_a_refused_write_says_so_and_leaves_nothing(tmp_path):
    """A file stands where the folder should be."""
    (tmp_path / "folder").write_text("", "utf-8")
    with pytest.raises(Damaged, match="cannot be written"):
        write_text(tmp_path / "folder" / "1.json", "{}")
    (tmp_path / "2.json").mkdir()
    with pytest.raises(Damaged, match="cannot be written"):
        write_text(tmp_path / "2.json", "{}")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["2.json", "folder"]


def test_steps_are_files_with_numbers(tmp_path):
    """Whatever else lies between them."""
    for name in ("0.json", "41.json", ".5.json.tmp", "notes.json", "7.txt", "-1.json"):
        (tmp_path / name).write_text("{}", "utf-8")
    assert sorted(numbers(tmp_path)) == [0, 41]
    assert not list(numbers(tmp_path / "missing"))
