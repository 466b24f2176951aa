"""Social memory: talks draw on a summary of the other, which is brought up to date when there is something new.

After AGA (contract §8.4), which retrieves and sums up memories before and during each talk.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from ville.persona.cognitive_modules.committing.at_hand import with_what_is_off
from ville.persona.cognitive_modules.conversing.encounter import said_of_late
from ville.persona.cognitive_modules.conversing.speaker import Speaker, doing
from ville.persona.cognitive_modules.mind import Mind, minute_of_day, peek_memories, quote_memories
from ville.persona.cognitive_modules.planning.subtasks import day_lines
from ville.persona.cognitive_modules.retrieve import RetrievedMemory
from ville.persona.cognitive_modules.situated import situated_self
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.scratch import Transcript
from ville.persona.memory_structures.social_impression import SocialImpression
from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.persona.memory_structures.stream.vectors import Vector
from ville.persona.prompt_template.blanks import DialogueTurn
from ville.persona.prompt_template.conversation_answers import KeptOfTalk
from ville.persona.prompt_template.converse_questions import UtteranceByImpression
from ville.plain_text import shortened

IMPRESSION_MEMORIES = 12
"""Most memories of the other from which an impression is formed."""
BROAD = 60
"""Number of memories that are looked through for what is worth telling."""
TO_TELL, REMINDERS = 4, 2
"""Memories in a question for an utterance: what the persona may tell, and of what the last words remind it."""
NEWS, TO_TELL_IN_ALL = 5, 10
"""Memories of each side in a question for a whole talk: what is new about the other, and what it may tell."""
WORTH_TELLING = 5
"""Poignancy from which something seen is worth telling; thoughts always are."""
PLAN = "plan"
"""Predicate of the plan of a day, which is too long for every utterance."""
WHOLE_LINES, EXCERPT = 6, 60
"""Last lines that are quoted in full, and the characters that are quoted of each earlier one."""


def memories_naming(mind: Mind, view: TownView, other: str) -> set[int]:
    """Return the numbers of the thoughts that name another, and of the talks with it.

    What it was merely seen doing does not count: it changes nothing between the two.
    """
    thoughts = mind.stream.thoughts_naming(mind.stream.known_as(other, view.names)).tolist()
    return {*thoughts, *(node.number for node in mind.stream.with_keyword("chat", other))}


def count_of_other(side: Speaker) -> int:
    """Return how many memories of the other there are."""
    return len(memories_naming(side.mind, side.moment.view, side.other))


def known_impression(mind: Mind, other: str) -> SocialImpression:
    """Return the impression so far; without the setting `impressions` none is carried over."""
    return mind.scratch.impression_of(other) if mind.settings.impressions else SocialImpression()


def note_kept(mind: Mind, view: TownView, other: str, kept: KeptOfTalk) -> None:
    """Note the impression after a talk, if it says something; with social memory as that of all memories."""
    if not kept.relationship:
        return
    known = known_impression(mind, other)
    noted = replace(known, relationship=kept.relationship, feeling=kept.feeling or known.feeling)
    if mind.settings.social_memory:
        count = len(memories_naming(mind, view, other))
        noted = replace(noted, summary=kept.summary or known.summary, memories=count)
    mind.scratch.note_impression(other, noted)


def has_news(side: Speaker) -> bool:
    """Return whether the memories of the other are not those of which the impression was formed."""
    return count_of_other(side) != known_impression(side.mind, side.other).memories


def standing_impression(side: Speaker) -> str:
    """Return the impression so far as quoted in prompts; of strangers, that they hardly know each other."""
    strangers = f"{side.mind.name} and {side.other} hardly know each other."
    return known_impression(side.mind, side.other).whole_text or side.moment.view.visitor_text(side.other) or strangers


def memories_of_other(side: Speaker, found: Sequence[ConceptNode]) -> list[ConceptNode]:
    """Return the first of the retrieved memories that name the other."""
    person = side.mind.stream.known_as(side.other, side.moment.view.names)
    return [node for node in found if person.named_in(node.description)][:IMPRESSION_MEMORIES]


async def memories_for_utterance(side: Speaker, transcript: Transcript) -> list[RetrievedMemory]:
    """Return the memories for the next utterance. Raise a ModelError."""
    points = talk_points(side, transcript)
    vectors = await side.moment.embed(points if len(side.mind.stream) else [])
    return memories_in_talk(side, [vectors[point] for point in points if point in vectors])


def talk_points(side: Speaker, transcript: Transcript) -> list[str]:
    """Return what memories are retrieved for: the other, and its last words or what it is doing."""
    last = transcript[-1][1] if transcript else f"{side.other} is {doing(side.other, side.moment)}"
    return [side.other, last]


def memories_in_talk(side: Speaker, points: Sequence[Vector], to_tell: int = TO_TELL) -> list[RetrievedMemory]:
    """Return what the persona may tell, and of what the last words remind it, by the vectors of `talk_points`.

    What names the other is left out, because the summary is made of it.
    """
    if not points:
        return []
    summed_up = memories_naming(side.mind, side.moment.view, side.other) if _has_summary(side) else set()
    about_other, about_words = points
    told = [each for each in _new_memories(side, about_other, summed_up) if _is_worth_telling(each.node)][:to_tell]
    known = summed_up | {each.node.number for each in told}
    return [*told, *list(_new_memories(side, about_words, known))[:REMINDERS]]


def memories_in_whole_talk(side: Speaker, points: Sequence[Vector]) -> list[ConceptNode]:
    """Return what is new about the other, and what comes to mind in the talk, each once."""
    if not points:
        return []
    about = peek_memories(side.mind, side.moment, points[0], count=BROAD, about=[side.other])
    news = memories_of_other(side, [each.node for each in about])[:NEWS] if has_news(side) else []
    nodes = [*news, *(each.node for each in memories_in_talk(side, points, TO_TELL_IN_ALL))]
    return list({node.number: node for node in nodes}.values())


def _has_summary(side: Speaker) -> bool:
    return bool(known_impression(side.mind, side.other).summary)


def _new_memories(side: Speaker, focus: Vector, known: set[int]) -> Iterator[RetrievedMemory]:
    found = peek_memories(side.mind, side.moment, focus, count=BROAD, about=[])
    return (each for each in found if each.node.number not in known and each.node.predicate != PLAN)


def _is_worth_telling(node: ConceptNode) -> bool:
    return node.kind == "thought" or node.poignancy >= WORTH_TELLING


def rest_of_day(mind: Mind, now: datetime) -> tuple[str, ...]:
    """Return what is left of the plan for today as quoted in prompts."""
    hourly = mind.scratch.hourly_schedule
    lines = zip(day_lines(hourly, now), hourly.slots(), strict=True)
    return tuple(line for line, slot in lines if slot.end > minute_of_day(now))


def utterance_by_impression(
    side: Speaker, impression: str, transcript: Transcript, *, memories: Sequence[ConceptNode]
) -> UtteranceByImpression:
    return UtteranceByImpression(
        identity=side.mind.scratch.identity.character,
        name=side.mind.name,
        other=side.other,
        now=side.moment.now,
        place=side.place,
        situation=side.situation,
        impression=impression,
        memories=quote_memories(with_what_is_off(side.mind, memories), side.moment.now),
        transcript=quoted_talk(transcript),
        earlier=said_of_late(side.mind.stream, side.other, side.moment.now),
        at_hand=situated_self(side.mind, side.moment, facing=side.other),
        manner=side.manner,
    )


def quoted_talk(transcript: Transcript) -> tuple[DialogueTurn, ...]:
    """Return the lines of a talk, with only the beginning of those before the last six."""
    earlier = len(transcript) - WHOLE_LINES
    return tuple(
        DialogueTurn(speaker, shortened(said, EXCERPT) if number < earlier else said)
        for number, (speaker, said) in enumerate(transcript)
    )
