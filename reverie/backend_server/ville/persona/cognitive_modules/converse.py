"""Conversing, turn by turn: each side speaks from its own memory, and turns by itself from what it did before."""

import math
from dataclasses import dataclass

from ville.persona.cognitive_modules.encounter import COOL_DOWN, last_talk, open_to_talk
from ville.persona.cognitive_modules.mind import Mind, Moment, both, bring_to_mind, phrase, quoted
from ville.persona.cognitive_modules.perceive import CHATS_WITH
from ville.persona.cognitive_modules.reschedule import rescheduled
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.concept_node import ConceptNode
from ville.persona.memory_structures.schedule import Schedule
from ville.persona.memory_structures.scratch import Conversation, Transcript
from ville.persona.memory_structures.social_impression import SocialImpression
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.blanks import Remark
from ville.persona.prompt_template.converse import ConversationGist, NextUtterance, Relationship, Said
from ville.world.address import NearPersona

ROUNDS = 8
"""In each of them both may speak."""
KNOWN_OF_SOMEBODY = 50
"""Memories from which one says what somebody is to one."""
ON_ONES_MIND = 15
"""Memories that come up for each thing one thinks of before speaking."""
LAST_LINES = 4
CHARACTERS_IN_A_SYLLABLE, SYLLABLES_IN_A_MINUTE = 8, 30
CONVERSING = "conversing about"
BUBBLE = "💬"


@dataclass(frozen=True)
class Conversed:
    """A conversation that has taken place."""

    transcript: Transcript
    gist: str
    """As an activity: `conversing about ...`."""
    minutes: int


@dataclass(frozen=True)
class Side:
    """One of two who talk. It reads and writes its own mind only; of the other it knows what everybody can see."""

    mind: Mind
    moment: Moment
    other: str
    situation: str
    """How the two met."""


async def converse(first: tuple[Mind, Moment], second: tuple[Mind, Moment]) -> Conversed | None:
    """The first speaks to the second; None if it finds nothing to say, or the second has just become unreachable.

    Both find out what the other is to them. Their moments are of the same step, each with its own line.
    """
    if not open_to_talk(second[0].scratch):
        return None
    sides = _face_to_face(first, second)
    relationships = await both(_relationship(sides[0]), _relationship(sides[1]))
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
    return Conversed(transcript, await _gist(sides[0], transcript), minutes_of(transcript))


def _face_to_face(first: tuple[Mind, Moment], second: tuple[Mind, Moment]) -> tuple[Side, Side]:
    (one, moment), (other, others_moment) = first, second
    situation = (
        f"{one.name} was {_doing(one.name, moment)} when {one.name} saw {other.name}, who was "
        f"{_doing(other.name, moment)}. {one.name} goes up to {other.name}."
    )
    return Side(one, moment, other.name, situation), Side(other, others_moment, one.name, situation)


def _doing(name: str, moment: Moment) -> str:
    return moment.view.people[name].doing or "here"


async def _relationship(side: Side) -> str:
    """What the other is to this one; it is noted."""
    mind = side.mind
    memories = (await bring_to_mind(mind, side.moment, [side.other], KNOWN_OF_SOMEBODY))[0]
    question = Relationship(
        identity=mind.self_portrait(side.moment.now), name=mind.name, other=side.other, memories=quoted(memories)
    )
    relationship = (await ask(side.moment.caller, question)).relationship
    known = mind.scratch.impression_of(side.other)
    mind.scratch.note_impression(side.other, SocialImpression(relationship, known.feeling))
    return relationship


async def _say(side: Side, relationship: str, transcript: Transcript) -> Said:
    """What this side says next."""
    mind, now = side.mind, side.moment.now
    question = NextUtterance(
        identity=mind.self_portrait(now),
        name=mind.name,
        other=side.other,
        now=now,
        place=_place(side),
        situation=side.situation,
        relationship=relationship,
        last_talk=last_talk(mind.stream, side.other, now),
        memories=quoted(await _on_its_mind(side, relationship, transcript)),
        transcript=tuple(Remark(speaker, said) for speaker, said in transcript),
    )
    return await ask(side.moment.caller, question)


async def _on_its_mind(side: Side, relationship: str, transcript: Transcript) -> list[ConceptNode]:
    """What comes up about the relationship, the other's doing, and the last few lines."""
    focal_points = [relationship, f"{side.other} is {_doing(side.other, side.moment)}"]
    if transcript:
        focal_points.append("\n".join(f"{speaker}: {said}" for speaker, said in transcript[-LAST_LINES:]))
    memories = await bring_to_mind(side.mind, side.moment, focal_points, ON_ONES_MIND)
    return [node for some in memories for node in some]


def _place(side: Side) -> str:
    place = side.moment.view.maze.place(side.moment.view.people[side.mind.name].tile)
    return " in ".join(name for name in (place.arena, place.sector) if name) or f"a street of {place.world}"


async def _gist(side: Side, transcript: Transcript) -> str:
    question = ConversationGist(transcript=tuple(Remark(speaker, said) for speaker, said in transcript))
    about = phrase((await ask(side.moment.caller, question)).about)
    while about.lower().startswith(CONVERSING):
        about = about[len(CONVERSING) :].strip()
    return f"{CONVERSING} {about or question.fallback().about}"


def minutes_of(transcript: Transcript) -> int:
    """How long it takes to say all this; a minute at least."""
    characters = sum(len(f"{speaker}: {said}\n") for speaker, said in transcript)
    return max(1, math.ceil(characters // CHARACTERS_IN_A_SYLLABLE / SYLLABLES_IN_A_MINUTE))


async def begin_talks(first: tuple[Mind, Moment], second: tuple[Mind, Moment], conversed: Conversed) -> None:
    """Both turn from what they did to the conversation; if the telephone fails one of them, neither does."""
    (one, moment), (other, others_moment) = first, second
    schedules = await both(
        rescheduled(one, moment, conversed.gist, conversed.minutes),
        rescheduled(other, others_moment, conversed.gist, conversed.minutes),
    )
    turn_to(one, moment.view, other.name, conversed=conversed, schedule=schedules[0])
    turn_to(other, moment.view, one.name, conversed=conversed, schedule=schedules[1])


def turn_to(mind: Mind, view: TownView, other: str, *, conversed: Conversed, schedule: Schedule) -> None:
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
