"""Laws of retrieval where persons are the matter: talks, reactions, interviews, whispers."""

from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta

import pytest

from ville.persona.cognitive_modules.conversing.converse import converse
from ville.persona.cognitive_modules.conversing.interview import INTERVIEWER, answer
from ville.persona.cognitive_modules.conversing.whisper_thoughts import take_in, thoughts_from_whispers
from ville.persona.cognitive_modules.mind import add_to_stream
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.perceive import perceive
from ville.persona.cognitive_modules.react import react
from ville.persona.cognitive_modules.retrieve import recall
from ville.persona.memory_structures.stream.concept_node import thought
from ville.world.address import Tile

ADA, BEN = "Ada Stone", "Ben Reed"
PAST = f"{ADA} was brought up by {BEN}"


@pytest.fixture
def two(hamlet):
    """Two personas who see each other; one has one old memory of the other below a hundred heavy new ones."""
    ada = hamlet.person(ADA, Tile(7, 2), doing="having tea").mind
    hamlet.person(BEN, Tile(7, 1), doing="wiping the counter")
    add_to_stream(ada, [(thought(hamlet.now, (ADA, "is", "x"), PAST, poignancy=1), [0, 1] + [0] * 11)])
    hamlet.now += timedelta(days=5)
    news = [
        thought(hamlet.now, (ADA, "votes", str(day)), f"Votes are counted {day}", poignancy=9) for day in range(100)
    ]
    add_to_stream(ada, [(each, [1.0] * 13) for each in news])
    return ada


def quoted(hamlet, title) -> list[set[str]]:
    """Return the memories that each question with this title quotes to Ada."""
    asked = [request for request in hamlet.oracle.asked(title) if request.persona == ADA]
    assert asked
    return [{memory.text for memory in request.fields["memories"]} for request in asked]


TALKS = ("converse/relationship", "converse/next_utterance")
LAST_LINES = (f"Who is {BEN}?", "What did Ben do?")


async def think_of_ben(hamlet, mind):
    """Meet, talk, and answer questions about the other."""
    moment = hamlet.moment(ADA)
    hamlet.oracle.teach("talk/interview", {"utterance": "He did."})
    asking = replace(mind, settings=replace(mind.settings, questions="paper"))
    await react(asking, moment, recall(mind.stream, await perceive(mind, moment)))
    await converse((mind, moment), (hamlet.people[BEN].mind, hamlet.moment(BEN)))
    for line in LAST_LINES:
        await answer(mind, moment.embedder, ((INTERVIEWER, line),), boundary=lambda: nullcontext(moment))


async def test_the_past_with_a_person_comes_to_mind(hamlet, two):
    """On seeing it, in a talk with it, and in an interview that names it, however much else there is."""
    await think_of_ben(hamlet, two)
    for title in ("react/how_to_react", *TALKS, "talk/interview"):
        assert all(PAST in memories for memories in quoted(hamlet, title))


async def test_each_focal_point_brings_other_memories_of_a_person(hamlet, two):
    """One could bring four of ten, or two of four; those of a reaction or an utterance bring twice as many at least."""
    more = [
        thought(hamlet.now, (ADA, "owes", str(debt)), f"{ADA} owes {BEN} {debt}", poignancy=1) for debt in range(20)
    ]
    add_to_stream(two, [(each, [0, 1] + [0] * 11) for each in more])
    await think_of_ben(hamlet, two)
    for title, least in {"react/how_to_react": 8, "converse/next_utterance": 4}.items():
        assert all(sum(BEN in memory for memory in memories) >= least for memories in quoted(hamlet, title))


async def test_with_the_method_of_the_paper_it_does_not(hamlet, two):
    """There it has to compete with everything else."""
    two.settings = MindSettings(retrieval="paper")
    await think_of_ben(hamlet, two)
    for title in (*TALKS, "talk/interview"):
        assert not any(PAST in memories for memories in quoted(hamlet, title))


async def test_a_whisper_about_a_person_comes_to_mind(hamlet, two):
    """Also if it calls the person by first name."""
    take_in(two, hamlet.moment(ADA), await thoughts_from_whispers(two, hamlet.moment(ADA), ["Ben lies."]))
    await think_of_ben(hamlet, two)
    assert all({PAST, "Ben lies."} <= memories for memories in quoted(hamlet, "converse/relationship"))
