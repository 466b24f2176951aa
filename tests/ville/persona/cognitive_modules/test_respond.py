"""Laws of responses to what happens: states of objects, and events at places."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from random_answers import RandomChat

from ville.persona.cognitive_modules.mind import add_to_stream, embed_experiences, retrieve_memories
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY
from ville.persona.memory_structures.scratch import Conversation, Scratch
from ville.persona.memory_structures.stream.concept_node import thought
from ville.world.address import Tile
from ville.world.occurrences import LastingState, Occurrences, PlaceEvent
from ville.world.tile_event import Event

ADA, BEN = "Ada Stone", "Ben Reed"
HOW = "react/how_to_respond"
CAFE, FLAT = "the Town:Cafe:cafe", "the Town:Ada's flat:main room"
TABLE, COUNTER = f"{CAFE}:table", f"{CAFE}:counter"
AT_COUNTER, AT_TABLE = Tile(6, 2), Tile(7, 2)
MEND = {"choice": "change", "activity": "putting out the fire", "minutes": 5, "ends_it": True, "emoji": "🧯"}
LEAVE = {"choice": "change", "activity": "leaving", "minutes": 9, "sector": "Park", "arena": "park"}


@pytest.fixture
def town(hamlet, monkeypatch):
    """The hamlet, in which something can happen."""
    found = {"now": Occurrences()}
    view = hamlet.view
    monkeypatch.setattr(hamlet, "view", lambda: replace(view(), occurrences=found["now"]))

    def happens(where, words):
        """Let something begin now; without words, nothing happens any more."""
        kind = LastingState if where.count(":") == 3 else PlaceEvent
        new = kind(where=where, words=words, since=hamlet.step)
        now = found["now"].with_object(new) if kind is LastingState else found["now"].with_event(new)
        found["now"] = now = now if words else Occurrences()
        for tile in hamlet.maze.address_tiles.get(where, ()) if kind is LastingState else ():
            others = [event for event in hamlet.maze.events_at(tile) if event.subject != where]
            hamlet.maze.replace_events(tile, [*others, new.event if words else Event(where)])
        hamlet.maze.replace_events_of_places([each.event for each in now.events])

    hamlet.happens = happens
    return hamlet


@pytest.fixture
def ada(town):
    return town.person(ADA, AT_TABLE, doing="having tea")


async def whispered(town, ada, words, poignancy):
    """Let a thought be whispered before the coming step, as an intervention does."""
    new = thought(town.now, (ADA, "hears", "it"), words, poignancy=poignancy, keywords=(ADA,))
    add_to_stream(ada.mind, await embed_experiences(ada.mind, town.moment(), [new]))


async def test_a_pressing_whisper_changes_what_is_done(town, oracle, ada):
    """As the event would: once, at the place where the persona is."""
    oracle.teach(HOW, LEAVE)
    await whispered(town, ada, "There is a fire alarm", 9)
    assert ada.routine_step(town.view()) is None
    await town.live()
    await town.live()
    (request,) = oracle.asked(HOW)
    assert (request.fields["noticed"], request.fields["where"]) == ("There is a fire alarm", "Cafe > cafe")
    assert ada.scratch.action.description == "leaving"


@pytest.mark.parametrize(("poignancy", "begins"), [(7, False), (9, True)])
async def test_other_whispers_are_only_remembered(town, oracle, ada, poignancy, begins):
    """Those that do not press, and the history that is told before the first step."""
    if begins:
        ada.scratch.curr_time = None
    await whispered(town, ada, "There is a fire alarm", poignancy)
    await town.live()
    assert oracle.asked(HOW) == []
    assert "There is a fire alarm" in [node.description for node in ada.mind.stream]


@pytest.mark.usefixtures("ada")
async def test_who_notices_something_is_asked_once(town, oracle):
    """With what there is to know; again only if it changes, or ends and begins anew."""
    town.person(BEN, AT_COUNTER, doing="wiping the counter")
    town.happens(TABLE, "burning")
    for _ in range(20):
        await town.live()
    (request,) = oracle.asked(HOW)
    known = {name: request.fields[name] for name in ("noticed", "where", "thing", "own_doing", "others")}
    assert known == {
        "noticed": "table is burning", "where": "Cafe > cafe", "thing": "table", "own_doing": "having tea",
        "others": (f"{BEN}: wiping the counter",),
    }  # fmt: skip
    assert "table" in request.fields["options"].places["Cafe"]["cafe"]
    for words in ("smoking", "", "burning"):
        town.happens(TABLE, words)
        await town.live()
        await town.live()
    assert [request.fields["noticed"] for request in oracle.asked(HOW)[1:]] == ["table is smoking", "table is burning"]


async def test_who_carries_on_does_as_before(town, ada):
    """The event is remembered all the same."""
    before = ada.scratch.action, ada.scratch.schedule
    town.happens(TABLE, "burning")
    await town.live()
    assert (ada.scratch.action, ada.scratch.schedule) == before
    assert "table is burning" in [node.description for node in ada.mind.stream]


async def test_who_left_goes_on_at_the_same_place_after_an_interruption(town, ada, oracle):
    """No one waits in the room that burns."""
    oracle.teach(HOW, LEAVE)
    town.happens(TABLE, "burning")
    await town.live()
    left = ada.scratch.action
    assert left.address.startswith("the Town:Park:park")
    ada.scratch.begin(replace(left, start=left.start - timedelta(hours=1)))  # over, as after a talk
    await town.live()
    assert ada.scratch.action.description == f"baking ({left.description})"
    assert ada.scratch.action.address.startswith("the Town:Park:park")


async def test_what_happened_comes_to_mind_about_people(town, ada):
    """Unlike what people use, it is a memory to talk about: by its score, not only for lack of others."""
    town.person(BEN, AT_COUNTER, doing="wiping the counter")
    town.happens(TABLE, "burning")
    moment = town.moment()
    await ada.think(moment.view, moment.caller, moment.embedder)
    others = [node for node in ada.mind.stream if node.object != "burning" and "idle" not in node.description]
    assert others
    ((first, *_),) = await retrieve_memories(ada.mind, moment, ["table is burning"], 1, about=[BEN])
    assert first.description == "table is burning"


async def test_who_mends_something_goes_there(town, oracle, ada):
    """At once, for some minutes, with the rest of the day planned again; that is kept in files."""
    oracle.teach(HOW, MEND)
    town.happens(COUNTER, "burning")
    await town.live()
    action, schedule = ada.scratch.action, ada.scratch.schedule
    assert (action.description, action.address, action.mends, action.emoji) == (
        "putting out the fire", COUNTER, COUNTER, "🧯",
    )  # fmt: skip
    assert 5 <= action.minutes <= 6
    assert schedule.minutes == MINUTES_PER_DAY
    assert "baking (putting out the fire)" in [row.text for row in schedule.activities]
    stored = json.loads(json.dumps(ada.scratch.as_json()))
    assert Scratch.load(ADA, stored).action == action
    ada.scratch.begin(replace(action, mends=None))
    assert "act_mends" not in replace(ada.scratch, as_read=stored).as_json()


async def test_who_leaves_goes_elsewhere(town, oracle, ada):
    """Anywhere in an arena, unless an object is named; nothing is put right."""
    oracle.teach(HOW, {**LEAVE, "ends_it": False})
    town.happens(COUNTER, "burning")
    await town.live()
    assert (ada.scratch.action.address, ada.scratch.action.mends) == ("the Town:Park:park:<random>", None)


async def test_an_event_is_noticed_everywhere_at_its_place(town, oracle, ada):
    """By its own words, in an arena, a sector or the whole town, and nowhere else; no one can put it right."""
    oracle.teach(HOW, MEND)
    town.person(BEN, Tile(10, 4), doing="resting")
    for where, words, noticed in (
        (CAFE, "a cup breaks", {ADA}),
        ("the Town:Cafe", "the fire alarm rings", {ADA}),
        ("the Town", "thunder rolls", {ADA, BEN}),
    ):
        town.happens(where, words)
        for name in (ADA, BEN):
            moment = town.moment(name)
            await town.people[name].think(moment.view, moment.caller, moment.embedder)
        town.pass_time()
        asked = [request for request in oracle.asked(HOW) if request.fields["noticed"] == words]
        assert {request.persona for request in asked} == noticed
    assert ada.scratch.action.mends is None


async def test_what_happens_in_another_room_is_not_noticed(town, oracle):
    """A persona sleeps through a fire next door; an alarm in its own room wakes it."""
    ada = town.person(ADA, Tile(4, 1), doing="sleeping")
    oracle.teach(HOW, LEAVE)
    town.happens(COUNTER, "burning")
    await town.live()
    assert ada.scratch.action.asleep
    town.happens(FLAT, "the fire alarm rings")
    await town.live()
    assert ada.scratch.action.description == "leaving"
    assert "leaving" in [row.text for row in ada.scratch.schedule.activities]


async def test_what_happens_comes_before_people(town, oracle, ada):
    """And before everything nearer that draws attention; a persona who puts something right does not look at people."""
    oracle.teach(HOW, MEND)
    for number, tile in enumerate([Tile(7, 1), Tile(8, 1), Tile(8, 2), Tile(7, 3), Tile(6, 2)]):
        town.person(f"Guest {'ABCDE'[number]}", tile, doing="reading")
    ada.scratch.tuning = replace(ada.scratch.tuning, att_bandwidth=2)
    town.happens(COUNTER, "burning")
    await town.live()
    town.people["Guest A"].scratch.begin(town.action("Guest A", "laughing"))
    await town.live()
    assert len(oracle.asked(HOW)) == 1
    assert oracle.asked("react/how_to_react") == []
    assert not ada.available_to_talk


async def test_a_talk_is_broken_off(town, oracle, ada):
    """Who leaves reflects on it, and so does the other in the next step, who is then free again."""
    ben = town.person(BEN, Tile(8, 2), doing="having tea")
    for person, other in ((ada, BEN), (ben, ADA)):
        lines = ((ADA, "Look at the sky."), (BEN, "It is blue."))
        talking = town.action(person.name, "conversing about the sky", f"<persona> {other}")
        talking = replace(talking, event=(person.name, "chat with", other))
        person.scratch.begin(talking, Conversation(other, lines, talking.ends))
    await town.live(ADA)
    await town.live(BEN)
    oracle.teach(HOW, LEAVE, {"choice": "carry on"})
    town.happens(TABLE, "burning")
    await town.live(ADA)
    assert (ada.scratch.conversation, ada.scratch.action.description) == (None, "leaving")
    await town.live(BEN)
    await town.live(BEN)
    assert ben.scratch.conversation is None
    assert [request.persona for request in oracle.asked("converse/after_small_talk")] == [ADA, BEN]


@settings(
    max_examples=100, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None,
)  # fmt: skip
@given(seed=st.integers(0, 2**32))
async def test_random_answers_never_damage_a_mind(town, seed):
    """The day has 1,440 minutes, and the action a place on the map."""
    name = f"Ada Nr{seed}"
    ada = town.person(name, AT_TABLE, doing="having tea")
    town.happens(TABLE, f"burning {seed}")
    moment = town.moment(name)
    moment = replace(moment, caller=replace(moment.caller, chat=RandomChat(seed)))
    await ada.think(moment.view, moment.caller, moment.embedder)
    assert ada.scratch.schedule.minutes == MINUTES_PER_DAY
    assert ada.scratch.action.address.removesuffix(":<random>") in {*town.maze.address_tiles, f"{FLAT}:bed"}
    town.people.pop(name)
    town.tiles.pop(name)
