"""Laws of a persona over several steps."""

import json
from datetime import datetime, timedelta

import pytest

from ville.errors import Unreachable
from ville.persona.cognitive_modules.conversing.converse import ConversationResult, start_conversation
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.view import CarryOn, Talk
from ville.persona.persona import Persona
from ville.storage.records.persona_files import PersonaFiles
from ville.world.address import Tile

MIDNIGHT = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone
ADA, BEN = "Ada Stone", "Ben Reed"
ASLEEP = {"activities": [{"from": "0:00", "to": "24:00", "activity": "sleeping"}]}


def copy_of(persona: Persona) -> Persona:
    """Return the persona as loaded from its saved files."""
    state = persona.state()
    files = PersonaFiles(
        scratch=json.loads(json.dumps(state.scratch)),
        spatial_memory=json.loads(json.dumps(state.spatial_memory)),
        nodes=json.loads(str(state.nodes)),
        embeddings=dict(state.new_embeddings),
        kw_strength=json.loads(json.dumps(state.kw_strength)),
        last_accessed=dict(state.last_accessed),
    )
    return Persona.load(persona.name, files)


def as_saved(persona: Persona) -> tuple:
    state = persona.state()
    return json.dumps(state.scratch), state.nodes, state.last_accessed, state.kw_strength, state.spatial_memory


async def test_the_first_step_plans_the_day_and_starts_walking(hamlet):
    """The persona perceives, plans the day, begins an action and walks towards it."""
    ada = hamlet.person(ADA, Tile(5, 4), curr_time=None)
    intent = await hamlet.live()
    assert intent.reaction == CarryOn()
    assert ada.scratch.action is not None
    assert hamlet.paths.distance(Tile(5, 4), intent.next_tile) == 1
    assert intent.description == f"{ada.scratch.action.description} @ {ada.scratch.action.address}"
    assert (ada.scratch.curr_time, ada.scratch.curr_tile) == (hamlet.now - hamlet.tick, Tile(5, 4))


async def test_sleep_needs_no_model(hamlet, oracle):
    """Once the surroundings are known, an hour of sleep takes no question and no await."""
    hamlet.questions = "paper"
    oracle.teach("plan/hourly_schedule", ASLEEP)
    ada = hamlet.person(curr_time=None)
    for _ in range(3):
        await hamlet.live()
    oracle.history.clear()
    for _ in range(360):
        intent = ada.routine_step(hamlet.view())
        assert intent is not None
        hamlet.pass_time()
    assert (intent.next_tile, oracle.history) == (Tile(1, 1), [])


async def test_a_routine_step_equals_a_full_one(hamlet):
    """Step by step, `routine_step` returns and stores what `think` would."""
    ada = hamlet.person(ADA, Tile(9, 4), curr_time=None)
    taken = 0
    for _ in range(40):
        twin, view = copy_of(ada), hamlet.view()
        quick = twin.routine_step(view)
        intent = await hamlet.live()
        if quick is not None:
            taken += 1
            assert quick == intent
            assert as_saved(twin) == as_saved(ada)
    assert taken > 5


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("curr_time", None),
        ("curr_time", MIDNIGHT - timedelta(days=1)),
        ("importance_trigger_curr", 0),
        ("path_set", False),
        ("action", None),
    ],
)
async def test_a_decision_prevents_a_routine_step(hamlet, key, value):
    """A new day, a due reflection, a missing path or a finished action needs `think`."""
    ada = hamlet.person(doing="reading")
    for _ in range(2):
        await hamlet.live()
    assert ada.routine_step(hamlet.view()) is not None
    setattr(ada.scratch, key, value)
    assert ada.routine_step(hamlet.view()) is None


async def test_a_new_event_in_sight_prevents_a_routine_step(hamlet):
    """For example when another persona arrives."""
    ada = hamlet.person(ADA, Tile(7, 2), doing="reading")
    for _ in range(2):
        await hamlet.live()
    hamlet.person(BEN, Tile(8, 2), doing="having tea")
    assert ada.routine_step(hamlet.view()) is None


async def test_a_failed_step_is_repeated(hamlet, oracle):
    """If a call fails in the morning, the next step plans the day; nothing is remembered twice."""
    ada = hamlet.person(curr_time=None)
    wanted = oracle.answers["day/fill_the_day"][0]
    oracle.teach("day/fill_the_day", Unreachable("no answer"), wanted)
    with pytest.raises(Unreachable):
        await hamlet.live()
    assert ada.scratch.curr_time is None
    await hamlet.live()
    texts = [node.description for node in ada.mind.stream]
    assert ada.scratch.daily_req[0].startswith("wake up")
    assert len(texts) == len(set(texts))


async def test_a_conversation_is_seen_remembered_and_reflected_on_once(hamlet, oracle):
    """Afterwards the day continues."""
    ada, ben = hamlet.person(ADA, Tile(7, 2), doing="having tea"), hamlet.person(BEN, Tile(8, 2), doing="reading")
    ada.mind.settings = MindSettings(questions="paper")
    oracle.teach("react/how_to_react", {"choice": "talk"})
    oracle.teach("converse/after_conversation", {"for_planning": {"text": ""}, "memo": {"text": f"{ADA} likes Ben."}})
    assert (await hamlet.live()).reaction == Talk(BEN)
    hamlet.now -= hamlet.tick
    conversed = ConversationResult(((ADA, "Hello!"), (BEN, "Hello.")), "conversing about tea", 1)
    await start_conversation((ada.mind, hamlet.moment(ADA)), (ben.mind, hamlet.moment(BEN)), conversed)
    hamlet.pass_time()
    assert hamlet.view().people[ADA].chatting_with == BEN
    for _ in range(9):
        if ada.routine_step(hamlet.view()) is None:
            await hamlet.live()
        else:
            hamlet.pass_time()
    assert ada.scratch.conversation is None
    assert len(ada.mind.stream.newest("chat")) == 1
    assert len(oracle.asked("converse/after_conversation")) == 1
    assert ada.scratch.action.description != "conversing about tea"
    assert ada.scratch.cool_downs[BEN] < 800


async def test_a_saved_mind_continues_unchanged(hamlet):
    """In every step a reloaded persona returns and stores what the original does."""
    ada = hamlet.person(ADA, Tile(9, 4), curr_time=None)
    hamlet.person(BEN, Tile(11, 4), doing="strolling")
    for number in range(30):
        twin, moment = copy_of(ada), hamlet.moment()
        resumed = await twin.think(moment.view, moment.caller, moment.embedder)
        assert (await hamlet.live(), number) == (resumed, number)
        assert as_saved(twin) == as_saved(ada)


def test_the_view_of_a_persona_changes_only_with_its_state(hamlet):
    """The same object is returned until it moves or its state changes."""
    ada = hamlet.person(doing="reading")
    neighbour = ada.as_seen(Tile(1, 1))
    assert ada.as_seen(Tile(1, 1)) is neighbour
    assert ada.as_seen(Tile(2, 1)).tile == Tile(2, 1)
    assert (neighbour.doing, neighbour.until) == ("reading", ada.scratch.action.ends)


@pytest.mark.parametrize(("doing", "asleep"), [("sleeping", True), ("reading", False), ("", False)])
def test_view_and_intent_say_whether_a_persona_is_asleep(hamlet, doing, asleep):
    """Both take it from the action."""
    ada = hamlet.person(doing=doing)
    assert (ada.as_seen(Tile(1, 1)).asleep, ada.carry_on(hamlet.view()).asleep) == (asleep, asleep)


def test_a_persona_without_an_action_is_displayed_as_idle_at_home(hamlet):
    """Before the first action there is still something to display."""
    ada = hamlet.person()
    intent = ada.carry_on(hamlet.view())
    assert (intent.emoji, intent.description) == ("🙂", "idle @ the Town:Ada's flat:main room")
