"""What the cognitive modules work on: one mind, and the moment it is thinking in."""

import asyncio
from collections.abc import Awaitable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any, TypeVar

from ville.llm.gateway import Embedder
from ville.persona.cognitive_modules.retrieve import Method, retrieve
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.concept_node import ConceptNode, Experience
from ville.persona.memory_structures.memories import Memories
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY
from ville.persona.memory_structures.vectors import Vector
from ville.persona.prompt_template.ask import Caller
from ville.persona.prompt_template.blanks import QuotedMemory
from ville.persona.prompt_template.caps import MEMORY
from ville.plain_text import shortened
from ville.world.address import Tile

ONE = TypeVar("ONE")
OTHER = TypeVar("OTHER")
BLANK = "this is blank"
"""What is embedded in place of an empty text."""
Embedded = tuple[Experience, Vector | None]
"""Something that can be remembered, with the vector of its text unless the stream has it."""


@dataclass
class Mind(Memories):
    """One persona from the inside. Nobody else writes in it."""

    retrieval: Method = "paper"
    scanned_tiles: set[Tile] = field(default_factory=set)
    """From where it has seen everything that stands there; forgotten when the simulation is saved and resumed."""
    last_empty_glance: tuple[Tile, int] | None = None
    """Tile and count of changes in its arena at which it last noticed nothing; forgotten likewise."""

    @property
    def name(self) -> str:
        return self.scratch.name

    def identity_text(self, now: datetime) -> str:
        """The eight lines at the head of every prompt."""
        return self.scratch.identity.text(now.date())


@dataclass(frozen=True)
class Moment:
    """The step a mind is thinking in: what it sees, whom it may ask."""

    view: TownView
    caller: Caller
    embedder: Embedder

    @property
    def now(self) -> datetime:
        return self.view.now

    def randomness(self, name: str) -> Random:
        """The same draws for a persona at a step, whoever else is thinking."""
        return Random(f"{self.caller.seed} {name} {self.view.step}")  # noqa: S311 - a town, no secrets


async def remember(mind: Mind, moment: Moment, experiences: Sequence[Experience]) -> list[ConceptNode]:
    """Put experiences into the stream."""
    return add_to_stream(mind, await embed_experiences(mind, moment, experiences))


async def embed_experiences(mind: Mind, moment: Moment, experiences: Sequence[Experience]) -> list[Embedded]:
    """All that has to be asked before experiences can be kept: texts without a vector are embedded together.

    Raises a ModelError or BadEmbedding.
    """
    keys = dict.fromkeys(experience.embedding_key for experience in experiences)
    vectors = await embed_texts(moment.embedder, [key for key in keys if key not in mind.stream.vectors])
    for key, vector in vectors.items():
        mind.stream.vectors.numbers(key, vector)
    return [(experience, vectors.get(experience.embedding_key)) for experience in experiences]


def add_to_stream(mind: Mind, experiences: Iterable[Embedded]) -> list[ConceptNode]:
    """Put into the stream what has its vectors. Nothing can fail any more."""
    return [mind.stream.add(experience, vector) for experience, vector in experiences]


async def retrieve_memories(
    mind: Mind, moment: Moment, focal_points: Iterable[str], count: int
) -> list[list[ConceptNode]]:
    """What weighs most for each focal point, and has now been thought of; the points are embedded together."""
    points = list(focal_points)
    if not len(mind.stream):
        return [[] for _ in points]
    vectors = await embed_texts(moment.embedder, points)
    found = []
    for point in points:
        nodes = _weightiest(mind, moment, vectors[point], count)
        mind.stream.mark_accessed(nodes, moment.now)
        found.append(nodes)
    return found


async def peek_memories(mind: Mind, moment: Moment, focal_point: str, count: int) -> list[ConceptNode]:
    """What weighs most for one focal point, for somebody who looks into a mind: it does not count as thought of."""
    if not len(mind.stream):
        return []
    vectors = await embed_texts(moment.embedder, [focal_point])
    return _weightiest(mind, moment, vectors[focal_point], count)


def _weightiest(mind: Mind, moment: Moment, focus: Vector, count: int) -> list[ConceptNode]:
    tuning, method = mind.scratch.tuning, mind.retrieval
    return retrieve(mind.stream, focus, tuning=tuning, now=moment.now, count=count, method=method)


async def embed_texts(embedder: Embedder, texts: Sequence[str]) -> dict[str, Vector]:
    """Text to vector. Raises a ModelError."""
    unique = list(dict.fromkeys(texts))
    if not unique:
        return {}
    vectors = await embedder.embed([shortened(text.replace("\n", " "), MEMORY) or BLANK for text in unique])
    return dict(zip(unique, vectors, strict=True))


def quote_memories(nodes: Iterable[ConceptNode]) -> tuple[QuotedMemory, ...]:
    """Nodes as they stand in a prompt, each once."""
    once = {node.number: node for node in nodes}
    return tuple(QuotedMemory(node.created, node.description, node.kind, node.poignancy) for node in once.values())


async def gather_pair(one: Coroutine[Any, Any, ONE], other: Coroutine[Any, Any, OTHER]) -> tuple[ONE, OTHER]:
    """Two independent answers, asked for together."""
    tasks = asyncio.ensure_future(one), asyncio.ensure_future(other)
    first, second = await _all_or_none(asyncio.gather(*tasks), tasks)
    return first, second


async def gather_all(questions: Iterable[Coroutine[Any, Any, ONE]]) -> list[ONE]:
    """Independent answers in the order of their questions, asked for together."""
    tasks = [asyncio.ensure_future(question) for question in questions]
    return await _all_or_none(asyncio.gather(*tasks), tasks)


async def _all_or_none(answers: Awaitable[ONE], tasks: Iterable[asyncio.Future[Any]]) -> ONE:
    """If one fails, the others are called off, and have ended before the fault is told."""
    try:
        return await answers
    finally:
        unfinished = [task for task in tasks if task.cancel()]
        if unfinished:
            await asyncio.wait(unfinished)


def clean_phrase(text: str) -> str:
    """What a model calls an activity, as it may stand in a schedule: one line, no parentheses (they mean a part)."""
    return " ".join(text.replace("(", " ").replace(")", " ").split()).rstrip(".")


def next_full_minute(moment: datetime) -> datetime:
    """The moment, or the next one whose seconds are 0."""
    full = moment.replace(second=0, microsecond=0)
    return full if full == moment else full + timedelta(minutes=1)


def minute_of_day(now: datetime) -> int:
    """The minute in which something begins that begins now: the next full one, but not tomorrow's."""
    full = next_full_minute(now)
    return min(full.hour * 60 + full.minute, MINUTES_PER_DAY - 1) if full.date() == now.date() else MINUTES_PER_DAY - 1
