"""Whispers and histories."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ville.errors import UnknownPersona
from ville.persona.cognitive_modules import talk
from ville.persona.cognitive_modules.mind import Moment, add_to_stream, gather_all
from ville.persona.prompt_template.ask import Tally
from ville.persona.prompt_template.caps import WHISPER
from ville.simulation.progress import quantity
from ville.simulation.simulation import Simulation
from ville.simulation.step import moment_of
from ville.simulation.user_texts import check_length
from ville.storage.history import read_history


def _moment(simulation: Simulation, name: str) -> Moment:
    """Return a step context between two steps; game time does not pass."""
    return moment_of(
        name, simulation.town.view(), Tally(), models=simulation.models, breaker=simulation.services.breaker
    )


async def whisper(simulation: Simulation, name: str, whispers: Sequence[str]) -> str:
    """Add thoughts to a persona's memory; return what it remembers, one line for each.

    Raises BadArgument for a whisper that is too long, and ModelError; nothing is remembered then.
    """
    for text in whispers:
        check_length(text, WHISPER)
    mind = simulation.persona(name).mind
    nodes = add_to_stream(mind, await talk.thoughts_from_whispers(mind, _moment(simulation, name), whispers))
    return "\n".join(node.description for node in nodes)


async def load_history(simulation: Simulation, path: Path) -> str:
    """Whisper the lines of a history file to all personas; return a summary, with a warning for each malformed row.

    Raises CorruptFile; UnknownPersona if the file names no persona of this simulation; BadArgument for a whisper that
    is too long; and ModelError. Nothing is remembered then.
    """
    history = read_history(path)
    whispers_by_name: dict[str, list[str]] = {}
    for name, whispers in history.whispers:
        whispers_by_name.setdefault(name, []).extend(whispers)
    here = {name: whispers for name, whispers in whispers_by_name.items() if name in simulation.town.personas}
    if not here:
        raise UnknownPersona(f"{path} names no persona of {simulation.name}. Choose a history of these personas.")
    for text in (text for whispers in here.values() for text in whispers):
        check_length(text, WHISPER, f"{path}: ")
    minds = {name: simulation.persona(name).mind for name in here}
    heard = await gather_all(
        talk.thoughts_from_whispers(minds[name], _moment(simulation, name), here[name]) for name in here
    )
    for mind, thoughts in zip(minds.values(), heard, strict=True):
        add_to_stream(mind, thoughts)
    whispered = quantity(sum(map(len, here.values())), "whisper", "whispers")
    return "\n".join(
        [
            *history.warnings,
            *_unknown_names(whispers_by_name, here),
            f"{whispered} to {quantity(len(here), 'persona', 'personas')}.",
        ]
    )


def _unknown_names(whispers_by_name: Mapping[str, list[str]], here: Mapping[str, list[str]]) -> list[str]:
    return [f"No persona is called '{name}'. Its lines are skipped." for name in whispers_by_name if name not in here]
