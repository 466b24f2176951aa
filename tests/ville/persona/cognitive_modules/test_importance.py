"""Laws of rating what others do: several things at once, after a quarter of an hour, by what is usual."""

import json
from datetime import timedelta

import pytest

from ville.errors import Unreachable
from ville.persona.cognitive_modules.importance import A_TALK, ORDINARY, fresh_sights
from ville.persona.cognitive_modules.perceive import perceive
from ville.persona.memory_structures.scratch import Conversation, Scratch
from ville.persona.memory_structures.stream.concept_node import observation
from ville.world.address import Tile
from ville.world.occurrences import IS_NOW
from ville.world.tile_event import Event

ADA, BEN = "Ada Stone", "Ben Reed"
RATING = "perceive/how_important"
QUARTER = timedelta(minutes=15)


@pytest.fixture
def watch(hamlet):
    """Let Ada look around, and time pass."""
    mind = hamlet.person(ADA, Tile(7, 2), doing="having tea").mind
    hamlet.person(BEN, Tile(8, 2), doing="reading")

    async def watched(after=timedelta(0), doing=""):
        mind.scratch.curr_time = hamlet.now
        hamlet.now += after
        if doing:
            hamlet.people[BEN].scratch.begin(hamlet.action(BEN, doing))
        hamlet.arrive()
        return await perceive(mind, hamlet.moment())

    watched.mind = mind
    return watched


def rated(hamlet) -> list[tuple[str, ...]]:
    return [tuple(request.fields["happenings"]) for request in hamlet.oracle.asked(RATING)]


def rating(number):
    return lambda request: {"scores": [number] * len(request.fields["happenings"])}


async def test_what_others_do_is_rated_when_the_quarter_of_an_hour_is_over(hamlet, watch):
    """All of it in one question, once; and nothing that the persona does itself."""
    await watch()
    await watch(timedelta(minutes=3), "singing")
    assert rated(hamlet) == []
    await watch(QUARTER)
    assert rated(hamlet) == [(f"{BEN} is reading", f"{BEN} is singing")]
    await watch(QUARTER)
    await watch(QUARTER, "reading (another page)")
    await watch(QUARTER)
    assert len(rated(hamlet)) == 1


async def test_what_is_notable_is_remembered_as_such(oracle, watch):
    """And it leads to the next reflection; what is ordinary is not remembered again."""
    await watch(doing="crying")
    before, left = len(watch.mind.stream), watch.mind.scratch.importance_trigger_curr
    oracle.teach(RATING, rating(7), rating(2))
    await watch(QUARTER)
    (node,) = list(watch.mind.stream)[before:]
    assert (node.description, node.poignancy) == (f"{BEN} is crying", 7)
    assert watch.mind.scratch.importance_trigger_curr == left - (7 - ORDINARY)
    await watch(QUARTER, "yawning")
    seen = len(watch.mind.stream)
    await watch(QUARTER)
    assert len(watch.mind.stream) == seen


async def test_a_failed_rating_is_tried_again(hamlet, oracle, watch):
    """In the next step, as if nothing had happened."""
    await watch()
    seen = len(watch.mind.stream)
    oracle.teach(RATING, Unreachable("no answer"), rating(9))
    before = watch.mind.scratch.curr_time
    with pytest.raises(Unreachable):
        await watch(QUARTER)
    assert len(watch.mind.stream) == seen
    watch.mind.scratch.curr_time = before
    assert fresh_sights(watch.mind, hamlet.now)


async def test_what_happens_is_rated_at_once(hamlet, watch):
    """An answer to a fire does not wait for the quarter of an hour."""
    await watch()
    place = "the Town:Cafe:cafe:counter"
    hamlet.maze.add_event(Tile(5, 1), Event(place, IS_NOW, "on fire", "on fire"))
    await watch(timedelta(minutes=1))
    assert rated(hamlet) == [("counter is on fire",)]


async def test_a_talk_of_ones_own_is_not_rated(hamlet, watch):
    """The answer after it says how much it matters."""
    ada = watch.mind.scratch
    said = Conversation(BEN, ((ADA, "Hello!"),), hamlet.now + timedelta(minutes=2))
    ada.begin(hamlet.action(ADA, "conversing about bread", "<persona> Ben Reed"), said)
    await watch(timedelta(minutes=1))
    (chat,) = watch.mind.stream.newest("chat")
    assert (chat.poignancy, rated(hamlet)) == (A_TALK, [])


async def test_who_rates_everything_high_soon_finds_it_ordinary(oracle, watch):
    """Ratings count by how far they lie above what is usual, also after a save."""
    oracle.teach(RATING, rating(6))
    weights = []
    for number in range(60):
        await watch(doing=f"inventing dance {number}")
        before = len(watch.mind.stream)
        await watch(QUARTER)
        weights.append(max([node.poignancy for node in list(watch.mind.stream)[before:]], default=ORDINARY))
        watch.mind.scratch = Scratch.load(ADA, json.loads(json.dumps(watch.mind.scratch.as_json())))
    assert weights[0] == 6
    assert set(weights[30:]) == {ORDINARY}


async def test_what_was_seen_of_anybody_before_is_not_rated_again(hamlet, watch):
    """It is as ordinary as then."""
    known = observation(
        hamlet.now, ("Cy Doe", "is", "reading"), "Cy Doe is reading", poignancy=2, keywords=("reading",)
    )
    watch.mind.stream.add(known, [1.0] * 13)
    hamlet.now += timedelta(hours=1)
    await watch()
    await watch(QUARTER)
    assert rated(hamlet) == []
