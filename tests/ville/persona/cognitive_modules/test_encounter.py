"""Who may talk to whom, and who may wait for whom."""

from dataclasses import replace
from datetime import timedelta

import pytest

from ville.persona.cognitive_modules.encounter import Encounter, allowed_choices, available_to_talk, describe_last_talk
from ville.persona.memory_structures.concept_node import talk
from ville.persona.memory_structures.scratch import Conversation
from ville.world.address import Tile

ADA, BEN = "Ada Stone", "Ben Reed"
ALL = ("talk", "wait", "carry on")
TALK = ("talk", "carry on")
WAIT = ("wait", "carry on")
NONE = ("carry on",)


@pytest.fixture
def encounter(hamlet):
    """Ada is on her way to the counter, which Ben uses."""
    ada = hamlet.person(ADA, Tile(7, 2), doing="making tea", planned_path=[Tile(6, 2)])
    ben = hamlet.person(BEN, Tile(6, 2), doing="wiping the counter")
    return Encounter(ada.scratch, ben.as_seen(Tile(6, 2)), hamlet.now)


def changed(encounter, mine=None, **other):
    """The same encounter with another action of mine, another look of the other."""
    if mine:
        encounter.me.action = replace(encounter.me.action, **mine)
    return replace(encounter, other=replace(encounter.other, **other))


def test_two_who_are_awake_and_free_have_every_choice(encounter):
    """Nothing forbids to talk, and both need the same thing."""
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
def test_the_other_may_be_out_of_reach(encounter, other, allowed):
    """Row by row as in the table of the classic rules."""
    assert allowed_choices(changed(encounter, **other)) == allowed


@pytest.mark.parametrize(
    ("mine", "allowed"), [({"description": "sleeping"}, NONE), ({"address": "<waiting> 3 4"}, NONE)]
)
def test_i_may_be_out_of_reach(encounter, mine, allowed):
    """Who sleeps or waits does not react."""
    assert allowed_choices(changed(encounter, mine)) == allowed


def test_nobody_is_spoken_to_late_at_night(encounter):
    """From eleven in the evening on people leave each other alone."""
    assert allowed_choices(replace(encounter, now=encounter.now.replace(hour=23))) == NONE


def test_one_talk_at_a_time(encounter):
    """In a conversation one does not react to anybody."""
    encounter.me.conversation = Conversation("Cy Doe", (), encounter.now + timedelta(minutes=1))
    assert allowed_choices(encounter) == NONE


def test_after_a_talk_it_takes_a_while_until_the_next(encounter):
    """As long as the other is cooling down one may only wait; a negative number from a classic file means long ago."""
    encounter.me.cool_downs[BEN] = 1
    assert allowed_choices(encounter) == WAIT
    encounter.me.cool_downs[BEN] = -1525
    assert allowed_choices(encounter) == ALL


def test_only_who_is_still_on_the_way_waits(encounter):
    """Whoever stands there already has what they need."""
    encounter.me.planned_path = []
    assert allowed_choices(encounter) == TALK


def test_nobody_waits_for_what_is_as_good_as_over(encounter):
    """A minute before the end is soon enough."""
    soon = encounter.now + timedelta(minutes=1)
    assert allowed_choices(changed(encounter, until=soon)) == TALK


def test_the_last_talk_is_the_newest_with_this_partner(hamlet):
    """Not the oldest, and not one with somebody else (MIGRATION.md, fault 40)."""
    stream = hamlet.person().mind.stream
    for minutes, partner, about in ((600, BEN, "rain"), (30, BEN, "bread"), (5, "Cy Doe", "votes")):
        node = talk(hamlet.now - timedelta(minutes=minutes), (ADA, "chat with", partner), about, poignancy=3,
                    keywords=(ADA, partner))  # fmt: skip
        stream.add(node, [1.0])
    assert describe_last_talk(stream, BEN, hamlet.now) == "Monday, February 13, 2023, 7:30 AM, 30 minutes ago, bread"
    assert describe_last_talk(stream, "Di Fox", hamlet.now) == "never"


@pytest.mark.parametrize(("doing", "is_open"), [("reading", True), ("sleeping", False), ("", False)])
def test_who_may_be_gone_up_to(hamlet, doing, is_open):
    """Not somebody asleep, nor somebody who does not do anything yet."""
    assert available_to_talk(hamlet.person(doing=doing).scratch) is is_open
