"""Facts told and heard in talks."""

from dataclasses import replace
from datetime import time

import pytest

from ville.persona.cognitive_modules.committing.own_facts import note_own_facts, own_facts
from ville.persona.cognitive_modules.committing.telling import note_talk
from ville.persona.cognitive_modules.situated import situated_self
from ville.persona.memory_structures.facts.commitment import Commitment
from ville.persona.memory_structures.facts.told_facts import MOST_HEARD
from ville.persona.memory_structures.scratch import Conversation
from ville.persona.memory_structures.stream.concept_node import thought
from ville.world.address import Tile

ADA, BEN, CY = "Ada Stone", "Ben Reed", "Cy Doe"
NEWS = "Ada Stone knows that Sam Moore is running for mayor in the local election."


@pytest.fixture
def mind(hamlet):
    mind = hamlet.person(ADA, Tile(9, 4), doing="baking").mind
    mind.stream.add(thought(hamlet.now, (ADA, "knows", "it"), NEWS, poignancy=5, keywords=(ADA,)), [1.0] * 13)
    return mind


def talk(hamlet, mind, *lines, partner=BEN):
    note_talk(mind, hamlet.now, Conversation(partner, lines, hamlet.now))


def test_a_fact_whose_words_are_said_is_told(hamlet, mind):
    """To whom one has talked, and to no one else; also put in other words."""
    talk(hamlet, mind, (ADA, "Have you heard? Sam Moore is running for mayor, in the local election!"))
    told = mind.facts.told
    assert [fact.text for fact in told.told_to(BEN)] == [NEWS]
    assert told.knows("Sam Moore stands as mayor in the election.", BEN)
    assert not told.knows(NEWS, CY)
    assert not told.knows("Klaus has painted a picture of the harbour.", BEN)


def test_what_is_not_said_is_not_told(hamlet, mind):
    talk(hamlet, mind, (ADA, "Good morning! What a fine day to bake bread."))
    assert not mind.facts.told


def test_who_has_told_something_knows_it(hamlet, mind):
    talk(hamlet, mind, (BEN, "Isabella is giving a party at the cafe tomorrow. How are you?"))
    (heard,) = mind.facts.told.heard_from(BEN)
    assert heard.text == "Isabella is giving a party at the cafe tomorrow."
    assert mind.facts.told.knows("the party of Isabella at the cafe", BEN)


def test_what_was_only_heard_is_limited(hamlet, mind):
    letters = "abcdefghijklmnopqrstuvwxyz"
    for number in range(MOST_HEARD + 5):
        word = letters[number % 26] * 2 + letters[number // 26] * 3
        talk(hamlet, mind, (BEN, f"{word}one {word[::-1]}two {word[1:]}zthree."))
    assert len(mind.facts.told.heard_from(BEN)) == MOST_HEARD


def test_the_minds_of_the_paper_keep_nothing(hamlet, mind):
    mind.settings = replace(mind.settings, questions="paper")
    talk(hamlet, mind, (ADA, NEWS))
    assert mind.facts.as_json() == {}


def test_what_comes_to_mind_at_a_person(hamlet, mind):
    """In the situated self: the newest promise to whom one faces, then the next, and what was told already."""
    talk(hamlet, mind, (ADA, "Have you heard? Sam Moore is running for mayor, in the local election!"))
    for what, people, hour in (("tennis", (CY,), 10), ("chess", (BEN,), 12)):
        made = Commitment(
            what=what, people=people, day=hamlet.now.date(), at=time(hour), made=hamlet.now, source="talk"
        )
        mind.facts.commitments.note(made)
    facing = situated_self(mind, hamlet.moment(), facing=BEN)
    assert facing.promises == ("today at 12:00: chess, with Ben Reed", "today at 10:00: tennis, with Cy Doe")
    assert facing.told == (NEWS.rstrip("."),)
    assert situated_self(mind, hamlet.moment(), facing=CY).told == ()


def test_what_is_certain_of_oneself_does_not_change(mind):
    """Age, home and histories are noted once, before the first day."""
    before = own_facts(mind)
    note_own_facts(mind)
    mind.scratch.identity = replace(mind.scratch.identity, age=70, currently="Ada has moved away.")
    assert own_facts(mind) == before
    assert {"Ada Stone is 34 years old", "Ada Stone lives in Ada's flat", NEWS.rstrip(".")} <= set(before)
