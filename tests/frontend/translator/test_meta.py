"""What meta.json says."""

from datetime import datetime

import pytest

from translator.meta import parse_meta
from translator.shapes import MetaShape, flaws

VALUES = {
    "fork_sim_code": "base",
    "start_date": "February 13, 2023",
    "curr_time": "February 13, 2023, 00:01:00",
    "sec_per_step": 10,
    "maze_name": "the_ville",
    "persona_names": ["Ada Stone"],
    "step": 6,
}


def test_time_runs_from_the_first_step():
    """Step 0 is at the start date's midnight, and a step is as long as meta says."""
    meta = parse_meta(VALUES)
    assert meta.start == datetime(2023, 2, 13)
    assert meta.time_of(8640) == datetime(2023, 2, 14)
    assert meta.now == datetime(2023, 2, 13, 0, 1)


def test_a_day_may_begin_at_any_hour():
    """The current time is right, whatever the start date says."""
    meta = parse_meta({**VALUES, "curr_time": "February 13, 2023, 06:00:00", "step": 0})
    assert meta.time_of(0) == datetime(2023, 2, 13, 6)


@pytest.mark.parametrize("key", ["curr_time", "sec_per_step", "maze_name", "persona_names", "step"])
def test_a_missing_key_is_named(key):
    """A meta file without one of them is no meta file."""
    (flaw,) = flaws(MetaShape, {name: value for name, value in VALUES.items() if name != key})
    assert str(flaw.of("meta.json")) == f"meta.json: {key} is missing."


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("curr_time", "yesterday"),
        ("curr_time", 5),
        ("sec_per_step", 0),
        ("sec_per_step", 10**9),
        ("sec_per_step", "10"),
        ("maze_name", "../the_ville"),
        ("maze_name", "a\x00b"),
        ("persona_names", "Ada Stone"),
        ("persona_names", ["../Ada Stone"]),
        ("persona_names", [5]),
        ("step", -1),
        ("step", 10**11),
        ("step", float("inf")),
    ],
)
def test_an_impossible_value_is_named(key, value):
    """Steps that do not last, or last for longer than a day, times that are none, names that lead elsewhere."""
    (flaw,) = flaws(MetaShape, {**VALUES, key: value})
    assert flaw.keys[0] == key


def test_time_has_two_ends():
    """A run cannot have begun before the first day there is, and what lies beyond the last moment is that moment."""
    with pytest.raises(OverflowError):
        parse_meta({**VALUES, "step": 999_999_999, "sec_per_step": 86_400})
    assert parse_meta({**VALUES, "sec_per_step": 86_400}).time_of(10**9) == datetime(9999, 12, 31, 23, 59, 59)
