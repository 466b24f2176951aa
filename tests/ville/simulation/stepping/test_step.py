"""One step of the town."""

import asyncio

import numpy as np
import pytest

from ville.errors import BadEmbedding, CorruptFile, Unreachable
from ville.llm.gateway import ChatReply
from ville.persona.memory_structures.stream.concept_node import thought
from ville.persona.persona import Persona
from ville.simulation.resting import Resting
from ville.simulation.stepping.step import advance
from ville.world.occurrences import LastingState, Occurrences

DAY = 1440


class Dead:
    """Chat client that fails for some personas from some step on."""

    def __init__(self, chat, names, first=0, questions=""):
        self.chat, self.names, self.first, self.questions = chat, names, first, questions

    async def complete(self, request) -> ChatReply:
        if request.persona in self.names and request.step >= self.first and request.question.startswith(self.questions):
            raise Unreachable("Nobody answers.")
        return await self.chat.complete(request)


async def test_a_step_moves_each_persona_at_most_one_tile(opened, run_for):
    """Every move leads to a neighbouring free tile or stays, and the next step starts there."""
    simulation = opened("new")
    for report in await run_for(simulation, DAY // 2):
        at = {name: tuple(move.movement) for name, move in report.moves.items()}
        assert list(at) == list(simulation.town.personas)
        assert not any(simulation.town.maze.is_wall(tile) for tile in at.values())
        before = simulation.folder.read_environment(report.step)
        assert all(abs(at[name][0] - x) + abs(at[name][1] - y) <= 1 for name, (x, y) in before.items())
        assert simulation.folder.read_environment(report.step + 1) == at


@pytest.mark.usefixtures("talkative")
async def test_both_personas_show_their_conversation(opened, run_for):
    """From its first step on, both show the same transcript and 💬 where they met; afterwards neither does."""
    reports = await run_for(opened("new"), DAY)
    talks = [(report, pair, talk) for report in reports for pair, talk in report.talks.items()]
    assert talks
    for report, pair, talk in talks:
        moves = [report.moves[name] for name in pair]
        assert [move.chat for move in moves] == [talk.transcript] * 2
        assert [move.pronunciatio for move in moves] == ["💬"] * 2
        assert [move.description for move in moves] == [f"{talk.gist} @ <persona> {other}" for other in pair[::-1]]
    assert all(move.chat is None for move in reports[-1].moves.values())


async def test_a_failed_call_is_reported_and_affects_one_persona(opened, run_for):
    """Personas whose calls fail stay as they are; the others plan their day."""
    simulation = opened("new")
    object.__setattr__(simulation.models, "chat", Dead(simulation.models.chat, {"Ben Reed"}))
    report = (await run_for(simulation, 1))[0]
    assert set(report.failures) == {"Ben Reed"}
    assert report.moves["Ben Reed"].description.startswith("idle @ the Town:Ben's flat")
    assert report.moves["Ada Stone"].description.startswith("sleeping")


async def test_a_plan_is_made_once_calls_work_again(opened, run_for):
    """A day that could not be planned is planned once calls work again."""
    simulation = opened("new")
    chat = simulation.models.chat
    object.__setattr__(simulation.models, "chat", Dead(chat, {"Ben Reed"}))
    await run_for(simulation, 2)
    object.__setattr__(simulation.models, "chat", chat)
    await run_for(simulation, 1)
    assert simulation.persona("Ben Reed").scratch.schedule.minutes == DAY


class Astray:
    """Chat client with an error other than ModelError for one of two personas, while the other still waits."""

    def __init__(self, fault):
        self.fault, self.answering = fault, 0

    async def complete(self, request) -> ChatReply:
        if request.persona == "Ben Reed":
            await asyncio.sleep(0)
            raise self.fault
        self.answering += 1
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            self.answering -= 1
        raise AssertionError


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        (CorruptFile("'x' is no address."), "Ben Reed: 'x' is no address."),
        (BadEmbedding("Ben Reed: the vector for 'x' is no list."), "Ben Reed: the vector for 'x' is no list."),
    ],
)
async def test_another_error_cancels_all_calls(opened, fault, line):
    """The message names the persona once, and all other calls are cancelled."""
    simulation = opened("new")
    chat = Astray(fault)
    object.__setattr__(simulation.models, "chat", chat)
    with pytest.raises(type(fault)) as told:
        await simulation.advance()
    assert str(told.value) == line
    assert chat.answering == 0
    assert not simulation.services.thinking


@pytest.mark.parametrize("question", ["converse/next_utterance", "converse/conversation_gist"])
async def test_a_failed_conversation_does_not_take_place(opened, question):
    """Wherever a call fails, no persona shows a conversation that is not reported."""
    simulation = opened("new")
    chat = Dead(simulation.models.chat, set(simulation.town.personas), questions=question)
    object.__setattr__(simulation.models, "chat", chat)
    reports = []
    while not any(report.failures for report in reports):
        positions = {name: tuple(tile) for name, tile in simulation.town.tiles.items()}
        if reports:
            positions = {name: move.movement for name, move in reports[-1].moves.items()}
        reports.append(await advance(simulation.town, simulation.models, positions, services=simulation.services))
    assert not any(report.talks for report in reports)
    assert all(persona.scratch.conversation is None for persona in simulation.town.personas.values())


async def test_who_rests_has_nothing_to_decide(opened, run_for, monkeypatch):
    """In every step of a morning, with a thing that burns and a whisper, all are asked whether they really rest."""
    simulation, rested, routine_step = opened("new"), [], Persona.routine_step
    monkeypatch.setattr(Resting, "add", lambda *_: None)  # all are looked at

    def checked(persona, view):
        rest = persona._rest
        rests = rest and rest.lasts(persona.mind, view)
        decides = persona._has_decision(view)
        assert not (rests and decides)
        assert not rests or rest.intent == persona.carry_on(view)
        rested.append(bool(rests))
        intent = routine_step(persona, view)
        assert (intent is None) == decides
        return intent

    monkeypatch.setattr(Persona, "routine_step", checked)
    await run_for(simulation, 420)
    thing = next(path for path in simulation.town.maze.address_tiles if path.count(":") == 3)
    simulation.town.occurrences = Occurrences((LastingState(where=thing, words="burning", since=420),))
    await run_for(simulation, 60)
    name, persona = next(iter(simulation.town.personas.items()))
    heard = thought(simulation.clock.now, (name, "hears", "news"), "the news are bad", poignancy=9, keywords=("news",))
    persona.mind.stream.add(heard, np.ones(persona.mind.stream.vectors.size, np.float32))
    await run_for(simulation, 180)
    assert sum(rested) > len(rested) / 2
