"""Conversations, turn by turn: each speaker uses only its own memory (paper §4.3.2)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ville.persona.cognitive_modules.encounter import COOL_DOWN, available_to_talk, describe_last_talk
from ville.persona.cognitive_modules.mind import (
    Mind,
    Moment,
    clean_phrase,
    embed_texts,
    gather_pair,
    peek_memories,
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
from ville.persona.prompt_template.converse import (
    ConversationGist,
    NextUtterance,
    Relationship,
    RelationshipSummary,
    Utterance,
)
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


@dataclass(frozen=True)
class FormedImpression:
    """What a persona thinks of the other before they talk; not noted in its mind yet."""

    question: Relationship
    answer: RelationshipSummary
    memories: list[ConceptNode]
    """Memories that came to mind."""


async def converse(first: tuple[Mind, Moment], second: tuple[Mind, Moment]) -> ConversationResult | None:
    """Return the conversation that the first persona starts with the second.

    Return None if the first has nothing to say, or if the second is no longer available. Both moments are of the same
    step, each with its own caller.
    """
    if not available_to_talk(second[0].scratch):
        return None
    sides = _speakers(first, second)
    formed = await gather_pair(form_impression(sides[0]), form_impression(sides[1]))
    relationships = [keep_impression(side, impression) for side, impression in zip(sides, formed, strict=True)]
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
    return await summed_up(sides[0].moment, transcript)


def _speakers(first: tuple[Mind, Moment], second: tuple[Mind, Moment]) -> tuple[Speaker, Speaker]:
    (one, moment), (other, other_moment) = first, second
    situation = (
        f"{one.name} was {doing(one.name, moment)} when {one.name} saw {other.name}, who was "
        f"{doing(other.name, moment)}. {one.name} goes up to {other.name}."
    )
    return Speaker(one, moment, other.name, situation), Speaker(other, other_moment, one.name, situation)


def doing(name: str, moment: Moment) -> str:
    """Return what a persona is doing; users who talk to personas are just here."""
    seen = moment.view.people.get(name)
    return (seen and seen.doing) or "here"


async def form_relationship(side: Speaker) -> str:
    """Return what the other is to this persona, and note it in its mind."""
    return keep_impression(side, await form_impression(side))


async def form_impression(side: Speaker) -> FormedImpression:
    """Ask what the other is to this persona, from its impression so far and memories. The mind does not change."""
    mind, about = side.mind, [side.other]
    vectors = await embed_texts(side.moment.embedder, about) if len(mind.stream) else {}
    found = (
        peek_memories(mind, side.moment, vector, count=RELATIONSHIP_MEMORIES, about=about)
        for vector in vectors.values()
    )
    memories = [each.node for some in found for each in some]
    question = relationship_question(side, memories)
    return FormedImpression(question, await ask(side.moment.caller, question), memories)


def keep_impression(side: Speaker, formed: FormedImpression) -> str:
    """Note in the mind what the other is to this persona, and return it."""
    side.mind.stream.mark_accessed(formed.memories, side.moment.now)
    note_relationship(side, formed.question, formed.answer)
    return formed.answer.relationship


def relationship_question(side: Speaker, memories: Sequence[ConceptNode]) -> Relationship:
    known = side.mind.scratch.impression_of(side.other)
    return Relationship(
        identity=side.mind.identity_text(side.moment.now),
        name=side.mind.name,
        other=side.other,
        known=(known.text if side.mind.settings.impressions else "") or side.moment.view.visitor_text(side.other),
        memories=quote_memories(memories, side.moment.now),
    )


def note_relationship(side: Speaker, question: Relationship, answer: RelationshipSummary) -> None:
    """Note in the scratch what the other is to this persona, unless no model said so, or the mind is frozen."""
    mind, known = side.mind, side.mind.scratch.impression_of(side.other)
    if answer != question.fallback() and not side.moment.frozen(mind.name):
        feeling = answer.feeling if mind.settings.impressions and answer.feeling else known.feeling
        mind.scratch.note_impression(side.other, SocialImpression(answer.relationship, feeling))


async def speak(side: Speaker, relationship: str, transcript: Transcript) -> Utterance:
    """Return what this persona says next."""
    points = focal_points(side, relationship, transcript)
    found = await retrieve_memories(side.mind, side.moment, points, UTTERANCE_MEMORIES, about=[side.other])
    memories = [node for some in found for node in some]
    question = utterance_question(side, relationship, transcript, memories=memories)
    return await ask(side.moment.caller, question)


def utterance_question(
    side: Speaker, relationship: str, transcript: Transcript, *, memories: Sequence[ConceptNode]
) -> NextUtterance:
    mind, now = side.mind, side.moment.now
    return NextUtterance(
        identity=mind.identity_text(now),
        name=mind.name,
        other=side.other,
        now=now,
        place=_place(side),
        situation=side.situation,
        relationship=relationship,
        last_talk=describe_last_talk(mind.stream, side.other, now),
        memories=quote_memories(memories, now),
        transcript=tuple(DialogueTurn(speaker, said) for speaker, said in transcript),
    )


def focal_points(side: Speaker, relationship: str, transcript: Transcript) -> list[str]:
    """Return what memories are retrieved for before an utterance: relationship, the other's action, last turns."""
    points = [relationship, f"{side.other} is {doing(side.other, side.moment)}"]
    if transcript:
        points.append("\n".join(f"{speaker}: {said}" for speaker, said in transcript[-RECENT_TURNS:]))
    return points


def _place(side: Speaker) -> str:
    place = side.moment.view.maze.place(side.moment.view.people[side.mind.name].tile)
    return " in ".join(name for name in (place.arena, place.sector) if name) or f"a street of {place.world}"


async def summed_up(moment: Moment, transcript: Transcript) -> ConversationResult:
    """Return the result of a conversation: its summary is asked for."""
    return ConversationResult(transcript, await _gist(moment, transcript), speaking_minutes(transcript))


async def _gist(moment: Moment, transcript: Transcript) -> str:
    question = ConversationGist(transcript=tuple(DialogueTurn(speaker, said) for speaker, said in transcript))
    about = clean_phrase((await ask(moment.caller, question)).about)
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
