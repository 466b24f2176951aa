"""Movements and hours beside data: published properties of the distances, and clear errors for files of other forms."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.validity.data_files import FILES, read_real_data
from ville.analysis.validity.realism import burstiness, realism, time_apart
from ville.analysis.validity.trips import Mobility, TimeUse, Trip, kind_of, kinds, mobility
from ville.errors import BadArgument
from ville.storage.folder.storage import find

EXAMPLE = Path(__file__).resolve().parents[4] / "examples/real_data"


def test_burstiness_is_minus_one_for_a_clock_zero_for_chance_and_near_one_for_a_burst():
    """Goh & Barabási 2008."""
    random, times = Random(3), [0.0]  # noqa: S311 - a sample
    for _ in range(20_000):
        times.append(times[-1] + random.expovariate(1.0))
    assert burstiness(range(0, 100, 5)) == -1
    assert burstiness(times) == pytest.approx(0, abs=0.02)
    assert burstiness([*range(1000), 1e6]) > 0.9


def test_time_use_that_is_shifted_by_hours_is_so_far_apart():
    use = TimeUse({("meals", 8): 60, ("work", 10): 60})
    later = TimeUse({("meals", 11): 60, ("work", 13): 60})
    assert time_apart(use, use) == 0
    assert time_apart(use, later) == pytest.approx(3)
    assert time_apart(use, TimeUse({("sleep", 8): 120})) == 12


@pytest.mark.parametrize(
    ("activity", "kind"),
    [("sleeping", "sleep"), ("conversing about lunch", "talk"), ("having lunch at home", "meals"), ("xyz", "other")],
)
def test_activities_have_kinds(activity, kind):
    assert kind_of(activity) == kind


def test_trips_are_ways_to_another_building_and_stays_are_between(town_after):
    """In a run: each trip takes time, ends before the next begins, and the stay is what lies between."""
    run = ComparedRun(find(town_after(300).root / "storage", "new"))
    found = mobility(run)
    assert found.time_use.total == 300 * len(run.people)
    for who in run.people:
        own = [trip for trip in found.trips if trip.who == who]
        for one, other in pairwise(own):
            assert one.minutes > 0
            assert one.begins + one.minutes + one.stayed == other.begins


def test_the_example_is_read_and_says_that_it_is_made_up():
    assert all("made up" in (EXAMPLE / name).read_text("utf-8").lower() for name in FILES)
    real = read_real_data(EXAMPLE)
    runs = [Mobility("a", tuple(Trip("Ada", 60 * n, 5 + n, 40) for n in range(8)), TimeUse({("sleep", 3): 60}))]
    assert [each.key for each in realism(runs, real)] == [
        "burstiness", "burstiness beside data", "time use", "trips", "stays"
    ]  # fmt: skip
    assert all(each.figure is not None for each in realism(runs, real))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("trips.csv", "length\n5\n", "no column 'minutes'"),
        ("trips.csv", "minutes\n" + "5\n" * 19, "has 19 rows"),
        ("trips.csv", "# note\nminutes\n" + "5\n" * 19 + "-1\n", "trips.csv:22: '-1' is not from 0"),
        ("trips.csv", "minutes\n" + "5\n" * 19 + "nan\n", "trips.csv:21: 'nan'"),
        ("time_use.csv", "activity,hour,minutes\n" + "sleep,3,60\n" * 19 + "slep,3,60\n", "did you mean 'sleep'"),
        ("time_use.csv", "activity,hour,minutes\n" + "sleep,3,60\n" * 19 + "sleep,24,60\n", "'24' is not from 0 to 23"),
        ("moves.csv", "person,minute\n" + "1,3\n" * 19 + "1\n", "moves.csv:21 has 1 cells"),
        ("moves.csv", b"person,minute\n\xff", "UTF-8"),
        ("other.csv", "", "has none of"),
    ],
)
def test_what_is_wrong_in_data_is_said_with_its_line(tmp_path, name, text, said):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadArgument, match=said.replace("(", r"\(")):
        read_real_data(tmp_path)


def test_kinds_are_those_that_data_may_have():
    assert kinds()[-1] == "other"
    assert len(set(kinds())) == len(kinds())
