"""Laws of the next action: what it is, where it takes place, how it is displayed."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from edges import edged, minutes_around
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ville.errors import Unreachable
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.planning.next_action import begin_next_action
from ville.persona.cognitive_modules.planning.place_choice import place_options, surroundings
from ville.persona.memory_structures.action import ActionPlace
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Activity, Schedule
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.persona.prompt_template.ask import ATTEMPTS
from ville.world.address import Address, Tile
from ville.world.maze_files import load_maze

ADA = "Ada Stone"
WHERE = "plan/where_and_how"
PLACE = ("sector", "arena", "game_object")
BEDLESS = {"the Town": {"Ada's flat": {"main room": []}, "Park": {"park": []}}}
TABLE = Tile(6, 1)
FRONTEND = Path(__file__).resolve().parents[5] / "environment/frontend_server"


def whereabouts(**changes):
    answer = {"sector": "Cafe", "arena": "cafe", "game_object": "table", "emoji": "☕",
              "object_state": "is covered with cups"}  # fmt: skip
    return {**answer, **changes}


async def test_a_long_activity_begins_with_its_first_subtask(hamlet, oracle):
    """The action is `task (subtask)`, ends with the subtask, and shows what the answer says."""
    oracle.teach(WHERE, whereabouts())
    mind = hamlet.person(schedule=Schedule.whole_day([Activity("sleeping", 480), Activity("baking", 60)])).mind
    await begin_next_action(mind, hamlet.moment())
    action = mind.scratch.action
    assert (action.description, action.minutes, action.emoji) == ("baking (kneading dough)", 20, "☕")
    assert (action.address, action.event) == ("the Town:Cafe:cafe:table", (ADA, "is kneading", "dough"))
    assert (action.object_description, action.object_event) == (
        "covered with cups",
        ("table", "is", "covered with cups"),
    )


async def test_the_activity_in_an_hour_is_decomposed_too(hamlet, oracle):
    """Both rows are split, although the first split moves the second (docs/migration/faults.md, 32)."""
    rows = [Activity("sleeping", 480), Activity("baking", 60), Activity("reading", 60), Activity("dancing", 840)]
    mind = hamlet.person(schedule=Schedule.whole_day(rows)).mind
    await begin_next_action(mind, hamlet.moment())
    assert [request.fields["activity"] for request in oracle.asked("plan/subtasks")] == ["baking", "reading"]
    assert [row[0] for row in mind.scratch.schedule.rows()] == [
        "sleeping", "baking (kneading dough)", "baking (resting)", "reading (kneading dough)", "reading (resting)",
        "dancing",
    ]  # fmt: skip


async def test_a_subtask_is_not_decomposed_again(hamlet, oracle):
    """Only its place is asked for."""
    mind = hamlet.person(schedule=Schedule.whole_day([Activity("sleeping", 480), Activity("baking", 60)])).mind
    await begin_next_action(mind, hamlet.moment())
    hamlet.now = mind.scratch.action.ends
    oracle.history.clear()
    await begin_next_action(mind, hamlet.moment())
    assert oracle.titles == [WHERE]


async def test_the_place_of_a_subtask_is_not_asked_for_again(hamlet, oracle):
    """Neither when it begins, nor when it goes on after something else, nor after loading a save."""
    steps = [whereabouts(what="kneading", minutes=20), whereabouts(what="baking it", minutes=40, arena="at the Cafe")]
    oracle.teach("plan/subtasks", {"subtasks": steps})
    mind = hamlet.person(schedule=Schedule.whole_day([Activity("sleeping", 480), Activity("baking", 60)])).mind
    for minutes in (0, 20, 5):
        hamlet.now += timedelta(minutes=minutes)
        await begin_next_action(mind, hamlet.moment())
        assert mind.scratch.action.address == "the Town:Cafe:cafe:table"
        mind.scratch = Scratch.load(ADA, json.loads(json.dumps(mind.scratch.as_json())))
    assert (oracle.titles, mind.scratch.action.description) == (["plan/subtasks"], "baking (baking it)")


@pytest.mark.parametrize(
    "changes", [{"sector": "Moon", "arena": "crater"}, {"game_object": ""}, dict.fromkeys(PLACE, "")]
)
async def test_an_unclear_place_of_a_subtask_is_asked_for_when_it_begins(hamlet, oracle, changes):
    """The subtasks need no correction."""
    oracle.teach("plan/subtasks", {"subtasks": [whereabouts(what="kneading", minutes=60) | changes]})
    mind = hamlet.person(schedule=Schedule.whole_day([Activity("sleeping", 480), Activity("baking", 60)])).mind
    await begin_next_action(mind, hamlet.moment())
    assert oracle.titles == ["plan/subtasks", WHERE]


async def test_a_place_that_is_no_option_any_more_is_asked_for(hamlet, oracle):
    """For example on another map."""
    day = Schedule.whole_day([Activity("sleeping", 470), Activity("tea", 30)])
    mind = hamlet.person(schedule=day, action_places={"tea": ActionPlace("Palace", "hall", "throne")}).mind
    await begin_next_action(mind, hamlet.moment())
    assert oracle.titles == [WHERE]


async def test_an_action_ends_as_scheduled(hamlet):
    """However late it begins, the next one begins on time."""
    hamlet.now += timedelta(minutes=3, seconds=20)
    mind = hamlet.person(schedule=Schedule.whole_day([Activity("sleeping", 480), Activity("tea", 30)])).mind
    await begin_next_action(mind, hamlet.moment())
    assert f"{mind.scratch.action.ends:%H:%M:%S}" == "08:30:00"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    rows=st.lists(st.tuples(st.sampled_from(["baking", "tea", "sleeping"]), minutes_around(-60, 400)), max_size=9),
    steps=st.lists(edged(1, 90), min_size=1, max_size=6),
    second=edged(0, 86399),
)
async def test_an_action_begins_from_any_schedule_at_any_time(hamlet, oracle, rows, steps, second):
    """Empty and negative rows are skipped; the schedule becomes a whole day.

    docs/migration/faults.md, 21.
    """
    subtasks = {"subtasks": [{"what": str(number), "minutes": minutes} for number, minutes in enumerate(steps)]}
    oracle.teach("plan/subtasks", subtasks)
    hamlet.now = hamlet.now.replace(hour=0) + timedelta(seconds=second)
    mind = hamlet.person(schedule=Schedule(tuple(Activity(what, minutes) for what, minutes in rows))).mind
    await begin_next_action(mind, hamlet.moment())
    assert mind.scratch.schedule.minutes == MINUTES_PER_DAY
    assert mind.scratch.action.minutes > 0
    assert mind.scratch.action.ends > hamlet.now
    assert all(row.minutes > 0 for row in mind.scratch.schedule.activities)


@pytest.mark.parametrize(
    ("changes", "address"),
    [
        ({"sector": "Moon"}, "Cafe:cafe:table"),
        ({"arena": "cellar"}, "Cafe:cafe:table"),
        ({"game_object": "throne"}, "Cafe:cafe:counter"),
        ({"sector": "Moon", "arena": "cellar", "game_object": "throne"}, "Ada's flat:main room:<random>"),
    ],
)
async def test_an_action_takes_place_at_a_known_place(hamlet, oracle, changes, address):
    """An unknown sector, arena or object is rejected; the third answer is bent to a known place if it names any.

    docs/migration/faults.md, 35.
    """
    oracle.teach(WHERE, whereabouts(**changes))
    mind = hamlet.person().mind
    await begin_next_action(mind, hamlet.moment())
    assert mind.scratch.action.address == f"the Town:{address}"
    assert len(oracle.asked(WHERE)) == ATTEMPTS


async def test_without_objects_the_persona_wanders_in_the_arena(hamlet, oracle):
    """No object changes its state."""
    oracle.teach(WHERE, whereabouts(sector="Park", arena="park", game_object=""))
    mind = hamlet.person().mind
    await begin_next_action(mind, hamlet.moment())
    action = mind.scratch.action
    assert (action.address, action.object_description) == ("the Town:Park:park:<random>", None)
    assert action.object_event == (None, None, None)


@pytest.mark.parametrize("questions", ["situated", "paper"])
async def test_nobody_walks_while_asleep(hamlet, oracle, questions):
    """Without a bed, the persona lies down somewhere in the arena: at home, or where a model says."""
    oracle.teach(WHERE, whereabouts(sector="Park", arena="park", game_object=""))
    mind = hamlet.person(schedule=Schedule.whole_day([Activity("sleeping", 1440)])).mind
    mind.settings, mind.places = MindSettings(questions=questions), SpatialMemory.load(ADA, BEDLESS)
    await begin_next_action(mind, hamlet.moment())
    known, chosen = "the Town:Ada's flat:main room", "the Town:Park:park"
    assert mind.scratch.action.address == {"situated": known, "paper": chosen}[questions]


async def test_the_event_is_made_from_the_words_of_the_action(hamlet):
    """It never has the name twice (docs/migration/faults.md, 36)."""
    mind = hamlet.person().mind
    await begin_next_action(mind, hamlet.moment())
    assert mind.scratch.action.event == (ADA, "is", "resting")


def test_private_places_of_others_are_not_offered(hamlet):
    """Places of one's own always are."""
    tree = {
        "the Town": {
            "Reed's house": {"kitchen": []},
            "Inn": {"Ben Reed's room": [], "Ben Reed's bathroom": [], "Ada Stone's room": [], "bar": []},
            "Ben Reed's apartment": {"main room": []},
        }
    }
    identity = hamlet.person().scratch.identity
    known = place_options(SpatialMemory.load(ADA, tree), identity, "the Town").places
    assert known == {"Inn": {"Ada Stone's room": (), "bar": ()}, "Ada's flat": {"main room": ()}}


def test_who_learns_of_a_place_or_moves_has_other_places_to_choose_from(hamlet):
    """At once; meanwhile they stay the same."""
    mind = hamlet.person().mind
    before = surroundings(mind, hamlet.moment()).options
    assert surroundings(mind, hamlet.moment()).options is before
    mind.places.add("the Town", "Inn", "bar", "stool")
    after = surroundings(mind, hamlet.moment()).options
    assert after.places == {**before.places, "Inn": {"bar": ("stool",)}}
    mind.scratch.identity = replace(mind.scratch.identity, living_area="the Town:Mill:loft")
    assert surroundings(mind, hamlet.moment()).options.places["Mill"] == {"loft": ()}


def test_in_the_ville_everyone_has_a_bed_and_uses_nobody_else_s():
    """With the whole map known: also a washroom and a kitchen at home, and no room where only others live."""
    maze = load_maze(FRONTEND / "static_dirs/assets/the_ville/matrix", "the_ville")
    everywhere = SpatialMemory()
    for place in (place for tile in maze if (place := maze.place(tile)).arena):
        everywhere.add(*place)
    files = (FRONTEND / "storage/base_the_ville_n25/personas").glob("*/bootstrap_memory/scratch.json")
    people = [Scratch.load("", json.loads(file.read_text("utf-8"))).identity for file in files]
    homes = {identity.name: Address.parse(identity.living_area) for identity in people}
    for identity in people:
        home, offered = homes[identity.name], place_options(everywhere, identity, "the Ville").places
        for other in {*homes.values()} - {home}:
            assert other.arena not in offered.get(other.sector, {}), identity.name
        assert not {f"{other}'s bathroom" for other in homes if other != identity.name} & set(offered[home.sector])
        assert "bed" in offered[home.sector][home.arena], identity.name
        assert {"toilet", "refrigerator"} <= {thing for things in offered[home.sector].values() for thing in things}


async def test_a_failed_call_changes_no_action(hamlet, oracle):
    """The schedule stays the same too, so that the next step can try again."""
    mind = hamlet.person(doing="tea").mind
    before = (mind.scratch.schedule, mind.scratch.action)
    oracle.teach(WHERE, Unreachable("no answer"))
    with pytest.raises(Unreachable):
        await begin_next_action(mind, hamlet.moment())
    assert (mind.scratch.schedule, mind.scratch.action) == before
