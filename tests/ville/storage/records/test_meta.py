"""Laws of meta.json."""

import json
from dataclasses import fields
from datetime import datetime

import pytest

from ville.errors import CorruptFile
from ville.storage.files import pretty
from ville.storage.records.meta import Meta, read_meta, read_meta_if_whole

CLASSIC = {
    "fork_sim_code": "base_town",
    "start_date": "February 13, 2023",
    "curr_time": "February 13, 2023, 00:01:00",
    "sec_per_step": 10,
    "maze_name": "the_ville",
    "persona_names": ["Ada Stone", "Ben Reed"],
    "step": 6,
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "meta.json"


def test_a_classic_file_is_written_as_it_was_read(path):
    """Reading and writing the classic form gives the same text."""
    path.write_text(json.dumps(CLASSIC, indent=2), "utf-8")
    assert pretty(read_meta(path).as_json()) == path.read_text("utf-8")


@pytest.mark.parametrize("key", [field.name for field in fields(Meta)])
def test_a_missing_key_is_named(path, key):
    """To run, all keys are needed; to be shown, those about forking are not."""
    path.write_text(json.dumps({name: value for name, value in CLASSIC.items() if name != key}), "utf-8")
    with pytest.raises(CorruptFile, match=rf"meta\.json: {key} is missing"):
        read_meta(path)
    if key in {"fork_sim_code", "start_date"}:
        assert read_meta_if_whole(path, path.parent).step == CLASSIC["step"]
    else:
        with pytest.raises(CorruptFile, match=rf"^{path.parent.name}/meta\.json: {key} is missing"):
            read_meta_if_whole(path, path.parent)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("curr_time", "noon"),
        ("curr_time", 5),
        ("start_date", "13 February 2023"),
        ("sec_per_step", 0),
        ("sec_per_step", 10**9),
        ("sec_per_step", "10"),
        ("maze_name", "../the_ville"),
        ("maze_name", "a\x00b"),
        ("persona_names", "Ada Stone"),
        ("persona_names", ["Ada Stone", "Ada Stone"]),
        ("persona_names", ["../escape"]),
        ("persona_names", [3]),
        ("step", -1),
        ("step", 10**11),
        ("step", True),
        ("step", float("inf")),
    ],
)
def test_an_invalid_value_is_named(path, key, value):
    """With its key, and quoted for those who are to correct it."""
    path.write_text(json.dumps(CLASSIC | {key: value}), "utf-8")
    with pytest.raises(CorruptFile, match=rf"meta\.json: {key}") as fault:
        read_meta(path)
    assert repr(value) in str(fault.value)
    if key != "start_date":
        with pytest.raises(CorruptFile, match=rf"meta\.json: {key}"):
            read_meta_if_whole(path, path.parent)


def test_a_file_that_is_missing_or_incomplete_is_named(path):
    """Also by those who only show the simulation."""
    for text in (None, '{"step": ', "[]"):
        if text:
            path.write_text(text, "utf-8")
        with pytest.raises(CorruptFile, match=r"meta\.json is (missing|not a JSON object)"):
            read_meta_if_whole(path, path.parent)
        with pytest.raises(CorruptFile, match=r"meta\.json"):
            read_meta(path)


def test_time_is_counted_back_from_the_current_time(path):
    """So it is right for simulations that did not begin at midnight, too. It ends with the year 9999."""
    path.write_text(json.dumps(CLASSIC | {"curr_time": "February 13, 2023, 06:01:00"}), "utf-8")
    meta = read_meta(path)
    assert meta.start == meta.time_of(0) == datetime(2023, 2, 13, 6)
    assert meta.time_of(8640) == datetime(2023, 2, 14, 6)
    assert meta.time_of(10**12) == datetime(9999, 12, 31, 23, 59, 59)
    path.write_text(json.dumps(CLASSIC | {"step": 999_999_999, "sec_per_step": 86_400}), "utf-8")
    with pytest.raises(CorruptFile, match="step has an impossible value"):
        read_meta(path)
