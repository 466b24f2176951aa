"""The seconds of schedules are those that can be worked out by hand, and no rule waits for less than what it must."""

from random import Random

import pytest
from out_of_order import TimedCall, longest_chain
from recorded_schedule import CallRow, ScheduleRecording
from recorded_town import Latency, RecordedTown
from run import PARTS, RESULTS, read
from schedule_rules import RULES, lockstep

SECONDS = Latency(call=0, answer=1, prompt=0)
"""The seconds of a call are the tokens of its answer."""
SIZE, WALL = 12, 6
"""Tiles of a side of the map, and the column of a wall with a door in its last row."""


def recorded(places, calls, seen=()):
    """Return a recording of two rooms; calls are step, people, round and seconds."""
    tiles = [(x, y) for y in range(SIZE) for x in range(SIZE)]
    rows = [CallRow(step, people, number, "any", 0, seconds) for step, people, number, seconds in calls]
    walls = [x == WALL and y < SIZE - 1 for x, y in tiles]
    arenas = [int(x > WALL) for x, _ in tiles]
    people = [f"Person {number}" for number in range(len(places[0]))]
    stays = [[_leaves(places, step, who) for who in range(len(people))] for step in range(len(places))]
    return ScheduleRecording(people, SIZE, SIZE, arenas, walls, 1, 10, places, rows, list(seen), stays)


def _leaves(places, step, who):
    """Return the step in which somebody moves next."""
    here = places[step][who]
    return next((later - 1 for later in range(step, len(places)) if places[later][who] != here), len(places))


def still(*places, steps):
    return [list(places)] * (steps + 1)


def seconds(recording, slots=0):
    town = RecordedTown([recording], range(recording.steps), SECONDS)
    found = {name: rule(town, slots).seconds() for name, rule in RULES.items()}
    return {"one": town.one_by_one, "lockstep": lockstep(town, slots), **found, "floor": town.floor(slots)}


def test_who_means_to_stay_is_not_waited_for():
    """One comes through the door in its second step, beside which another is two steps ahead in the next room."""
    door = (WALL, SIZE - 1)
    places = [[door, (WALL + 1, SIZE - 1)]] * 4
    calls = [(0, (0,), 1, 9), (2, (1,), 2, 5)]
    leaving = [[door, (WALL + 1, SIZE - 1)]] + [[(WALL + 1, SIZE - 1)] * 2] * 3
    assert seconds(recorded(places, calls))["stays"] == 9
    assert seconds(recorded(places, calls))["rooms"] == seconds(recorded(leaving, calls))["stays"] == 14


CALLS = [(0, (0,), 1, 1), (1, (0,), 2, 3), (0, (1,), 1, 4), (1, (1,), 2, 1)]
"""One person thinks for 1 and 3 seconds, the other for 4 and 1."""
BESIDE, APART, BEHIND_WALL = ((1, 1), (2, 1)), ((1, 1), (4, 1)), ((5, 1), (7, 1))


RULES_IN_ORDER = ("lockstep", "distance", "rooms", "stays", "true")


@pytest.mark.parametrize(
    ("places", "seen", "expected"),
    [
        pytest.param(BESIDE, (), (7, 7, 7, 7, 5), id="beside"),
        pytest.param(BESIDE, [(1, 0, 1)], (7, 7, 7, 7, 7), id="seen"),
        pytest.param(APART, (), (7, 7, 5, 5, 5), id="three tiles apart"),
        pytest.param(BEHIND_WALL, (), (7, 7, 5, 5, 5), id="behind a wall"),
        pytest.param(((1, 1), (5, 1)), (), (7, 5, 5, 5, 5), id="far"),
    ],
)
def test_two_people_and_two_steps(places, seen, expected):
    """Someone within sight + 2 tiles at the step before is waited for, in another room only by the rule of distance."""
    found = seconds(recorded(still(*places, steps=2), CALLS, seen))
    assert found == {"one": 9, **dict(zip(RULES_IN_ORDER, expected, strict=True)), "floor": 5}


def test_a_talk_begins_when_both_have_thought_and_holds_up_nobody_else():
    """Two think for 1 and 2 seconds and talk for 3 and then 1; a third thinks for 5, far away, in each of two steps."""
    calls = [(0, (0,), 1, 1), (0, (1,), 1, 2), (0, (2,), 1, 5), (0, (0, 1), 2, 3), (0, (0, 1), 3, 1), (1, (2,), 4, 5)]
    found = seconds(recorded(still((1, 1), (2, 1), (11, 11), steps=2), calls))
    assert (found["one"], found["lockstep"], found["floor"]) == (17, 5 + 4 + 5, 10)
    assert {found[rule] for rule in RULES} == {10}


def test_slots_and_rounds():
    """Calls of one round share slots: 2, 2 and 2 seconds take 4 on two slots; the next round begins after them."""
    calls = [(0, (0,), 1, 2), (0, (0,), 1, 2), (0, (0,), 1, 2), (0, (0,), 2, 1)]
    recording = recorded(still((1, 1), steps=1), calls)
    assert set(seconds(recording, slots=2).values()) == {7, 5, 3.5}
    assert seconds(recording)["lockstep"] == 3


def random_recording(lot):
    """Return people who walk, think now and then, and see and talk with each other only where they can."""
    free = [(x, y) for y in range(SIZE) for x in range(SIZE) if x != WALL or y == SIZE - 1]
    here, places, calls, seen = lot.sample(free, 6), [], [], []
    for step in range(30):
        places.append(list(here))
        calls += [(step, (who,), 3 * step, lot.randint(1, 9)) for who in range(6) if lot.random() < 0.3]
        busy = set()
        for one in range(6):
            for other in range(6):
                near = max(abs(a - b) for a, b in zip(here[one], here[other], strict=True)) <= 1
                if one != other and near and (here[one][0] > WALL) == (here[other][0] > WALL):
                    seen += [(step, one, other)] * (lot.random() < 0.5)
                    if not busy & {one, other} and lot.random() < 0.3:
                        busy |= {one, other}
                        calls.append((step, (one, other), 3 * step + 1, lot.randint(1, 9)))
        ways = [[(x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] for x, y in here]
        here = [lot.choice([tile for tile in each if tile in free]) for each in ways]
    return recorded([*places, here], calls, seen)


@pytest.mark.parametrize("seed", range(5))
def test_who_waits_for_fewer_is_done_earlier(seed):
    """With slots enough. With few, none is faster than the slots allow."""
    recording = random_recording(Random(seed))  # noqa: S311 - not for secrets
    found = seconds(recording)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert found["lockstep"] > found["distance"] > found["rooms"] > found["true"]
    few = seconds(recording, slots=1)
    assert set(few.values()) == {few["one"]}


def test_the_longest_chain_is_made_of_calls_that_waited_for_each_other():
    """Without those beside it, from the last answer back to the first call."""
    calls = [TimedCall(2, 0, "plan"), TimedCall(1, 0, "rate"), TimedCall(5, 2, "say"), TimedCall(4, 1, "muse"),
             TimedCall(6, 5, "gist"), TimedCall(5.5, 5, "rate")]  # fmt: skip
    assert [each.question for each in longest_chain(calls, 6)] == ["gist", "say", "plan"]
    assert longest_chain(calls, 0) == []


def test_results_in_this_repository_can_be_read():
    """So that a part that is measured again leaves the others as they are."""
    assert read(RESULTS / "speed.json").keys() == PARTS.keys()
