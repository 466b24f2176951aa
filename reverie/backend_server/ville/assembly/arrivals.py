"""Describes the contents of a simulation from elsewhere in one paragraph, shown before it is run."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ville.llm.language import language_name
from ville.llm.wire.providers import OFFLINE
from ville.plain_text import one_line, shortened
from ville.settings import Settings
from ville.simulation.simulation import TOWN_FILE, Simulation
from ville.simulation.town import RULES
from ville.storage.folder import known_simulations
from ville.storage.folder.branches import read_branch
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.records.intervention_log import RUN_FILE, read_ahead
from ville.world.rules import TownRules

SHOWN = 3
"""Number of names that are shown of a kind."""
LONGEST = 60
"""Characters of a name."""


def brought_along(settings: Settings, simulation: Simulation, source: Path) -> tuple[str, ...]:
    """Return a paragraph if the folder that a simulation was opened or forked from is from elsewhere, and brings more
    than people and memories; and note that the simulation is known now. Raises CorruptFile.
    """
    known = settings.wallet_path.with_name(known_simulations.FILE)
    brings = [] if known_simulations.is_known(known, source) else list(_brought(simulation, source))
    known_simulations.note(known, simulation.folder.root)
    if not brings:
        return ()
    answers = f"Here, answers come from {simulation.services.models_line}, with your addresses and keys."
    return (f"{source.name} was not made here. It brings {'; '.join(brings)}. {answers}",)


def brought_by_base(settings: Settings, source: SimulationFolder) -> tuple[str, ...]:
    """Return such a paragraph for a folder in which runs of a study begin, without opening it. Raises CorruptFile."""
    if known_simulations.is_known(settings.wallet_path.with_name(known_simulations.FILE), source.root):
        return ()
    rules = TownRules.read((source.read_side_file(TOWN_FILE) or {}).get(RULES, {}))
    language = (source.read_side_file(RUN_FILE) or {}).get("language")
    brings = [*_rules(rules), *([_language(str(language))] if language else [])]
    return (f"{source.name} was not made here. It brings {'; '.join(brings)}.",) if brings else ()


def _language(language: str) -> str:
    return f"its language, {_name(language_name(language))}"


def _brought(simulation: Simulation, source: Path) -> Iterator[str]:
    yield from _rules(simulation.town.rules)
    theirs = {row["id"] for row in read_ahead(source / "reverie")}
    if ahead := [planned for planned in simulation.intake.ahead if planned.id in theirs]:
        kinds = Counter(planned.intervention.kind for planned in ahead)
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        yield f"planned interventions ({listed}), the first at step {ahead[0].step:,}"
    if language := simulation.services.set_up.language:
        yield _language(language)
    branch = read_branch(source)
    chat = str(branch.settings.get("chat", "")) if branch else ""
    if chat not in {"", OFFLINE, simulation.services.set_up.chat}:
        yield f"what {_name(chat)} made of its people"


def _rules(rules: TownRules) -> Iterator[str]:
    kinds = {
        "people without thoughts": sorted(rules.frozen),
        "people who do not talk": [f"{one} – {other}" for one, other in sorted(rules.cut)],
        "places without talk": sorted(rules.silent),
        "people with other models": [f"{name}: {model}" for name, model in sorted(rules.models.items())],
        "people who repeat a recording": [f"{name}: {pin.recording}" for name, pin in sorted(rules.pins.items())],
    }
    for kind, names in kinds.items():
        if names:
            yield f"{kind} ({_listed(names)})"


def _listed(names: list[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(map(_name, names[:SHOWN])) + (f" and {more:,} more" if more > 0 else "")


def _name(text: str) -> str:
    return shortened(one_line(text), LONGEST)
