"""The experimenter's own words: whispers, histories, interviews."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ville.errors import BadArgument, UnknownPersona
from ville.persona.cognitive_modules import talk
from ville.persona.cognitive_modules.mind import Moment, add_to_stream, gather_all
from ville.persona.memory_structures.scratch import Transcript
from ville.persona.prompt_template.ask import Tally
from ville.persona.prompt_template.caps import INTERVIEW_LINE, WHISPER
from ville.plain_text import shortened
from ville.simulation.progress import quantity
from ville.simulation.simulation import Simulation
from ville.simulation.step import moment_of
from ville.storage.history import read_history

INTERVIEWER = "Interviewer"
EXCERPT = 40
"""Characters of a text by which one knows which is meant."""
DISCLAIMER = (
    "This is a computational agent: it has no feelings and no life outside of this simulation. "
    "Please do not speak to it as to a human being."
)


def _moment(simulation: Simulation, name: str) -> Moment:
    """Between two steps: time does not pass."""
    return moment_of(
        name, simulation.town.view(), Tally(), models=simulation.models, breaker=simulation.services.breaker
    )


async def whisper(simulation: Simulation, name: str, whispers: Sequence[str]) -> str:
    """Give somebody thoughts that stay; what they became, a line each.

    Raises BadArgument for one that is too long, and a ModelError; then nothing is kept.
    """
    for text in whispers:
        check_length(text, WHISPER)
    mind = simulation.persona(name).mind
    nodes = add_to_stream(mind, await talk.thoughts_from_whispers(mind, _moment(simulation, name), whispers))
    return "\n".join(node.description for node in nodes)


async def load_history(simulation: Simulation, path: Path) -> str:
    """Whisper to everybody what a file says; one line about it and one for each row that is not in order.

    Raises CorruptFile, UnknownPersona if the file is about nobody here, BadArgument for a whisper that is too long, and
    a ModelError: then nobody has heard a word.
    """
    history = read_history(path)
    whispers_by_name: dict[str, list[str]] = {}
    for name, whispers in history.whispers:
        whispers_by_name.setdefault(name, []).extend(whispers)
    here = {name: whispers for name, whispers in whispers_by_name.items() if name in simulation.town.personas}
    if not here:
        raise UnknownPersona(f"{path} is about nobody in {simulation.name}: name a history of people who live here.")
    for text in (text for whispers in here.values() for text in whispers):
        check_length(text, WHISPER, f"{path}: ")
    minds = {name: simulation.persona(name).mind for name in here}
    heard = await gather_all(
        talk.thoughts_from_whispers(minds[name], _moment(simulation, name), here[name]) for name in here
    )
    for mind, thoughts in zip(minds.values(), heard, strict=True):
        add_to_stream(mind, thoughts)
    count = quantity(sum(map(len, here.values())), "whisper", "whispers")
    return "\n".join(
        [
            *history.warnings,
            *_unknown_names(whispers_by_name, here),
            f"{count} to {quantity(len(here), 'person', 'people')}.",
        ]
    )


def _unknown_names(whispers_by_name: Mapping[str, list[str]], here: Mapping[str, list[str]]) -> list[str]:
    return [f"Nobody here is called '{name}': left out." for name in whispers_by_name if name not in here]


def check_length(text: str, most: int = INTERVIEW_LINE, where: str = "") -> None:
    """Raises BadArgument for what is too long to be said at one time."""
    if len(text) > most:
        raise BadArgument(
            f"{where}'{shortened(text, EXCERPT)}' has {len(text):,} characters, and {most:,} are the most: say it in "
            "parts."
        )


async def interview(simulation: Simulation, name: str, transcript: Transcript) -> str:
    """What somebody answers to the last line. Nothing in the simulation changes; a model's answer is in the ledger."""
    return await talk.answer(simulation.persona(name).mind, _moment(simulation, name), transcript)


async def treats_as_human(simulation: Simulation, name: str, line: str) -> bool:
    """Whether a line takes the agent for a human being."""
    return await talk.is_anthropomorphising(_moment(simulation, name).caller, line)
