"""The persona's side of a conversation with a user, who speaks as somebody. Nothing is remembered before its end."""

from collections.abc import Sequence
from dataclasses import dataclass

from ville.llm.gateway import Embedder
from ville.persona.cognitive_modules.converse import (
    RELATIONSHIP_MEMORIES,
    UTTERANCE_MEMORIES,
    FormedImpression,
    Speaker,
    doing,
    focal_points,
    relationship_question,
    utterance_question,
)
from ville.persona.cognitive_modules.interview import Boundary
from ville.persona.cognitive_modules.mind import Mind, Moment, embed_texts, peek_memories
from ville.persona.cognitive_modules.retrieve import RetrievedMemory
from ville.persona.memory_structures.concept_node import ConceptNode
from ville.persona.memory_structures.scratch import Transcript
from ville.persona.memory_structures.vectors import Vector
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.converse import Utterance


@dataclass(frozen=True)
class TalkReply:
    """What a persona says to a user, and what it draws on."""

    spoken: Utterance
    memories: tuple[RetrievedMemory, ...] = ()
    """Each once, best first."""


def side_of(mind: Mind, moment: Moment, role: str) -> Speaker:
    """Return the persona as a speaker who is approached."""
    situation = f"{mind.name} was {doing(mind.name, moment)} when {role} came up to {mind.name}."
    return Speaker(mind, moment, role, situation)


async def relate(mind: Mind, embedder: Embedder, role: str, *, boundary: Boundary) -> FormedImpression:
    """Ask what the role is to the persona. Raise a ModelError."""
    vectors = await embed_texts(embedder, [role])
    async with boundary() as moment:
        memories = _peek(mind, moment, [vectors[role]], role, count=RELATIONSHIP_MEMORIES)
        nodes = [each.node for each in memories]
        question = relationship_question(side_of(mind, moment, role), nodes)
        caller = moment.caller
    return FormedImpression(question, await ask(caller, question), nodes)


async def reply(
    mind: Mind, embedder: Embedder, formed: FormedImpression, transcript: Transcript, *, boundary: Boundary
) -> TalkReply:
    """Ask what the persona says next. Raise a ModelError."""
    relationship, role = formed.answer.relationship, formed.question.other
    async with boundary() as moment:
        points = focal_points(side_of(mind, moment, role), relationship, transcript)
    vectors = await embed_texts(embedder, points)
    async with boundary() as moment:
        memories = _peek(mind, moment, [vectors[point] for point in points], role, count=UTTERANCE_MEMORIES)
        side = side_of(mind, moment, role)
        question = utterance_question(side, relationship, transcript, memories=[each.node for each in memories])
        caller = moment.caller
    by_id = {each.node.node_id: each for each in sorted(memories, key=lambda memory: memory.score)}
    return TalkReply(await ask(caller, question), tuple(sorted(by_id.values(), key=lambda memory: -memory.score)))


async def memories_used(
    mind: Mind, moment: Moment, formed: FormedImpression, transcript: Transcript
) -> list[ConceptNode]:
    """Return the memories that come to mind for the utterances of the persona in a conversation that is over."""
    side = side_of(mind, moment, formed.question.other)
    turns = [turn for turn, (speaker, _) in enumerate(transcript) if speaker == mind.name]
    points = [point for turn in turns for point in focal_points(side, formed.answer.relationship, transcript[:turn])]
    vectors = await embed_texts(moment.embedder, points)
    found = _peek(mind, moment, list(vectors.values()), side.other, count=UTTERANCE_MEMORIES)
    return [each.node for each in found]


def _peek(mind: Mind, moment: Moment, points: Sequence[Vector], role: str, *, count: int) -> list[RetrievedMemory]:
    """Return the top memories for each focal point, one after the other, without marking them as accessed."""
    if not len(mind.stream):
        return []
    found = (peek_memories(mind, moment, point, count=count, about=[role]) for point in points)
    return [each for some in found for each in some]
