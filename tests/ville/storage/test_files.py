"""Laws of single files."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ville.errors import CannotWrite, CorruptFile
from ville.storage.files import (
    LARGEST_FILE,
    LARGEST_MEMORIES,
    LARGEST_SAVED,
    check_no_links,
    check_plain,
    compact,
    pretty,
    read_json,
    read_members,
    read_object,
    read_object_if_whole,
    write_text,
)

texts = st.dictionaries(st.text(), st.recursive(st.none() | st.floats() | st.text(), st.lists, max_leaves=5)).map(
    lambda value: json.dumps(value, indent=2)
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts, st.integers(0, 40), st.integers(0, 3), st.sampled_from(["", ",", ":", "}", "{", '"', "0", " ", "[", "]"]))
@example('{"a": 1, "a": 2}', 0, 0, "")
@example('{"a": 1,}', 0, 0, "")
@example("{1: 1}", 0, 0, "")
@example("[1]", 0, 0, "")
def test_members_one_by_one_are_those_of_the_whole(tmp_path, text, at, less, more):
    """Of any object and of any that is spoilt: the json module, which reads all at once, has the last word."""
    path = tmp_path / "object.json"
    path.write_text(text[:at] + more + text[at + less :], "utf-8")
    whole = read_object_if_whole(path)
    try:
        found = dict(read_members(path, tmp_path, most=LARGEST_FILE))
    except ValueError:
        found = None
    assert found == whole


def test_forms_are_ascii_and_end_without_a_newline():
    """Both forms escape everything that is not ASCII and end with the value."""
    assert pretty({"emoji": "😴"}) == '{\n  "emoji": "\\ud83d\\ude34"\n}'
    assert compact({"a": [1, "é"]}) == '{"a": [1, "\\u00e9"]}'


def test_faults_name_file_and_line(tmp_path):
    """A file that is absent, no JSON, unreadable or no object is one line that names it, and the line in it if any."""
    path = tmp_path / "nodes.json"
    with pytest.raises(CorruptFile, match="nodes.json is missing"):
        read_json(path)
    path.write_text('{"a": 1,\n\n  b}', "utf-8")
    with pytest.raises(CorruptFile, match=r"nodes.json:3 is not JSON"):
        read_json(path)
    for unreadable in (b'"\xff"', b"[" * 100_000, b"1" * 5_000):
        path.write_bytes(unreadable)
        with pytest.raises(CorruptFile, match="nodes.json cannot be read"):
            read_json(path)
    path.write_text("[]", "utf-8")
    with pytest.raises(CorruptFile, match="nodes.json:1 is not a JSON object"):
        read_object(path)


def test_a_byte_order_mark_is_no_fault(tmp_path):
    """Files saved by an editor that writes a byte order mark are read."""
    path = tmp_path / "meta.json"
    path.write_text('{"a": 1}\n\n', "utf-8-sig")
    assert read_object(path) == {"a": 1}


def test_a_refused_write_leaves_what_was(tmp_path, monkeypatch):
    """If the disk is full, the old file stands, nothing half-written is left, and the fault names file and reason."""
    path = tmp_path / "meta.json"
    write_text(path, "old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(CannotWrite, match=r"meta.json cannot be written \(No space left on device\)"):
        write_text(path, "new")
    assert [(file.name, file.read_text("utf-8")) for file in tmp_path.iterdir()] == [("meta.json", "old")]


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of a Unix")
def test_links_and_pipes_are_neither_read_nor_written_through(tmp_path):
    """Their targets stay as they were; a pipe does not block; a plain file takes their place."""
    outside, path = tmp_path / "outside", tmp_path / "scratch.json"
    outside.write_text('{"a": 1}', "utf-8")
    path.symlink_to(outside)
    with pytest.raises(CorruptFile, match="scratch.json is a link"):
        read_json(path)
    write_text(path, "{}")
    assert (outside.read_text("utf-8"), path.is_symlink(), read_json(path)) == ('{"a": 1}', False, {})
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(CorruptFile, match="pipe.json is a device or a pipe"):
        read_json(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(CorruptFile, match="folder.json is a folder"):
        read_json(tmp_path / "folder.json")


def test_a_file_that_nobody_can_have_meant_is_not_read(tmp_path):
    """It takes no disk, but would fill the memory: a gigabyte for vectors, much less for the rest."""
    path = tmp_path / "scratch.json"
    memories = partial(read_object, most=LARGEST_MEMORIES)
    limits = ((read_json, LARGEST_SAVED), (memories, LARGEST_MEMORIES), (read_object_if_whole, LARGEST_FILE))
    for read, most in limits:
        path.write_text("{}", "utf-8")
        os.truncate(path, most + 1)
        with pytest.raises(CorruptFile, match=rf"at most {most:,} are allowed"):
            read(path)


@pytest.mark.skipif(os.name == "nt", reason="links of a Unix")
def test_folders_on_the_way_may_not_be_links(tmp_path):
    """From the folder of a simulation on; that folder itself may be one."""
    (tmp_path / "elsewhere" / "movement").mkdir(parents=True)
    (tmp_path / "elsewhere" / "movement" / "0.json").write_text("{}", "utf-8")
    (tmp_path / "run").symlink_to(tmp_path / "elsewhere")
    assert read_object_if_whole(tmp_path / "run" / "movement" / "0.json", tmp_path / "run") == {}
    (tmp_path / "elsewhere" / "environment").symlink_to(tmp_path / "elsewhere" / "movement")
    with pytest.raises(CorruptFile, match="environment is a link"):
        read_object_if_whole(tmp_path / "run" / "environment" / "0.json", tmp_path / "run")
    with pytest.raises(CorruptFile, match="environment is a link"):
        check_no_links(tmp_path / "run" / "environment", tmp_path / "run")


@pytest.mark.skipif(os.name == "nt", reason="links of a Unix")
def test_all_links_are_named_at_once(tmp_path):
    """So that one need not try again after each."""
    (tmp_path / "visuals").mkdir()
    (tmp_path / "plain.png").touch()
    check_plain(tmp_path)
    (tmp_path / "visuals" / "b.png").symlink_to(tmp_path / "plain.png")
    with pytest.raises(CorruptFile, match=r"b\.png is a link"):
        check_plain(tmp_path)
    (tmp_path / "visuals" / "a.png").symlink_to(tmp_path / "gone.png")
    with pytest.raises(CorruptFile, match=r"visuals/a\.png, .*visuals/b\.png are links"):
        check_plain(tmp_path)


@pytest.mark.parametrize(
    "text", [b"", b"{", b'{"a": 1', b"[1]", b"1", b"\0", b"[" * 100_000, b"1" * 5_000, b'{"a": "\xff"}']
)
def test_an_incomplete_object_is_not_there_yet(tmp_path, text):
    """Older engines write in place: pages that read too early read again."""
    (tmp_path / "1.json").write_bytes(text)
    assert read_object_if_whole(tmp_path / "1.json") is None
    assert read_object_if_whole(tmp_path / "2.json") is None
    assert read_object_if_whole(tmp_path / "1.json" / "3.json") is None


def test_numbers_that_browsers_do_not_read_are_none(tmp_path):
    """NaN and Infinity, also as the result of an overflow."""
    (tmp_path / "1.json").write_text('{"a": [NaN, Infinity, -Infinity, 1e999, 1.5]}', "utf-8")
    assert read_object_if_whole(tmp_path / "1.json") == {"a": [None, None, None, None, 1.5]}


def test_a_folder_in_place_of_a_file_is_named(tmp_path):
    """Waiting would not help."""
    (tmp_path / "1.json").mkdir()
    with pytest.raises(CorruptFile, match=r"1\.json"):
        read_object_if_whole(tmp_path / "1.json")
    with pytest.raises(CannotWrite, match=r"1\.json cannot be written"):
        write_text(tmp_path / "1.json", "{}")
    assert [file.name for file in tmp_path.iterdir()] == ["1.json"]


def test_a_file_is_replaced_whole_by_several_writers(tmp_path):
    """Readers find one of the texts, and no other file is left."""
    path = tmp_path / "1.json"
    texts = [pretty({str(number): "x" * 50_000}) for number in range(4)]
    with ThreadPoolExecutor(6) as threads:
        writers = [threads.submit(write_text, path, text) for text in texts * 25]
        while not path.exists():
            pass
        seen = {path.read_text("utf-8") for _ in range(300)}
        for writer in writers:
            writer.result()
    assert seen <= set(texts)
    assert [file.name for file in tmp_path.iterdir()] == ["1.json"]
