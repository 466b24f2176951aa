"""Laws of places that no model chooses: the world finds what words mean."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ville.persona.cognitive_modules.planning.next_action import begin_next_action
from ville.persona.memory_structures.action import ActionPlace
from ville.persona.memory_structures.common_sense import (
    UsualPlace,
    common_sense_json,
    plain_activity,
    read_common_sense,
)
from ville.persona.memory_structures.schedule import Activity, Schedule
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.persona.prompt_template.ask import ATTEMPTS
from ville.world.address import Tile

WHERE = "day/where_usually"
TABLE, GRASS = Tile(6, 1), Tile(9, 4)
HOME, CAFE, PARK = "the Town:Ada's flat:main room", "the Town:Cafe:cafe", "the Town:Park:park"
PLACES = {
    "the Town": {
        "Ada's flat": {"main room": ["bed"]}, "Ben Reed's house": {"kitchen": ["stove"]},
        "Cafe": {"cafe": ["counter", "table"]}, "Park": {"park": []},
    }
}  # fmt: skip


@pytest.fixture(autouse=True)
def _nothing_known_is_asked(hamlet):
    hamlet.questions = "situated"


def day_of(doing):
    """Return a day with something that takes less than half an hour, now."""
    return Schedule((Activity("sleeping", 480), Activity.parse(doing, 29), Activity("sleeping", 931)))


async def begin(hamlet, doing, **state):
    """Return the action that a persona begins, and the mind."""
    mind = hamlet.person(schedule=day_of(doing), **state).mind
    mind.places = SpatialMemory.load(mind.name, PLACES)
    await begin_next_action(mind, hamlet.moment())
    return mind.scratch.action, mind


@pytest.mark.parametrize("doing", ["sleeping", "taking a nap", "napping at home", "resting (falling asleep)"])
async def test_no_model_moves_a_bed(hamlet, oracle, doing):
    """A small model sent everyone to the cafe at midnight. Neither is it asked, nor does an earlier answer count."""
    cafe = {doing: ActionPlace("Cafe", "cafe", "table")}
    action, _ = await begin(hamlet, doing, action_places=cafe, tile=TABLE)
    assert (action.address, action.emoji) == (f"{HOME}:bed", "😴")
    assert (action.object_event, oracle.titles) == (("bed", "is", "being slept in"), [])


@pytest.mark.parametrize(
    ("doing", "address"),
    [
        ("napping in the Park", PARK), ("having lunch at the Cafe", f"{CAFE}:table"),
        ("taking a walk in the park", PARK),
        ("having lunch at home", HOME), ("taking a shower", HOME), ("getting dressed", HOME),
        ("a day out (eating a sandwich in the park)", PARK),
    ],
)  # fmt: skip
async def test_a_place_that_is_known_is_not_asked(hamlet, oracle, doing, address):
    """Words name it, or everyone has it at home, wherever the persona is."""
    action, _ = await begin(hamlet, doing, tile=TABLE)
    assert action.address.startswith(address)
    assert oracle.titles == ([WHERE] if doing.startswith("a day out") else [])


@pytest.mark.parametrize(
    ("said", "tile", "address"),
    [
        ({"place": "bedroom", "thing": "bed"}, TABLE, f"{HOME}:bed"),
        ({"place": "at home"}, TABLE, HOME),
        ({"place": "coffee shop", "thing": "table"}, None, f"{CAFE}:table"),
        ({"place": "restaurant or cafe", "thing": "counter"}, GRASS, f"{CAFE}:counter"),
        ({"place": "garden", "thing": "flower bed"}, TABLE, PARK),
        ({"place": "kitchen", "thing": "stove"}, None, HOME),
        ({"place": "operating theatre", "thing": "scalpel"}, TABLE, CAFE),
        ({"place": "operating theatre", "thing": "scalpel"}, GRASS, PARK),
    ],
)
async def test_the_world_finds_what_a_model_says(hamlet, oracle, said, tile, address):
    """At home what is done there, else where such a place is; if there is none, where the persona is. Never in a
    private place of others, though only there is a stove.
    """
    oracle.teach(WHERE, said)
    action, _ = await begin(hamlet, "humming", **({"tile": tile} if tile else {}))
    assert action.address.startswith(address)


async def test_an_activity_is_asked_for_once_for_all(hamlet, oracle):
    """Whoever does it, however it is written; what is learned in a step is known to others from the next one on."""
    oracle.teach(WHERE, {"place": "park", "emoji": "🎵"})
    action, ada = await begin(hamlet, "humming a tune")
    assert (action.address.startswith(PARK), action.emoji) == (True, "🎵")
    known = dict(ada.learned)
    assert known == {"humming tune": UsualPlace("park", "", "🎵")}
    moment = hamlet.moment()
    moment.view.common_sense.update(known)
    ada.learned.clear()
    ada.scratch.schedule = day_of("Humming the tune.")
    await begin_next_action(ada, moment)
    assert (oracle.titles, ada.learned) == ([WHERE], {})


async def test_what_is_no_answer_is_not_learned(hamlet, oracle):
    """The persona does it where it is, and the next one asks again."""
    oracle.teach(WHERE, "nonsense")
    action, ada = await begin(hamlet, "humming", tile=TABLE)
    assert (len(oracle.titles), action.address.startswith(CAFE), ada.learned) == (ATTEMPTS, True, {})


async def test_a_failed_call_teaches_nothing(hamlet, oracle):
    """Which of two calls came first may not matter."""
    rows = (Activity("sleeping", 480), Activity("humming", 29), Activity("humming, then whistling", 931))
    mind = hamlet.person(schedule=Schedule(rows)).mind
    oracle.teach("day/step_by_step", RuntimeError("lost"))
    with pytest.raises(RuntimeError):
        await begin_next_action(mind, hamlet.moment())
    assert mind.learned == {}


@pytest.mark.parametrize(
    ("steps", "addresses"),
    [
        (("humming", "whistling"), [f"{CAFE}:table", f"{CAFE}:table"]),
        (("humming", "walking in the park", "humming on"), [f"{CAFE}:table", PARK, f"{CAFE}:table"]),
        (("taking off the shoes", "humming"), [f"{CAFE}:table", f"{CAFE}:table"]),
    ],
)
async def test_the_place_of_an_activity_is_that_of_its_steps(hamlet, oracle, steps, addresses):
    """Unless the words of a step say where else. It is asked for once, wherever the persona has come meanwhile."""
    oracle.teach("day/step_by_step", {"steps": list(steps)})
    oracle.teach(WHERE, {"place": "cafe", "thing": "table"})
    rows = [Activity("sleeping", 480), Activity("humming, then whistling", 30 * len(steps)), Activity("sleeping", 840)]
    mind = hamlet.person(schedule=Schedule.whole_day(rows)).mind
    for address in addresses:
        await begin_next_action(mind, hamlet.moment())
        assert mind.scratch.action.address.startswith(address)
        hamlet.now, hamlet.tiles["Ada Stone"] = mind.scratch.action.ends, GRASS
    assert oracle.titles == ["day/step_by_step", WHERE]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(doing=st.text(min_size=1, max_size=40), place=st.text(max_size=30), thing=st.text(max_size=30))
async def test_any_words_lead_to_a_place_that_is_open(hamlet, oracle, doing, place, thing):
    """Whatever is done, and whatever a model says."""
    oracle.teach(WHERE, {"place": place, "thing": thing, "emoji": thing})
    action, _ = await begin(hamlet, doing or "humming")
    assert action.address.startswith((HOME, CAFE, PARK))
    assert action.ends - hamlet.now <= timedelta(days=1)


@given(st.dictionaries(st.text(), st.builds(UsualPlace, st.text(), st.text(), st.text())))
def test_common_sense_is_read_as_it_is_written(known):
    assert read_common_sense(common_sense_json(known)) == known


@pytest.mark.parametrize("text", ["Writing her letter.", "writing a letter", "WRITING   the letter!"])
def test_articles_and_signs_do_not_change_an_activity(text):
    assert plain_activity(text) == "writing letter"
