"""A history: whispers to several personas."""

from typing import Annotated, Literal

from pydantic import Field, Strict

from ville.persona.cognitive_modules.conversing import whisper_thoughts
from ville.persona.cognitive_modules.mind import gather_all
from ville.plain_text import quantity
from ville.simulation.interventions.circumstances import Circumstances, in_field
from ville.simulation.interventions.fields import PersonaName, Words
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind, Told
from ville.simulation.interventions.target import Effect, Target

MOST_WHISPERS = 20_000
"""In one history."""


class HistoryRows(Intervention):
    """Whispers to several personas at once, as in a history file."""

    kind: Literal["history"] = "history"
    rows: Annotated[
        tuple[Annotated[tuple[PersonaName, Words], Strict(strict=False)], ...],
        Strict(strict=False),
        Field(min_length=1, max_length=MOST_WHISPERS),
    ]


async def prepare(target: Target, history: HistoryRows) -> Effect:
    """Ask what thoughts the whispers become. Raises UnknownPersona or ModelError."""
    whispers: dict[str, list[str]] = {}
    for name, words in history.rows:
        whispers.setdefault(name, []).append(words)
    minds = {name: target.mind(name) for name in whispers}
    moments = {name: target.moment(name) for name in minds}
    heard = await gather_all(
        whisper_thoughts.thoughts_from_whispers(mind, moments[name], whispers[name]) for name, mind in minds.items()
    )

    def apply() -> str:
        for (name, mind), each in zip(minds.items(), heard, strict=True):
            whisper_thoughts.take_in(mind, moments[name], each)
        said = quantity(len(history.rows), "whisper", "whispers")
        return f"{said} to {quantity(len(minds), 'persona', 'personas')}."

    return Effect(history, apply)


def check(around: Circumstances, history: HistoryRows, _step: int) -> None:
    """Check that everyone lives here."""
    for name in dict.fromkeys(name for name, _ in history.rows):
        with in_field("rows"):
            around.person(name)


KIND = Kind(
    HistoryRows,
    prepare,
    effect="whispers to several people at once, as from a history file: pairs of full name and words",
    check=check,
    told=Told("Memories of the past are whispered to %(names)s."),
)
