"""Whispers, histories and interviews."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

from ville.errors import BadArgument, UnknownPersona
from ville.persona.cognitive_modules import talk
from ville.persona.cognitive_modules.mind import Moment
from ville.persona.memory_structures.scratch import Transcript
from ville.persona.prompt_template.caps import INTERVIEW_LINE, WHISPER
from ville.plain_text import shortened
from ville.simulation.interventions import Source, parse_intervention
from ville.simulation.simulation import Simulation
from ville.storage.history import read_history

PROMPT = Source(door="prompt")
INTERVIEWER = "Interviewer"
EXCERPT = 40
"""Length of an excerpt in a message, in characters."""
DISCLAIMER = (
    "This is a computational agent, without feelings or a life outside this simulation. "
    "Please do not speak to it as to a human being."
)


def _moment(simulation: Simulation, name: str) -> Moment:
    """Return a step context between two steps; game time does not pass."""
    return simulation.target().moment(name)


async def whisper(simulation: Simulation, name: str, whispers: Sequence[str], source: Source = PROMPT) -> str:
    """Add thoughts to a persona's memory; return what it remembers, one line for each.

    Raises BadIntervention for a whisper that is too long, and ModelError; nothing is remembered then.
    """
    said = [parse_intervention({"kind": "whisper", "who": name, "words": text}) for text in whispers if text.strip()]
    return "\n".join(await simulation.intervene(*said, source=source))


async def load_history(simulation: Simulation, path: Path, source: Source = PROMPT) -> str:
    """Whisper the lines of a history file to all personas; return a summary, with a warning for each malformed row.

    Raises CorruptFile; UnknownPersona if the file names no persona of this simulation; BadArgument for a whisper that
    is too long; and ModelError. Nothing is remembered then.
    """
    history = read_history(path)
    rows = [(name, text) for name, whispers in history.whispers for text in whispers]
    here = [(name, text) for name, text in rows if name in simulation.town.personas]
    if not here:
        raise UnknownPersona(f"{path} names no persona of {simulation.name}. Choose a history of these personas.")
    for _, text in here:
        check_length(text, WHISPER, f"{path}: ")
    told = await simulation.intervene(parse_intervention({"kind": "history", "rows": here}), source=source)
    return "\n".join(
        [
            *history.warnings,
            *_unknown_names([name for name, _ in rows], simulation.town.personas),
            *(told or [f"{path.name} was loaded before, and is not whispered again."]),
        ]
    )


def history_id(path: Path) -> str:
    """Return an identifier of a history, so that a repeated command whispers it once. Raises CorruptFile."""
    whispers = read_history(path).whispers
    return f"history {uuid5(NAMESPACE_OID, repr(whispers)).hex}"


def _unknown_names(names: Iterable[str], known: Collection[str]) -> list[str]:
    unknown = dict.fromkeys(name for name in names if name not in known)
    return [f"No persona is called '{name}'. Its lines are skipped." for name in unknown]


def check_length(text: str, most: int = INTERVIEW_LINE, where: str = "") -> None:
    """Raise BadArgument for a text that is too long to say at once."""
    if len(text) > most:
        raise BadArgument(
            f"{where}'{shortened(text, EXCERPT)}' has {len(text):,} characters; at most {most:,} are allowed. Split it."
        )


async def interview(simulation: Simulation, name: str, transcript: Transcript) -> str:
    """Return the answer to the last line of a transcript. The simulation does not change; calls are recorded in the
    ledger.
    """
    return await talk.answer(simulation.persona(name).mind, _moment(simulation, name), transcript)


async def treats_as_human(simulation: Simulation, name: str, line: str) -> bool:
    """Return whether a line speaks to the persona as to a human being."""
    return await talk.is_anthropomorphising(_moment(simulation, name).caller, line)
