"""Whisper: an inner voice."""

from typing import Literal

from ville.persona.cognitive_modules.conversing import whisper_thoughts
from ville.simulation.interventions.fields import PersonaName, Words
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind, Told
from ville.simulation.interventions.target import Effect, Target


class Whisper(Intervention):
    """An inner voice: the persona takes it for a thought of its own (paper §3.2.1)."""

    kind: Literal["whisper"] = "whisper"
    who: PersonaName
    """Full name of the persona."""
    words: Words
    """Text, at most 500 characters."""


async def prepare(target: Target, whisper: Whisper) -> Effect:
    """Ask what thought the whisper becomes. Raises UnknownPersona or ModelError."""
    mind = target.mind(whisper.who)
    moment = target.moment(whisper.who)
    heard = await whisper_thoughts.thoughts_from_whispers(mind, moment, [whisper.words])
    return Effect(
        whisper, lambda: "\n".join(node.description for node in whisper_thoughts.take_in(mind, moment, heard))
    )


KIND = Kind(
    Whisper,
    prepare,
    effect="a thought of one's own: grammar turns English words to a person into the third person, otherwise the model "
    "puts it into words, and the model rates it. Where it has a word in common with what is left of the plan for "
    "today, the model is asked which line it calls off, and what is done instead. One of importance 8 or "
    "more may change at once what the person does, as something that happens there does",
    told=Told("Something is whispered to %(names)s.", "Whispered to %(names)s: “%(words)s”"),
)
