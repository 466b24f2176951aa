"""Shared parts of the cognitive modules: a mind, the moment in which it thinks, memory access and parallel calls."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

from ville.json_types import JsonObject
from ville.llm.gateway import Embedder
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.musing import TAKES, Musing, MusingKind
from ville.persona.cognitive_modules.percept import Percept
from ville.persona.cognitive_modules.protocols import MindModules
from ville.persona.cognitive_modules.retrieve import RetrievedMemory, retrieve
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.common_sense import UsualPlace
from ville.persona.memory_structures.facts.kept_facts import KeptFacts
from ville.persona.memory_structures.lifestyle_policy import LifestylePolicy
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY
from ville.persona.memory_structures.scratch import Conversation
from ville.persona.memory_structures.stream.concept_node import CHATS_WITH, ConceptNode, Experience
from ville.persona.memory_structures.stream.memories import Memories
from ville.persona.memory_structures.stream.past_stream import PastStream
from ville.persona.memory_structures.stream.rarity import WeighedMemories
from ville.persona.memory_structures.stream.vectors import Vector
from ville.persona.prompt_template.ask import Caller, Tally, always
from ville.persona.prompt_template.blanks import PlaceOptions, QuotedMemory, age
from ville.persona.prompt_template.caps import MEMORY
from ville.plain_text import shortened
from ville.world.address import Tile
from ville.world.tile_event import Event

ONE = TypeVar("ONE")
OTHER = TypeVar("OTHER")
BLANK = "this is blank"
"""Embedded in place of an empty text."""
Embedded = tuple[Experience, Vector | None]
"""An experience with the vector of its text, or None if the stream has that vector already."""


@dataclass
class Mind(Memories):
    """Memories of one persona, with state that is not saved. Only the persona itself changes it."""

    settings: MindSettings = MindSettings()  # noqa: RUF009 - it is frozen
    modules: MindModules = MindModules()  # noqa: RUF009 - it is frozen
    """The parts of this mind that are replaced."""
    policy: LifestylePolicy = field(default_factory=LifestylePolicy)
    """Answers that are used again; saved with the simulation."""
    facts: KeptFacts = field(default_factory=KeptFacts)
    """Its commitments, and what it has told to whom; saved with the simulation."""
    musings: list[Musing] = field(default_factory=list)
    """Thoughts that take a while, in the order in which they began; saved with the simulation."""
    learned: dict[str, UsualPlace] = field(default_factory=dict)
    """Common sense that is new in this step. The town takes it over when the step is over."""
    weighed_memories: WeighedMemories | None = None
    """Memories that may come to mind by chance, with weights. Not saved."""
    scanned_tiles: set[Tile] = field(default_factory=set)
    """Tiles from which all places in sight are known. Not saved."""
    last_look: tuple[tuple[Tile, int, int], Conversation | None, list[Percept]] | None = None
    """Tile, counter of changes in sight, and number of memories at the last look; the conversation then, and what was
    new: another look shows the same as long as they are the same. Not saved."""
    known_events: tuple[int, int, frozenset[Event]] = (0, 0, frozenset())
    """Number of memories, how many of them were looked at, and events that were nothing new then: they are not, as long
    as both are the same. Not saved."""
    known_options: tuple[object, PlaceOptions] = (None, PlaceOptions({}))
    """The places from which actions choose, and what they follow from. Not saved."""
    last_sight: tuple[Tile | None, int, Sequence[Event]] = (None, 0, ())
    """Tile, counter of changes in sight, and the nearest events of the last look without occurrences: they are the same
    as long as both are. Not saved."""
    listener: "Callable[[Mind, Moment, Vector, Sequence[RetrievedMemory]], None] | None" = None
    """Told of every retrieval, with its focal point and what was found, before that counts as access: where steps are
    computed again. It must change nothing. Not saved."""

    @property
    def name(self) -> str:
        return self.scratch.name

    @property
    def keeps_facts(self) -> bool:
        """Whether commitments and told facts are kept: the paper's minds keep memories only."""
        return self.settings.questions == "situated"

    def past(self) -> "tuple[Mind, PastStream]":
        """Return the mind as it is now, to think about while it goes on; and its stream."""
        stream = PastStream(self.stream)
        return replace(self, scratch=copy(self.scratch), stream=stream, musings=[]), stream

    def muses_on(self, kind: MusingKind) -> bool:
        """Return whether a musing of a kind has begun and does not count yet."""
        return any(each.kind == kind for each in self.musings)

    def has_mused(self, now: datetime) -> bool:
        """Return whether a musing counts from this step on."""
        return any(each.due <= now for each in self.musings)

    def to_move(self) -> "Mind":
        """Return it without what only the process that it has lived in can use."""
        own = replace(self, weighed_memories=None, scanned_tiles=set(), last_look=None, listener=None)
        own.known_events, own.last_sight = (0, 0, frozenset()), (None, 0, ())
        return own

    def identity_text(self, now: datetime) -> str:
        """Return the identity at the head of every prompt."""
        return self.scratch.identity.text(now.date())


@dataclass(frozen=True)
class Moment:
    """One step of one mind: a view of the town, and access to models."""

    view: TownView
    caller: Caller
    embedder: Embedder

    @property
    def now(self) -> datetime:
        return self.view.now

    async def embed(self, texts: Sequence[str]) -> dict[str, Vector]:
        """Return the vector of each text. Raise a ModelError."""
        return await embed_texts(self.embedder, texts, self.view.step)

    def frozen(self, name: str) -> bool:
        """Return whether a rule keeps a persona from making thoughts."""
        return name in self.view.rules.frozen

    def randomness(self, name: str, *about: str) -> Random:
        """Return a generator seeded by run, persona, step and what is drawn, independent of all other draws."""
        return Random(" ".join((str(self.caller.seed), name, str(self.view.step), *about)))  # noqa: S311 - not for secrets


def muse(
    mind: Mind,
    moment: Moment,
    kind: MusingKind,
    *,
    about: JsonObject,
    thought: Callable[[Moment], Coroutine[object, None, JsonObject]],
    until: datetime | None = None,
) -> None:
    """Begin a musing that counts after a while, and before a time if one is given; `thought` is called with a moment
    whose answers are needed then. How often a model may be asked for an answer does not depend on what it answers
    meanwhile.
    """
    step = timedelta(seconds=moment.view.seconds_per_step)
    before = moment.now + TAKES if until is None else min(until, moment.now + TAKES)
    steps = max(1, (before - moment.now) // step)
    caller = replace(moment.caller, tally=Tally(), attempts=always, due=moment.view.step + steps)
    musing = Musing(kind, moment.now + steps * step, about)
    musing.begin(thought(replace(moment, caller=caller)), caller.tally)
    mind.musings.append(musing)


async def remember(mind: Mind, moment: Moment, experiences: Sequence[Experience]) -> list[ConceptNode]:
    """Embed experiences and add them to the stream; a frozen mind adds no thoughts. Raise a ModelError or
    BadEmbedding.
    """
    if moment.frozen(mind.name):
        experiences = [each for each in experiences if each.kind != "thought"]
    return add_to_stream(mind, await embed_experiences(mind, moment, experiences))


async def embed_experiences(mind: Mind, moment: Moment, experiences: Sequence[Experience]) -> list[Embedded]:
    """Return experiences with their vectors; texts without one are embedded in one batch.

    Raise a ModelError or BadEmbedding.
    """
    keys = dict.fromkeys(experience.embedding_key for experience in experiences)
    vectors = await moment.embed([key for key in keys if key not in mind.stream.vectors])
    for key, vector in vectors.items():
        mind.stream.vectors.numbers(key, vector)
    return [(experience, vectors.get(experience.embedding_key)) for experience in experiences]


def add_to_stream(mind: Mind, experiences: Iterable[Embedded]) -> list[ConceptNode]:
    """Add embedded experiences to the stream."""
    return [mind.stream.add(experience, vector) for experience, vector in experiences]


async def retrieve_memories(
    mind: Mind, moment: Moment, focal_points: Iterable[str], count: int, *, about: Collection[str] = ()
) -> list[list[ConceptNode]]:
    """Return the top memories for each focal point (paper §4.1), and mark them as accessed now.

    `about` are the names of the personas whom they should concern, if any.
    """
    points = list(focal_points)
    if not len(mind.stream):
        return [[] for _ in points]
    vectors = await moment.embed(points)
    found: list[list[ConceptNode]] = []
    for point in points:
        before = {node.embedding_key for nodes in found for node in nodes}
        peeked = peek_memories(mind, moment, vectors[point], count=count, about=about, found_before=before)
        nodes = [each.node for each in peeked]
        mind.stream.mark_accessed(nodes, moment.now)
        found.append(nodes)
    return found


def named_people(mind: Mind, view: TownView, text: str) -> list[str]:
    """Return the others, earlier visitors too, whom a text names, as this persona would understand it."""
    others = [name for name in view.names.perhaps_in(text) if name != mind.name]
    return [name for name in others if mind.stream.known_as(name, view.names).named_in(text)]


def peek_memories(
    mind: Mind,
    moment: Moment,
    focus: Vector,
    *,
    count: int,
    about: Collection[str],
    found_before: Collection[str] = (),
) -> list[RetrievedMemory]:
    """Return the top memories for a focal point with their scores, without marking them as accessed.

    `found_before` are the texts that earlier focal points have found.
    """
    found = _found(mind, moment, focus, count=count, about=about, found_before=found_before)
    if mind.listener:
        mind.listener(mind, moment, focus, found)
    return found


def _found(
    mind: Mind, moment: Moment, focus: Vector, *, count: int, about: Collection[str], found_before: Collection[str]
) -> list[RetrievedMemory]:  # fmt: skip
    count = max(1, round(count * mind.settings.retrieved_share))
    if own := mind.modules.retrieve:
        return own(mind, moment, focus, count=count, about=about, found_before=found_before)
    return retrieve(
        mind.stream,
        focus,
        tuning=mind.scratch.tuning,
        now=moment.now,
        count=count,
        method=mind.settings.retrieval,
        about=[mind.stream.known_as(name, moment.view.names) for name in about],
        found_before=found_before,
    )


async def embed_texts(embedder: Embedder, texts: Sequence[str], step: int | None = None) -> dict[str, Vector]:
    """Return the vector of each text, asked for at a step. Raise a ModelError."""
    unique = list(dict.fromkeys(texts))
    if not unique:
        return {}
    shown = [shortened(text.replace("\n", " "), MEMORY) or BLANK for text in unique]
    vectors = await embedder.embed(shown, step)
    return dict(zip(unique, vectors, strict=True))


def in_order(nodes: Iterable[ConceptNode]) -> list[ConceptNode]:
    """Return nodes without duplicates, newest last."""
    unique = {node.number: node for node in nodes}
    return [unique[number] for number in sorted(unique)]


def quote_memories(nodes: Iterable[ConceptNode], now: datetime) -> tuple[QuotedMemory, ...]:
    """Return nodes as quoted in prompts: without duplicates, newest last."""
    return tuple(
        QuotedMemory(
            node.created, node.description, node.kind, node.poignancy, age(node.created, now), partner=_partner(node)
        )
        for node in in_order(nodes)
    )


def _partner(node: ConceptNode) -> str | None:
    return node.object if node.kind != "thought" and node.predicate == CHATS_WITH else None


async def gather_pair(one: Coroutine[object, None, ONE], other: Coroutine[object, None, OTHER]) -> tuple[ONE, OTHER]:
    """Await two coroutines in parallel. If one fails, cancel the other."""
    tasks = asyncio.ensure_future(one), asyncio.ensure_future(other)
    first, second = await _all_or_none(asyncio.gather(*tasks), tasks)
    return first, second


async def gather_all(coroutines: Iterable[Coroutine[object, None, ONE]]) -> list[ONE]:
    """Await coroutines in parallel and return their results in order. If one fails, cancel the others."""
    if len(awaited := list(coroutines)) == 1:
        return [await awaited[0]]
    tasks = [asyncio.ensure_future(coroutine) for coroutine in awaited]
    return await _all_or_none(asyncio.gather(*tasks), tasks)


async def _all_or_none(results: Awaitable[ONE], tasks: Iterable[asyncio.Task[object]]) -> ONE:
    """Return the results. On a failure, cancel the other tasks and wait until they have ended."""
    try:
        return await results
    finally:
        unfinished = [task for task in tasks if task.cancel()]
        if unfinished:
            await asyncio.wait(unfinished)


def clean_phrase(text: str) -> str:
    """Return a text as one line without parentheses, which mark subtasks in schedules, and without a final period."""
    return " ".join(text.replace("(", " ").replace(")", " ").split()).rstrip(".")


def next_full_minute(time: datetime) -> datetime:
    """Return a time rounded up to a full minute."""
    full = time.replace(second=0, microsecond=0)
    return full if full == time else full + timedelta(minutes=1)


def minute_of_day(now: datetime) -> int:
    """Return the minute of the day at which something begins now: the next full one, at most 1,439."""
    full = next_full_minute(now)
    return min(full.hour * 60 + full.minute, MINUTES_PER_DAY - 1) if full.date() == now.date() else MINUTES_PER_DAY - 1
