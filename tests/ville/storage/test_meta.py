"""Laws of meta.json."""

import json

import pytest

from ville.errors import CorruptFile
from ville.storage.files import pretty
from ville.storage.meta import KEYS, read_meta

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


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key_is_named(path, key):
    """Whichever key is missing, the fault names the file and the key."""
    path.write_text(json.dumps({name: value for name, value in CLASSIC.items() if name != key}), "utf-8")
    with pytest.raises(CorruptFile, match=f"meta.json: {key} is None"):
        read_meta(path)


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [
        ("curr_time", "noon", "'noon' is no time"),
        ("sec_per_step", 0, "sec_per_step must be at least 1"),
        ("step", -1, "step at least 0"),
        ("persona_names", ["Ada Stone", "Ada Stone"], "different names"),
        ("persona_names", ["../escape"], "different names"),
        ("persona_names", [3], "different names"),
    ],
)
def test_an_impossible_value_is_named(path, key, value, fault):
    """A value of the right type that cannot be is named too."""
    path.write_text(json.dumps(CLASSIC | {key: value}), "utf-8")
    with pytest.raises(CorruptFile, match=fault):
        read_meta(path)
