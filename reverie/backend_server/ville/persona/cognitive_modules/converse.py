"""Conversations, turn by turn: each speaker uses only its own memory (paper §4.3.2)."""

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
from ville.persona.memory_structures.scratch import Conversation, Scratch, Transcript
from ville.persona.memory_structures.social_impression import SocialImpression
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.blanks import DialogueTurn
from ville.persona.prompt_template.converse import ConversationGist, NextUtterance, Relationship, Utterance
from ville.world.address import NearPersona

ROUNDS = 8
"""At most; in each round both speak once."""
RELATIONSHIP_MEMORIES = 30
"""Number of memories from which a persona sums up its relationship to the other."""
UTTERANCE_MEMORIES = 10
"""Number of memories retrieved per focal point before each utterance."""
RECENT_TURNS = 4
"""Last turns of the conversation that serve as one focal point."""
CHARACTERS_PER_SYLLABLE, SYLLABLES_PER_MINUTE = 8, 30
"""Speed of speech, which sets how long a conversation takes."""
CONVERSING = "conversing about"
BUBBLE = "💬"


@dataclass(frozen=True)
class ConversationResult:
    """What was said in a conversation, and how long it takes."""

    transcript: Transcript
    gist: str
    """Summary as an activity: `conversing about ...`."""
    minutes: int


@dataclass(frozen=True)
class Speaker:
    """One of the two personas in a conversation. It uses its own mind and what can be seen of the other."""

    mind: Mind
    moment: Moment
    other: str
    situation: str
    """What each was doing when they met."""


async def converse(first: tuple[Mind, Moment], second: tuple[Mind, Moment]) -> ConversationResult | None:
    """Return the conversation that the first persona starts with the second.

    Return None if the first has nothing to say, or if the second is no longer available. Both moments are of the same
    step, each with its own caller.
    """
    if not available_to_talk(second[0].scratch):
        return None
    sides = _speakers(first, second)
    relationships = await gather_pair(form_relationship(sides[0]), form_relationship(sides[1]))
    transcript: Transcript = ()
    for turn in range(2 * ROUNDS):
        side = turn % 2
        spoken = await speak(sides[side], relationships[side], transcript)
        if spoken.utterance:
            transcript = (*transcript, (sides[side].mind.name, spoken.utterance))
        if spoken.ends or not spoken.utterance:
            break
    if not transcript:
        return None
    return ConversationResult(transcript, await sum_up(sides[0], transcript), speaking_minutes(transcript))


def _speakers(first: tuple[Mind, Moment], second: tuple[Mind, Moment]) -> tuple[Speaker, Speaker]:
    (one, moment), (other, other_moment) = first, second
    situation = (
        f"{one.name} was {_doing(one.name, moment)} when {one.name} saw {other.name}, who was "
        f"{_doing(other.name, moment)}. {one.name} goes up to {other.name}."
    )
    return Speaker(one, moment, other.name, situation), Speaker(other, other_moment, one.name, situation)


def _doing(name: str, moment: Moment) -> str:
    return moment.view.people[name].doing or "here"


async def form_relationship(side: Speaker) -> str:
    """Return what the other is to this persona, from its impression so far and memories, and note it in the scratch."""
    mind, known = side.mind, side.mind.scratch.impression_of(side.other)
    about = [side.other]
    memories = (await retrieve_memories(mind, side.moment, about, RELATIONSHIP_MEMORIES, about=about))[0]
    question = Relationship(
        identity=mind.identity_text(side.moment.now),
        name=mind.name,
        other=side.other,
        known=(known.text if mind.impressions else "") or side.moment.view.visitor_text(side.other),
        memories=quote_memories(memories, side.moment.now),
    )
    answer = await ask(side.moment.caller, question)
    if answer != question.fallback():
        feeling = answer.feeling if mind.impressions and answer.feeling else known.feeling
        mind.scratch.note_impression(side.other, SocialImpression(answer.relationship, feeling))
    return answer.relationship


async def speak(side: Speaker, relationship: str, transcript: Transcript) -> Utterance:
    """Return what this persona says next."""
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
        memories=quote_memories(await _memories_for_turn(side, relationship, transcript), now),
        transcript=tuple(DialogueTurn(speaker, said) for speaker, said in transcript),
    )
    return await ask(side.moment.caller, question)


async def _memories_for_turn(side: Speaker, relationship: str, transcript: Transcript) -> list[ConceptNode]:
    """Return memories about the relationship, the other's action and the last few turns."""
    focal_points = [relationship, f"{side.other} is {_doing(side.other, side.moment)}"]
    if transcript:
        focal_points.append("\n".join(f"{speaker}: {said}" for speaker, said in transcript[-RECENT_TURNS:]))
    memories = await retrieve_memories(side.mind, side.moment, focal_points, UTTERANCE_MEMORIES, about=[side.other])
    return [node for some in memories for node in some]


def _place(side: Speaker) -> str:
    place = side.moment.view.maze.place(side.moment.view.people[side.mind.name].tile)
    return " in ".join(name for name in (place.arena, place.sector) if name) or f"a street of {place.world}"


async def sum_up(side: Speaker, transcript: Transcript) -> str:
    """Return what a conversation was about, as an activity."""
    question = ConversationGist(transcript=tuple(DialogueTurn(speaker, said) for speaker, said in transcript))
    about = clean_phrase((await ask(side.moment.caller, question)).about)
    while about.lower().startswith(CONVERSING):
        about = about[len(CONVERSING) :].strip()
    return f"{CONVERSING} {about or question.fallback().about}"


def speaking_minutes(transcript: Transcript) -> int:
    """Return how long a conversation takes, at least a minute."""
    characters = sum(len(f"{speaker}: {said}\n") for speaker, said in transcript)
    return max(1, math.ceil(characters // CHARACTERS_PER_SYLLABLE / SYLLABLES_PER_MINUTE))


async def start_conversation(
    first: tuple[Mind, Moment], second: tuple[Mind, Moment], conversed: ConversationResult
) -> None:
    """Make the conversation the current action of both. If a call fails for one, nothing changes for either."""
    (one, moment), (other, other_moment) = first, second
    schedules = await gather_pair(
        reschedule(one, moment, conversed.gist, conversed.minutes),
        reschedule(other, other_moment, conversed.gist, conversed.minutes),
    )
    enter_conversation(one, moment.view, other.name, conversed=conversed, schedule=schedules[0])
    enter_conversation(other, moment.view, one.name, conversed=conversed, schedule=schedules[1])


def enter_conversation(
    mind: Mind, view: TownView, other: str, *, conversed: ConversationResult, schedule: Schedule
) -> None:
    """Make the conversation the current action of one persona, with a schedule that makes room for it."""
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
    note_cool_down(mind.scratch, other, view)


def note_cool_down(scratch: Scratch, other: str, view: TownView) -> None:
    """Note that the persona does not start another conversation with the same partner for a while."""
    scratch.cool_downs[other] = math.ceil(COOL_DOWN.total_seconds() / view.seconds_per_step)
