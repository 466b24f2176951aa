"""Whispers and histories."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

from ville.errors import UnknownPersona
from ville.persona.prompt_template.caps import WHISPER
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import Intervention, Source
from ville.simulation.interventions.planned import Planned
from ville.simulation.simulation import Simulation
from ville.simulation.user_texts import check_length
from ville.storage.history_file import History, read_history

PROMPT = Source(door="prompt")


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
    if source.id and simulation.intake.plans(source.id):  # a new simulation begins with it
        told = await simulation.apply_due()
    else:
        told = await simulation.intervene(_intervention(simulation, path, history), source=source)
    return "\n".join(
        [
            *history.warnings,
            *_unknown_names([name for name, whispers in history.whispers if whispers], simulation.town.personas),
            *(told or [f"{path.name} was loaded before, and is not whispered again."]),
        ]
    )


def planned_history(simulation: Simulation, path: Path, source: Source) -> Planned:
    """Return the loading of a history as what a new simulation begins with. Raises as `load_history` does."""
    envelope = {**source.as_json(), "id": source.id}
    return Planned(simulation.clock.step, _intervention(simulation, path, read_history(path)), envelope)


def _intervention(simulation: Simulation, path: Path, history: History) -> Intervention:
    """Return the intervention that tells everyone who is here."""
    rows = [(name, text) for name, whispers in history.whispers for text in whispers]
    here = [(name, text) for name, text in rows if name in simulation.town.personas]
    if not here:
        raise UnknownPersona(f"{path} names no persona of {simulation.name}. Choose a history of these personas.")
    for _, text in here:
        check_length(text, WHISPER, f"{path}: ")
    return parse_intervention({"kind": "history", "rows": here})


def history_id(path: Path) -> str:
    """Return an identifier of a history, so that a repeated command whispers it once. Raises CorruptFile."""
    whispers = read_history(path).whispers
    return f"history {uuid5(NAMESPACE_OID, repr(whispers)).hex}"


def _unknown_names(names: Iterable[str], known: Collection[str]) -> list[str]:
    unknown = dict.fromkeys(name for name in names if name not in known)
    return [f"No persona is called '{name}'. Its lines are skipped." for name in unknown]
