"""Conversing, turn by turn: each side speaks from its own memory, and turns by itself from what it did before."""

import math
from dataclasses import dataclass

from ville.persona.cognitive_modules.encounter import COOL_DOWN, available_to_talk, describe_last_talk
from ville.persona.cognitive_modules.mind import (
    Mind,
    Moment,
    clean_phrase,
    gather_pair,
    quote_memories,
    retrieve_memories,
)
from ville.persona.cognitive_modules.perceive import CHATS_WITH
from ville.persona.cognitive_modules.reschedule import reschedule
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.concept_node import ConceptNode
from ville.persona.memory_structures.schedule import Schedule
from ville.persona.memory_structures.scratch import Conversation, Transcript
from ville.persona.memory_structures.social_impression import SocialImpression
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.blanks import DialogueTurn
from ville.persona.prompt_template.converse import ConversationGist, NextUtterance, Relationship, Utterance
from ville.world.address import NearPersona

ROUNDS = 8
"""In each of them both may speak."""
RELATIONSHIP_MEMORIES = 50
"""Memories from which one says what somebody is to one."""
UTTERANCE_MEMORIES = 15
"""Memories that come up for each thing one thinks of before speaking."""
RECENT_TURNS = 4
CHARACTERS_IN_A_SYLLABLE, SYLLABLES_IN_A_MINUTE = 8, 30
CONVERSING = "conversing about"
BUBBLE = "💬"


@dataclass(frozen=True)
class ConversationResult:
    """A conversation that has taken place."""

    transcript: Transcript
    gist: str
    """As an activity: `conversing about ...`."""
    minutes: int


@dataclass(frozen=True)
class Speaker:
    """One of two who talk. It reads and writes its own mind only; of the other it knows what everybody can see."""

    mind: Mind
    moment: Moment
    other: str
    situation: str
    """How the two met."""


async def converse(first: tuple[Mind, Moment], second: tuple[Mind, Moment]) -> ConversationResult | None:
    """The first speaks to the second; None if it finds nothing to say, or the second has just become unreachable.

    Both find out what the other is to them. Their moments are of the same step, each with its own line.
    """
    if not available_to_talk(second[0].scratch):
        return None
    sides = _face_to_face(first, second)
    relationships = await gather_pair(_relationship(sides[0]), _relationship(sides[1]))
    transcript: Transcript = ()
    for turn in range(2 * ROUNDS):
        side = turn % 2
        said = await _say(sides[side], relationships[side], transcript)
        if said.utterance:
            transcript = (*transcript, (sides[side].mind.name, said.utterance))
        if said.ends or not said.utterance:
            break
    if not transcript:
        return None
    return ConversationResult(transcript, await _gist(sides[0], transcript), speaking_minutes(transcript))


def _face_to_face(first: tuple[Mind, Moment], second: tuple[Mind, Moment]) -> tuple[Speaker, Speaker]:
    (one, moment), (other, others_moment) = first, second
    situation = (
        f"{one.name} was {_doing(one.name, moment)} when {one.name} saw {other.name}, who was "
        f"{_doing(other.name, moment)}. {one.name} goes up to {other.name}."
    )
    return Speaker(one, moment, other.name, situation), Speaker(other, others_moment, one.name, situation)


def _doing(name: str, moment: Moment) -> str:
    return moment.view.people[name].doing or "here"


async def _relationship(side: Speaker) -> str:
    """What the other is to this one; it is noted."""
    mind = side.mind
    memories = (await retrieve_memories(mind, side.moment, [side.other], RELATIONSHIP_MEMORIES))[0]
    question = Relationship(
        identity=mind.identity_text(side.moment.now),
        name=mind.name,
        other=side.other,
        memories=quote_memories(memories),
    )
    relationship = (await ask(side.moment.caller, question)).relationship
    known = mind.scratch.impression_of(side.other)
    mind.scratch.note_impression(side.other, SocialImpression(relationship, known.feeling))
    return relationship


async def _say(side: Speaker, relationship: str, transcript: Transcript) -> Utterance:
    """What this side says next."""
    mind, now = side.mind, side.moment.now
    question = NextUtterance(
        identity=mind.identity_text(now),
        name=mind.name,
        other=side.other,
        now=now,
        place=_place(side),
        situation=side.situation,
        relationship=relationship,
        last_talk=describe_last_talk(mind.stream, side.other, now),
        memories=quote_memories(await _on_its_mind(side, relationship, transcript)),
        transcript=tuple(DialogueTurn(speaker, said) for speaker, said in transcript),
    )
    return await ask(side.moment.caller, question)


async def _on_its_mind(side: Speaker, relationship: str, transcript: Transcript) -> list[ConceptNode]:
    """What comes up about the relationship, the other's doing, and the last few lines."""
    focal_points = [relationship, f"{side.other} is {_doing(side.other, side.moment)}"]
    if transcript:
        focal_points.append("\n".join(f"{speaker}: {said}" for speaker, said in transcript[-RECENT_TURNS:]))
    memories = await retrieve_memories(side.mind, side.moment, focal_points, UTTERANCE_MEMORIES)
    return [node for some in memories for node in some]


def _place(side: Speaker) -> str:
    place = side.moment.view.maze.place(side.moment.view.people[side.mind.name].tile)
    return " in ".join(name for name in (place.arena, place.sector) if name) or f"a street of {place.world}"


async def _gist(side: Speaker, transcript: Transcript) -> str:
    question = ConversationGist(transcript=tuple(DialogueTurn(speaker, said) for speaker, said in transcript))
    about = clean_phrase((await ask(side.moment.caller, question)).about)
    while about.lower().startswith(CONVERSING):
        about = about[len(CONVERSING) :].strip()
    return f"{CONVERSING} {about or question.fallback().about}"


def speaking_minutes(transcript: Transcript) -> int:
    """How long it takes to say all this; a minute at least."""
    characters = sum(len(f"{speaker}: {said}\n") for speaker, said in transcript)
    return max(1, math.ceil(characters // CHARACTERS_IN_A_SYLLABLE / SYLLABLES_IN_A_MINUTE))


async def start_conversation(
    first: tuple[Mind, Moment], second: tuple[Mind, Moment], conversed: ConversationResult
) -> None:
    """Both turn from what they did to the conversation; if the telephone fails one of them, neither does."""
    (one, moment), (other, others_moment) = first, second
    schedules = await gather_pair(
        reschedule(one, moment, conversed.gist, conversed.minutes),
        reschedule(other, others_moment, conversed.gist, conversed.minutes),
    )
    enter_conversation(one, moment.view, other.name, conversed=conversed, schedule=schedules[0])
    enter_conversation(other, moment.view, one.name, conversed=conversed, schedule=schedules[1])


def enter_conversation(
    mind: Mind, view: TownView, other: str, *, conversed: ConversationResult, schedule: Schedule
) -> None:
    """One side is in the conversation from now on, with its day planned round it."""
    action = Action(
        address=str(NearPersona(other)),
        start=view.now,
        minutes=conversed.minutes,
        description=conversed.gist,
        emoji=BUBBLE,
        event=(mind.name, CHATS_WITH, other),
    )
    mind.scratch.schedule = schedule
    mind.scratch.begin(action, Conversation(other, conversed.transcript, action.ends))
    mind.scratch.cool_downs[other] = math.ceil(COOL_DOWN.total_seconds() / view.seconds_per_step)
