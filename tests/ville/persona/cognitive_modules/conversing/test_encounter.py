"""Laws of who may talk to, or wait for, whom."""

from dataclasses import replace
from datetime import timedelta

import pytest

from ville.persona.cognitive_modules.conversing.encounter import (
    Encounter,
    allowed_choices,
    available_to_talk,
    describe_last_talk,
)
from ville.persona.memory_structures.scratch import Conversation
from ville.persona.memory_structures.stream.concept_node import talk
from ville.world.address import Tile

ADA, BEN = "Ada Stone", "Ben Reed"
ALL = ("talk", "wait", "carry on")
TALK = ("talk", "carry on")
WAIT = ("wait", "carry on")
NONE = ("carry on",)


@pytest.fixture
def encounter(hamlet):
    """Ada walks to the counter that Ben uses."""
    ada = hamlet.person(ADA, Tile(7, 2), doing="making tea", planned_path=[Tile(6, 2)])
    ben = hamlet.person(BEN, Tile(6, 2), doing="wiping the counter")
    return Encounter(ada.scratch, ben.as_seen(Tile(6, 2)), hamlet.now)


def changed(encounter, mine=None, **other):
    """Return the encounter with changes to the own action and to the other."""
    if mine:
        encounter.own.action = replace(encounter.own.action, **mine)
    return replace(encounter, other=replace(encounter.other, **other))


def test_two_available_personas_have_every_choice(encounter):
    """Both are awake and free and have the same destination."""
    assert allowed_choices(encounter) == ALL


@pytest.mark.parametrize(
    ("other", "allowed"),
    [
        ({"doing": None}, NONE),
        ({"address": None}, NONE),
        ({"asleep": True}, NONE),
        ({"doing": "waiting to start lunch"}, TALK),
        ({"address": "<waiting> 3 4"}, NONE),
        ({"address": "the Town:Park:park:<random>"}, TALK),
        ({"chatting_with": "Cy Doe"}, WAIT),
        ({"until": None}, TALK),
    ],
)
def test_the_state_of_the_other_limits_the_choices(encounter, other, allowed):
    """One row for each rule."""
    assert allowed_choices(changed(encounter, **other)) == allowed


@pytest.mark.parametrize(
    ("mine", "allowed"), [({"description": "sleeping"}, NONE), ({"address": "<waiting> 3 4"}, NONE)]
)
def test_a_sleeping_or_waiting_persona_does_not_react(encounter, mine, allowed):
    """It can only carry on."""
    assert allowed_choices(changed(encounter, mine)) == allowed


def test_no_conversation_starts_after_eleven_at_night(encounter):
    """Neither does a wait."""
    assert allowed_choices(replace(encounter, now=encounter.now.replace(hour=23))) == NONE


def test_a_persona_in_a_conversation_does_not_react(encounter):
    """It can only carry on."""
    encounter.own.conversation = Conversation("Cy Doe", (), encounter.now + timedelta(minutes=1))
    assert allowed_choices(encounter) == NONE


def test_a_cool_down_prevents_another_conversation(encounter):
    """Waiting is still possible. Negative values in files of the released code mean that it is over."""
    encounter.own.cool_downs[BEN] = 1
    assert allowed_choices(encounter) == WAIT
    encounter.own.cool_downs[BEN] = -1525
    assert allowed_choices(encounter) == ALL


def test_only_a_walking_persona_waits(encounter):
    """One that has arrived has no reason to."""
    encounter.own.planned_path = []
    assert allowed_choices(encounter) == TALK


def test_no_wait_for_an_action_that_ends_within_a_minute(encounter):
    """Talking is still possible."""
    soon = encounter.now + timedelta(minutes=1)
    assert allowed_choices(changed(encounter, until=soon)) == TALK


def test_the_last_conversation_is_the_newest_with_this_partner(hamlet):
    """Not the oldest, and not one with another persona (docs/migration/faults.md, 40)."""
    stream = hamlet.person().mind.stream
    for minutes, partner, about in ((600, BEN, "rain"), (30, BEN, "bread"), (5, "Cy Doe", "votes")):
        node = talk(hamlet.now - timedelta(minutes=minutes), (ADA, "chat with", partner), about, poignancy=3,
                    keywords=(ADA, partner))  # fmt: skip
        stream.add(node, [1.0])
    assert describe_last_talk(stream, BEN, hamlet.now) == "Monday, February 13, 2023, 7:30 AM, 30 minutes ago, bread"
    assert describe_last_talk(stream, "Di Fox", hamlet.now) == "never"


@pytest.mark.parametrize(("doing", "is_open"), [("reading", True), ("sleeping", False), ("", False)])
def test_which_personas_are_available_to_talk(hamlet, doing, is_open):
    """Not one that is asleep or has no action yet."""
    assert available_to_talk(hamlet.person(doing=doing).scratch) is is_open
