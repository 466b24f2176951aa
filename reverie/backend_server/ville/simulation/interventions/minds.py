"""Interventions in a mind: whispers, histories, planted and removed memories, changed traits."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ville.errors import BadIntervention
from ville.persona.cognitive_modules.conversing import talk
from ville.persona.cognitive_modules.mind import (
    Embedded,
    Mind,
    add_to_stream,
    embed_experiences,
    gather_all,
    named_people,
)
from ville.persona.memory_structures.concept_node import REMEMBERS, thought
from ville.persona.prompt_template.caps import KEYWORD
from ville.plain_text import shortened
from ville.simulation.interventions.kinds import HistoryRows, MemoryAdd, MemoryDrop, Trait, Whisper
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.progress import quantity
from ville.world.maze import Maze


async def prepare_whisper(target: Target, whisper: Whisper) -> Effect:
    """Ask what thought the whisper becomes. Raises UnknownPersona or ModelError."""
    mind = target.mind(whisper.who)
    moment = target.moment(whisper.who)
    heard = await talk.thoughts_from_whispers(mind, moment, [whisper.words])
    return Effect(whisper, lambda: "\n".join(node.description for node in talk.take_in(mind, moment, heard)))


def _remember(mind: Mind, thoughts: Sequence[Embedded]) -> str:
    return "\n".join(node.description for node in add_to_stream(mind, thoughts))


async def prepare_history(target: Target, history: HistoryRows) -> Effect:
    """Ask what thoughts the whispers become. Raises UnknownPersona or ModelError."""
    whispers: dict[str, list[str]] = {}
    for name, words in history.rows:
        whispers.setdefault(name, []).append(words)
    minds = {name: target.mind(name) for name in whispers}
    moments = {name: target.moment(name) for name in minds}
    heard = await gather_all(
        talk.thoughts_from_whispers(mind, moments[name], whispers[name]) for name, mind in minds.items()
    )

    def apply() -> str:
        for (name, mind), each in zip(minds.items(), heard, strict=True):
            talk.take_in(mind, moments[name], each)
        said = quantity(len(history.rows), "whisper", "whispers")
        return f"{said} to {quantity(len(minds), 'persona', 'personas')}."

    return Effect(history, apply)


async def prepare_memory_add(target: Target, memory: MemoryAdd) -> Effect:
    """Embed the thought. Raises UnknownPersona or ModelError."""
    mind, moment = target.mind(memory.who), target.moment(memory.who)
    triple = (memory.who, REMEMBERS, shortened(memory.words, KEYWORD))
    planted = thought(
        moment.now,
        triple,
        memory.words,
        poignancy=memory.poignancy,
        keywords=(memory.who, *named_people(mind, moment.view, memory.words)),
    )
    embedded = await embed_experiences(mind, moment, [planted])
    return Effect(memory, lambda: f"{memory.who} remembers: {_remember(mind, embedded)}")


async def prepare_memory_drop(target: Target, memory: MemoryDrop) -> Effect:
    """Find the memory. Raises UnknownPersona or BadIntervention."""
    stream = target.mind(memory.who).stream
    try:
        node = stream[memory.node]
    except KeyError:
        last = f"the last one is node_{len(stream)}" if len(stream) else "there is none"
        raise BadIntervention(f"{memory.who} has no memory {memory.node}: {last}.") from None
    if node.number in stream.dropped:
        raise BadIntervention(f"{memory.who} no longer has the memory {memory.node}.")

    def apply() -> str:
        stream.drop(node)
        return f"{memory.who} no longer remembers: {node.description}"

    return Effect(memory, apply)


async def prepare_trait(target: Target, trait: Trait) -> Effect:
    """Check the new value. Raises UnknownPersona or BadIntervention."""
    scratch = target.mind(trait.who).scratch
    before = getattr(scratch.identity, trait.field)
    check_trait(target.town.maze, trait)
    changed: dict[str, Any] = {trait.field: int(trait.now) if trait.field == "age" else trait.now}
    identity = replace(scratch.identity, **changed)

    def apply() -> str:
        scratch.identity = identity
        return f"{trait.who}: {trait.field} is now '{trait.now}'."

    return Effect(trait.model_copy(update={"was": None if before is None else str(before)}), apply)


def check_trait(maze: Maze, trait: Trait) -> None:
    """Raise BadIntervention unless a line of the identity can have the new text."""
    if trait.field == "living_area" and trait.now not in maze.address_tiles:
        raise BadIntervention(f"living_area: {maze.name} has no '{trait.now}'. Write it as world:sector:arena.")
    is_number = trait.now.isdecimal() and trait.now.isascii() and len(trait.now) <= len("999")
    if trait.field == "age" and not is_number:
        raise BadIntervention(f"age: '{trait.now}' is not a number of years, for example 34.")
