"""A memory that is removed."""

from typing import Annotated, Literal

from pydantic import Field

from ville.errors import BadIntervention
from ville.simulation.interventions.fields import PersonaName
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind, Told
from ville.simulation.interventions.target import Effect, Target


class MemoryDrop(Intervention):
    """A memory that is never retrieved again. It stays in nodes.json."""

    kind: Literal["memory_drop"] = "memory_drop"
    who: PersonaName
    """Full name of the persona."""
    node: Annotated[str, Field(pattern=r"^node_[1-9]\d{0,8}$")]
    """Its id, such as node_12."""


async def prepare(target: Target, memory: MemoryDrop) -> Effect:
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


KIND = Kind(
    MemoryDrop,
    prepare,
    effect="the memory (`node_12`) is never retrieved again; it stays in `nodes.json`, and its number in "
    "`dropped_memories` of `scratch.json`",
    told=Told("%(names)s is made to forget a memory."),
)
