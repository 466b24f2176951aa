"""The people of a saved simulation, as the page on which they are edited shows them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from translator.shown import page_data
from translator.shown.page_data import ShownPersona
from translator.storage.runs.saved_simulation import SavedSimulation
from translator.storage.town.places import places
from ville.json_types import Json
from ville.simulation.interventions import catalogue
from ville.storage.flaws import Flaw
from ville.storage.records.saved_memories import read_scratch

LIVING = "living_area"
WRITTEN = ("innate", "learned", "currently", "lifestyle")
"""Lines of a character that are words of the user."""
USUAL: Mapping[str, Json] = {
    "age": 34,
    "lifestyle": "goes to bed around 11pm, wakes up around 7am and eats dinner around 6pm.",
}
"""Lines that someone new has until the user says otherwise."""


@dataclass(frozen=True)
class ShownHome:
    """A home: its address, and its name in words."""

    address: str

    @property
    def words(self) -> str:
        return " · ".join(self.address.split(":")[1:])


@dataclass(frozen=True)
class Resident:
    """A person, and what can be changed about it."""

    persona: ShownPersona
    character: Mapping[str, Json]
    """Lines of the character by name: what it is like, its age, its home."""
    home: ShownHome
    """With an empty address if it has none."""


@dataclass(frozen=True)
class Residents:
    """Everyone who lives in a simulation, as last saved."""

    everyone: list[Resident]
    free: list[ShownHome]
    """Homes with a free bed."""
    flaws: list[Flaw]


def residents(simulation: SavedSimulation) -> Residents:
    """Return who lives in a simulation. Raises CorruptFile."""
    names = simulation.meta.persona_names
    read = {name: read_scratch(simulation.root, name) for name in names}
    living = Counter(str(scratch.get(LIVING)) for scratch, _ in read.values())
    free = [ShownHome(home) for home in _free_homes(simulation.meta.maze_name, living)]
    shown = page_data.personas(names, simulation.cast)
    everyone = [_resident(persona, read[persona["name"]][0]) for persona in shown]
    return Residents(everyone, free, [flaw for _, flaws in read.values() for flaw in flaws])


def longest() -> Mapping[str, Mapping[str, int]]:
    """Return the most characters of each line, of those who are edited and of new ones, as the engine checks them."""
    kinds = catalogue.kinds()
    trait, resident = (kinds[name].fields.model_json_schema()["properties"] for name in ("trait", "resident_in"))
    return {
        "edited": dict.fromkeys(WRITTEN, trait["now"]["maxLength"]),
        "new": {name: resident[name]["maxLength"] for name in WRITTEN},
    }


def _resident(persona: ShownPersona, scratch: Mapping[str, Json]) -> Resident:
    lines = {name: scratch.get(name) for name in (*WRITTEN, "age", LIVING)}
    return Resident(persona, lines, ShownHome(str(scratch.get(LIVING) or "")))


def _free_homes(maze_name: str, living: Counter[str]) -> Iterable[str]:
    """Yield the addresses of homes with more beds than residents."""
    found = places(maze_name)
    for (sector, arena), beds in found.beds.items():
        if beds > living[address := found.address(sector, arena)]:
            yield address
