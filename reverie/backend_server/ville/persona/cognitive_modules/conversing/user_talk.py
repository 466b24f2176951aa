"""The persona's side of a conversation with a user, who speaks in a role. Nothing is remembered before its end."""

from collections.abc import Sequence
from dataclasses import dataclass

from ville.llm.gateway import Embedder
from ville.persona.cognitive_modules.conversing import social_memory
from ville.persona.cognitive_modules.conversing.converse import (
    by_rule,
    focal_points,
    utterance_memories,
    utterance_question,
)
from ville.persona.cognitive_modules.conversing.impression import FormedImpression, answered, draft_impression
from ville.persona.cognitive_modules.conversing.interview import Boundary
from ville.persona.cognitive_modules.conversing.speaker import Speaker, doing
from ville.persona.cognitive_modules.mind import Mind, Moment, embed_texts, peek_memories
from ville.persona.cognitive_modules.retrieve import RetrievedMemory
from ville.persona.memory_structures.scratch import Transcript
from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.persona.memory_structures.stream.vectors import Vector
from ville.persona.prompt_template.ask import answered_by_rules, ask
from ville.persona.prompt_template.conversation_answers import Utterance
from ville.persona.prompt_template.converse_questions import NextUtterance, UtteranceByImpression


@dataclass(frozen=True)
class TalkReply:
    """Reply of a persona to a user, and the memories retrieved for it."""

    spoken: Utterance
    memories: tuple[RetrievedMemory, ...] = ()
    """Each once, best first."""
    by_rules: bool = False
    """Whether the offline rules answered, and no model."""


def side_of(mind: Mind, moment: Moment, role: str) -> Speaker:
    """Return the persona as a speaker who is approached."""
    situation = f"{mind.name} was {doing(mind.name, moment)} when {role} came up to {mind.name}."
    return Speaker(mind, moment, role, situation)


async def relate(mind: Mind, embedder: Embedder, role: str, *, boundary: Boundary) -> FormedImpression:
    """Ask what the role is to the persona. Raise a ModelError."""
    vectors = await embed_texts(embedder, [role])
    async with boundary() as moment:
        focus = vectors[role] if len(mind.stream) else None
        draft = draft_impression(side_of(mind, moment, role), focus)
        caller = moment.caller
    return await answered(draft, caller)


async def reply(
    mind: Mind, embedder: Embedder, formed: FormedImpression, transcript: Transcript, *, boundary: Boundary
) -> TalkReply:
    """Ask what the persona says next. Raise a ModelError."""
    role = formed.other
    async with boundary() as moment:
        points = _points(side_of(mind, moment, role), formed, transcript)
    vectors = await embed_texts(embedder, points)
    async with boundary() as moment:
        side = side_of(mind, moment, role)
        memories = _recalled(side, [vectors[point] for point in points])
        question = _question(side, formed, transcript, memories)
        caller = moment.caller
    by_id = {each.node.node_id: each for each in sorted(memories, key=lambda memory: memory.score)}
    best = tuple(sorted(by_id.values(), key=lambda memory: -memory.score))
    spoken = await ask(caller, question)
    by_rules = answered_by_rules(caller)
    ended = spoken if by_rules or question.at_hand is None else by_rule(side, spoken, transcript)
    return TalkReply(ended, best, by_rules=by_rules)


async def memories_used(
    mind: Mind, moment: Moment, formed: FormedImpression, transcript: Transcript
) -> list[ConceptNode]:
    """Return the memories that come to mind for the utterances of the persona in a conversation that is over."""
    side = side_of(mind, moment, formed.other)
    turns = [turn for turn, (speaker, _) in enumerate(transcript) if speaker == mind.name]
    points = [_points(side, formed, transcript[:turn]) for turn in turns]
    vectors = await moment.embed([point for each in points for point in each])
    if mind.settings.social_memory:
        return [each.node for some in points for each in _recalled(side, [vectors[point] for point in some])]
    return [each.node for each in _recalled(side, list(vectors.values()))]


def _points(side: Speaker, formed: FormedImpression, transcript: Transcript) -> list[str]:
    """Return what memories are retrieved for before an utterance."""
    if side.mind.settings.social_memory:
        return social_memory.talk_points(side, transcript)
    return focal_points(side, formed.relationship, transcript)


def _recalled(side: Speaker, points: Sequence[Vector]) -> list[RetrievedMemory]:
    """Return the top memories for each focal point, one after the other, without marking them as accessed."""
    if not len(side.mind.stream):
        return []
    if side.mind.settings.social_memory:
        return social_memory.memories_in_talk(side, points)
    found = (peek_memories(side.mind, side.moment, point, count=utterance_memories(side), about=[side.other])
             for point in points)  # fmt: skip
    return [each for some in found for each in some]


def _question(
    side: Speaker, formed: FormedImpression, transcript: Transcript, memories: Sequence[RetrievedMemory]
) -> NextUtterance | UtteranceByImpression:
    nodes = [each.node for each in memories]
    ask_by = social_memory.utterance_by_impression if side.mind.settings.social_memory else utterance_question
    return ask_by(side, formed.relationship, transcript, memories=nodes)
