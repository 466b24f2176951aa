"""A thought planted in the memory stream."""

from typing import Annotated, Literal

from pydantic import Field

from ville.persona.cognitive_modules.committing.commit import commit_by_memories
from ville.persona.cognitive_modules.mind import add_to_stream, embed_experiences, named_people
from ville.persona.memory_structures.stream.concept_node import REMEMBERS, thought
from ville.persona.prompt_template import caps
from ville.plain_text import shortened
from ville.simulation.interventions.fields import PersonaName, TextLine
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind, Told
from ville.simulation.interventions.target import Effect, Target


class MemoryAdd(Intervention):
    """A thought planted word for word, without a question to a model."""

    kind: Literal["memory_add"] = "memory_add"
    who: PersonaName
    """Full name of the persona."""
    words: Annotated[str, TextLine(caps.THOUGHT)]
    """The thought, in the third person."""
    poignancy: Annotated[int, Field(ge=1, le=10)] = 5
    """Importance, from 1 to 10."""


async def prepare(target: Target, memory: MemoryAdd) -> Effect:
    """Embed the thought. Raises UnknownPersona or ModelError."""
    mind, moment = target.mind(memory.who), target.moment(memory.who)
    triple = (memory.who, REMEMBERS, shortened(memory.words, caps.KEYWORD))
    planted = thought(
        moment.now,
        triple,
        memory.words,
        poignancy=memory.poignancy,
        keywords=(memory.who, *named_people(mind, moment.view, memory.words)),
    )
    embedded = await embed_experiences(mind, moment, [planted])

    def apply() -> str:
        (node,) = add_to_stream(mind, embedded)
        commit_by_memories(mind, moment.view, [node])
        return f"{memory.who} remembers: {node.description}"

    return Effect(memory, apply)


KIND = Kind(
    MemoryAdd,
    prepare,
    effect="a thought, word for word, without a question to a model",
    told=Told("%(names)s is given a memory.", "%(names)s is given a memory: “%(words)s”"),
)
