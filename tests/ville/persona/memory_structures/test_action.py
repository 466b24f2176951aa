"""Laws of actions."""

from dataclasses import replace
from datetime import timedelta

import pytest
from edges import edged, minutes_around
from hypothesis import given

from ville.persona.memory_structures.action import Action
from ville.world.tile_event import Event


def baking(start, minutes=30) -> Action:
    return Action(
        address="the Town:Cafe:cafe:oven",
        start=start,
        minutes=minutes,
        description="baking",
        emoji="🍞",
        event=("Ada Stone", "bake", "bread"),
        object_description="hot",
        object_event=("oven", "be", "hot"),
    )


@given(edged(0, 86_399), minutes_around(-10, 600))
def test_the_end_of_an_action_counts_from_the_next_full_minute(at, seconds, minutes):
    """From then on, on any day, it is finished."""
    start = at() + timedelta(seconds=seconds)
    action = baking(start, minutes)
    full = at(-(-seconds // 60))
    assert action.ends == full + timedelta(minutes=minutes)
    assert action.finished(action.ends)
    assert action.finished(action.ends + timedelta(days=1, seconds=-7))
    assert action.finished(action.ends - timedelta(seconds=1)) == (minutes <= 0)


def test_an_action_survives_its_file(at):
    """Reading what was written gives the same action."""
    assert Action.read(baking(at(5)).as_json()) == baking(at(5))


@pytest.mark.parametrize(
    ("description", "asleep"),
    [("sleeping", True), ("sleeping (turning over)", True), ("getting ready for bed", False), ("Sleepwalking", False)],
)
def test_the_description_decides_who_is_asleep(at, description, asleep):
    """By the word of the released code, whether the action was just made or read from a file."""
    action = replace(baking(at()), description=description)
    assert (action.asleep, Action.read(action.as_json()).asleep) == (asleep, asleep)


@pytest.mark.parametrize("key", ["act_address", "act_start_time", "act_duration", "act_description"])
def test_an_incomplete_action_has_not_begun(at, key):
    """Address, start, duration and description are required."""
    assert Action.read({**baking(at()).as_json(), key: None}) is None


def test_an_action_as_an_event(at):
    """Others see the event with its description, and the object by its full address."""
    action = baking(at())
    assert action.visible_event == Event("Ada Stone", "bake", "bread", "baking")
    assert action.visible_object_event == Event("the Town:Cafe:cafe:oven", "be", "hot", "hot")
