"""Impression that a persona has of another before a talk: from memories, and from the impression so far."""

from dataclasses import dataclass, replace

from ville.persona.cognitive_modules.conversing import social_memory
from ville.persona.cognitive_modules.conversing.speaker import Speaker
from ville.persona.cognitive_modules.mind import in_order, peek_memories, quote_memories
from ville.persona.cognitive_modules.situated import situated_self
from ville.persona.memory_structures.social_impression import SocialImpression
from ville.persona.memory_structures.stream.concept_node import PLANS, ConceptNode
from ville.persona.memory_structures.stream.vectors import Vector
from ville.persona.prompt_template.ask import Caller, ask
from ville.persona.prompt_template.blanks import QuotedMemory
from ville.persona.prompt_template.conversation_answers import RelationshipSummary
from ville.persona.prompt_template.converse_questions import Impression, Relationship

RELATIONSHIP_MEMORIES = 30
"""Number of memories from which a persona sums up its relationship to the other."""

MOST_KNOWN, EACH_END = 6, 6
"""Memories of situated questions for a relationship: known before, and of the rest the oldest and the newest."""
KNOWN = "known"
"""Kind of the memories of a history, as quoted in prompts."""


@dataclass(frozen=True)
class ImpressionDraft:
    """Questions that form an impression of another persona."""

    other: str
    known: SocialImpression
    """The impression so far."""
    standing: str
    """Relationship to use in a talk if there is no answer."""
    question: Relationship | Impression | None
    """None if there is nothing to ask: only with social memory."""
    memories: list[ConceptNode]
    """Memories that came to mind."""
    count: int = 0
    """With social memory, how many memories of the other there are."""
    with_feeling: bool = True
    """Whether a feeling is noted."""


@dataclass(frozen=True)
class FormedImpression:
    """Opinion of a persona about the other before they talk; not noted in its mind yet."""

    other: str
    relationship: str
    """Relationship to use in the talk."""
    noted: SocialImpression | None
    """Impression for the mind to keep; None if there is nothing new, or no model answered."""
    memories: list[ConceptNode]
    """Memories that came to mind."""


async def form_relationship(side: Speaker) -> str:
    """Return what the other is to this persona, and note it in its mind."""
    return keep_impression(side, await answered(await drafted(side), side.moment.caller))


async def drafted(side: Speaker) -> ImpressionDraft:
    """Return what to ask of the other, from the impression so far and memories. The mind does not change."""
    social = side.mind.settings.social_memory
    needed = bool(len(side.mind.stream)) and (not social or social_memory.has_news(side))
    vectors = await side.moment.embed([side.other] if needed else [])
    return draft_impression(side, vectors.get(side.other))


def draft_impression(side: Speaker, focus: Vector | None) -> ImpressionDraft:
    """Return what to ask; `focus` is the vector of the other's name, and None recalls no memories."""
    found = [] if focus is None else peek_memories(
        side.mind, side.moment, focus, count=RELATIONSHIP_MEMORIES, about=[side.other]
    )  # fmt: skip
    memories = [each.node for each in found]
    if side.mind.settings.social_memory:
        return _from_summary(side, memories)
    settings = side.mind.settings
    by_rank = "paper" in {settings.questions, settings.retrieval} or side.mind.modules.retrieve
    return _from_memories(side, memories if by_rank or focus is None else first_and_last(side))


def _from_memories(side: Speaker, memories: list[ConceptNode]) -> ImpressionDraft:
    mind, known = side.mind, side.mind.scratch.impression_of(side.other)
    impressions = mind.settings.impressions
    question = Relationship(
        identity=mind.identity_text(side.moment.now),
        name=mind.name,
        other=side.other,
        known=(known.text if impressions else "") or side.moment.view.visitor_text(side.other),
        memories=_quoted(side, memories),
        at_hand=situated_self(mind, side.moment),
    )
    standing = question.fallback().relationship
    return ImpressionDraft(side.other, known, standing, question, memories, with_feeling=impressions)


def first_and_last(side: Speaker) -> list[ConceptNode]:
    """Return the memories that name the other: what was known before, the oldest and the newest others."""
    stream = side.mind.stream
    numbers = sorted(social_memory.memories_naming(side.mind, side.moment.view, side.other) - stream.dropped)
    naming = [node for node in (stream[number] for number in numbers) if not stream.is_hidden(node)]
    nodes = [node for node in naming if node.predicate != PLANS]
    told = [node for node in nodes if is_history(side, node)]
    others = [node for node in nodes if not is_history(side, node)]
    return in_order([*told[:MOST_KNOWN], *others[:EACH_END], *others[-EACH_END:]])


def is_history(side: Speaker, node: ConceptNode) -> bool:
    """Return whether a memory is of the time before the simulation: told before its first step."""
    return node.kind == "thought" and not node.evidence and node.created == side.mind.stream[1].created


def _quoted(side: Speaker, memories: list[ConceptNode]) -> tuple[QuotedMemory, ...]:
    """Return memories as quoted; in situated questions, histories are known, not thought at the first midnight."""
    quoted = quote_memories(memories, side.moment.now)
    if side.mind.settings.questions == "paper":
        return quoted
    nodes = in_order(memories)
    return tuple(
        replace(each, kind=KNOWN, age="") if is_history(side, node) else each
        for each, node in zip(quoted, nodes, strict=True)
    )


def _from_summary(side: Speaker, memories: list[ConceptNode]) -> ImpressionDraft:
    known = social_memory.known_impression(side.mind, side.other)
    standing = social_memory.standing_impression(side)
    if not social_memory.has_news(side):
        return ImpressionDraft(side.other, known, standing, None, [])
    chosen = social_memory.memories_of_other(side, memories)
    question = Impression(
        identity=side.mind.scratch.identity.character,
        name=side.mind.name,
        other=side.other,
        known=known.whole_text or side.moment.view.visitor_text(side.other),
        memories=_quoted(side, chosen),
        at_hand=situated_self(side.mind, side.moment),
    )
    return ImpressionDraft(side.other, known, standing, question, chosen, social_memory.count_of_other(side))


async def answered(draft: ImpressionDraft, caller: Caller) -> FormedImpression:
    """Ask what there is to ask. Raise a ModelError."""
    question, known = draft.question, draft.known
    if isinstance(question, Relationship):
        return _formed(draft, await ask(caller, question), question.fallback())
    if question is None:
        return FormedImpression(draft.other, draft.standing, None, draft.memories)
    answer = await ask(caller, question)
    formed = _formed(draft, answer, question.fallback())
    if formed.noted is None:
        return formed
    noted = replace(formed.noted, summary=answer.summary or known.summary, memories=draft.count)
    return replace(formed, relationship=noted.whole_text, noted=noted)


def _formed(draft: ImpressionDraft, answer: RelationshipSummary, fallback: RelationshipSummary) -> FormedImpression:
    """Return the impression without its summary."""
    if answer == fallback:
        return FormedImpression(draft.other, draft.standing, None, draft.memories)
    feeling = answer.feeling if draft.with_feeling and answer.feeling else draft.known.feeling
    noted = replace(draft.known, relationship=answer.relationship, feeling=feeling)
    return FormedImpression(draft.other, answer.relationship, noted, draft.memories)


def keep_impression(side: Speaker, formed: FormedImpression) -> str:
    """Note in the mind what the other is to this persona, unless it is frozen, and return it."""
    side.mind.stream.mark_accessed(formed.memories, side.moment.now)
    if formed.noted and not side.moment.frozen(side.mind.name):
        side.mind.scratch.note_impression(side.other, formed.noted)
    return formed.relationship
