"""Laws of perception."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from ville.errors import Unreachable
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.perceive import find_percepts, perceive
from ville.persona.cognitive_modules.planning.plan import DayChange, plan_the_day
from ville.persona.memory_structures.scratch import Conversation, Scratch
from ville.persona.memory_structures.stream.concept_node import observation
from ville.world.address import Tile
from ville.world.occurrences import IS_NOW
from ville.world.tile_event import Event

ADA, BEN = "Ada Stone", "Ben Reed"
PAPER = MindSettings(questions="paper")
"""Everything is rated, at once."""
BED = "the Town:Ada's flat:main room:bed"
SAID = ((ADA, "Hello!"), (BEN, "Hello, Ada."))


def in_talk(hamlet):
    """Return Ada, who has just started a conversation with Ben."""
    ada = hamlet.person(ADA, Tile(7, 2))
    hamlet.person(BEN, Tile(8, 2), doing="reading")
    action = replace(hamlet.action(ADA, "conversing about bread", "<persona> Ben Reed"), event=(ADA, "chat with", BEN))
    ada.scratch.begin(action, Conversation(BEN, SAID, hamlet.now + timedelta(minutes=2)))
    hamlet.arrive()
    return ada.mind


def forget(mind, now):
    """Push everything out of the latest observations."""
    for number in range(16):
        mind.stream.add(observation(now, (ADA, "sees", str(number)), "something", poignancy=1), [1.0] * 13)


async def test_new_events_of_a_step_are_rated_in_one_question(hamlet, oracle):
    """They are embedded together, too."""
    mind = hamlet.person(ADA, Tile(7, 2), doing="having tea").mind
    mind.settings = PAPER
    hamlet.person(BEN, Tile(8, 2), doing="reading")
    await perceive(mind, hamlet.moment())
    (request,) = oracle.history
    assert tuple(request.fields["happenings"]) == ("Ada Stone is having tea", "Ben Reed is reading")
    assert len(hamlet.embedder.batches) == 1


async def test_idle_objects_are_not_rated(hamlet, oracle):
    """A bed in which no one sleeps has poignancy 1 and costs no call."""
    mind = hamlet.person(doing="").mind
    nodes = await perceive(mind, hamlet.moment())
    assert {node.description for node in nodes} == {"bed is idle", "Ada Stone is idle"}
    assert ([node.poignancy for node in nodes], oracle.history) == ([1, 1], [])


@pytest.mark.parametrize(
    ("address", "predicate", "rated"), [(BED, "is", False), (f"{BED} table", "is", True), (BED, IS_NOW, True)]
)
async def test_what_a_thing_in_use_matters_is_what_its_user_does(hamlet, oracle, address, predicate, rated):
    """The state of any other thing is rated, and what has happened to one in use."""
    mind = hamlet.person().mind
    mind.settings = PAPER
    mind.scratch.begin(hamlet.action(ADA, "baking", address))
    hamlet.arrive()
    hamlet.maze.add_event(Tile(1, 1), Event(BED, predicate, "on fire", "on fire"))
    (noticed,) = [node for node in await perceive(mind, hamlet.moment()) if node.description == "bed is on fire"]
    (request,) = oracle.history
    assert ("bed is on fire" in request.fields["happenings"]) == rated == (noticed.poignancy > 1)


async def test_an_unchanged_scene_is_perceived_once(hamlet):
    """A second look returns nothing and costs no call."""
    mind = hamlet.person(doing="baking").mind
    assert await perceive(mind, hamlet.moment())
    assert find_percepts(mind, hamlet.view()) == []
    mind.last_look = None
    assert find_percepts(mind, hamlet.view()) == []


async def test_observations_count_towards_the_next_reflection(hamlet):
    """The trigger decreases by their poignancy, and they are counted."""
    mind = hamlet.person(doing="baking").mind
    nodes = await perceive(mind, hamlet.moment())
    assert mind.scratch.importance_trigger_curr == 150 - sum(node.poignancy for node in nodes)
    assert mind.scratch.importance_ele_n == len(nodes)


async def test_a_new_event_does_not_make_known_ones_new(hamlet):
    """In a full room only the new event is perceived, and only once."""
    mind = hamlet.person(ADA, Tile(8, 2), doing="having tea").mind
    guests = [Event(f"Guest {number}", "is", "here", "here") for number in range(7)]
    for number, guest in enumerate(guests):
        hamlet.maze.add_event(Tile(7 + number % 3, 1 + number % 2), guest)
    assert len(await perceive(mind, hamlet.moment())) == 8
    others = [event for event in hamlet.maze.events_at(Tile(7, 1)) if event != guests[0]]
    hamlet.maze.replace_events(Tile(7, 1), [*others, Event("Guest 0", "is", "singing", "singing")])
    assert [node.description for node in await perceive(mind, hamlet.moment())] == ["Guest 0 is singing"]
    assert await perceive(mind, hamlet.moment()) == []


def test_the_nearest_events_are_perceived_up_to_the_bandwidth(hamlet):
    """With a bandwidth of two, the third nearest is not perceived."""
    mind = hamlet.person(ADA, Tile(9, 1), doing="having tea").mind
    mind.scratch.tuning = replace(mind.scratch.tuning, att_bandwidth=2)
    for tile, what in ((Tile(6, 2), "far"), (Tile(8, 1), "near")):
        hamlet.maze.add_event(tile, Event(f"{what} cat", "is", "here", what))
    assert [sight.text for sight in find_percepts(mind, hamlet.view())] == [
        "Ada Stone is having tea",
        "near cat is near",
    ]


def test_places_are_learned_in_the_radius_but_events_in_the_arena(hamlet):
    """Walls do not hide places."""
    mind = hamlet.person(ADA, Tile(4, 1), doing="sitting").mind
    mind.places.tree.clear()
    sights = find_percepts(mind, hamlet.view())
    assert "counter" in mind.places.tree["the Town"]["Cafe"]["cafe"]
    assert not any("counter" in sight.text for sight in sights)


async def test_a_conversation_is_stored_before_the_event_that_shows_it(hamlet):
    """The chat node has the transcript, and the event refers to it."""
    mind = in_talk(hamlet)
    await perceive(mind, hamlet.moment())
    chat = mind.stream.newest("chat")[0]
    event = next(node for node in mind.stream.newest("event") if node.predicate == "chat with")
    assert (chat.transcript, chat.description) == (SAID, "conversing about bread")
    assert (event.evidence, event.number) == ((chat.node_id,), chat.number + 1)
    assert mind.scratch.importance_ele_n == len(mind.stream.newest("event"))


async def test_every_conversation_is_stored(hamlet):
    """Even a second one with the same partner, whose triple was just perceived.

    docs/migration/faults.md, 42.
    """
    mind = in_talk(hamlet)
    await perceive(mind, hamlet.moment())
    mind.scratch.begin(
        replace(mind.scratch.action, start=hamlet.now), Conversation(BEN, SAID[:1], hamlet.now + timedelta(minutes=9))
    )
    hamlet.pass_time()
    mind.last_look = None
    await perceive(mind, hamlet.moment())
    assert [chat.transcript for chat in mind.stream.newest("chat")] == [SAID[:1], SAID]


async def test_a_conversation_is_stored_once(hamlet):
    """Not again while it continues."""
    mind = in_talk(hamlet)
    for _ in range(3):
        await perceive(mind, hamlet.moment())
        hamlet.pass_time()
    assert len(mind.stream.newest("chat")) == 1


async def test_known_texts_are_not_embedded_again(hamlet):
    """Only a text without a vector goes to the embedder."""
    mind = hamlet.person(doing="baking").mind
    await perceive(mind, hamlet.moment())
    forget(mind, hamlet.now)
    hamlet.embedder.batches.clear()
    assert await perceive(mind, hamlet.moment())
    assert hamlet.embedder.batches == []


async def test_an_activity_is_rated_once_a_day(hamlet, oracle):
    """Another subtask of the same activity is as important as the first, also after loading; a new plan starts anew."""
    ada = hamlet.person(doing="baking (kneading dough)")
    ada.mind.settings = PAPER
    await perceive(ada.mind, hamlet.moment())
    ada.scratch.begin(hamlet.action(ADA, "baking (heating the oven)"))
    hamlet.arrive()
    oracle.teach("perceive/how_important", {"scores": [9]})
    ada.mind.scratch = Scratch.load(ADA, json.loads(json.dumps(ada.scratch.as_json())))
    again = await perceive(ada.mind, hamlet.moment())
    assert again[0].description == "Ada Stone is heating the oven"
    assert (again[0].poignancy, len(oracle.history)) == (4, 1)
    await plan_the_day(ada.mind, hamlet.moment(), DayChange.NEW)
    forget(ada.mind, hamlet.now)
    assert [node.poignancy for node in await perceive(ada.mind, hamlet.moment()) if node.poignancy > 1] == [9]


async def test_a_failed_rating_leaves_no_memory(hamlet, oracle):
    """The events are perceived again in the next step."""
    mind = hamlet.person(doing="baking").mind
    mind.settings = PAPER
    oracle.teach("perceive/how_important", Unreachable("no answer"))
    with pytest.raises(Unreachable):
        await perceive(mind, hamlet.moment())
    assert (len(mind.stream), mind.scratch.importance_ele_n) == (0, 0)
    assert find_percepts(mind, hamlet.view())
