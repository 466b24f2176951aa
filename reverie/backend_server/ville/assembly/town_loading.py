"""Load the town of a saved simulation: its map, its personas, and where they stand."""

from collections.abc import Sequence

from ville.assembly.own_minds import load_minds
from ville.errors import BadMap, CorruptFile
from ville.persona.cognitive_modules.mind_settings import NAMES, MindSettings
from ville.persona.cognitive_modules.musing import Musing
from ville.persona.cognitive_modules.protocols import MindModules
from ville.persona.memory_structures.common_sense import read_common_sense
from ville.persona.memory_structures.facts.kept_facts import KeptFacts
from ville.persona.memory_structures.lifestyle_policy import LifestylePolicy
from ville.persona.persona import Persona
from ville.settings import Settings
from ville.simulation.simulation import MINDS, TOWN_FILE, clock_from
from ville.simulation.stepping.arrive import place
from ville.simulation.town import Town
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.records.intervention_log import RUN_FILE
from ville.storage.records.memory_files import COMMON_SENSE, FACTS, MUSINGS, POLICY
from ville.world.address import Tile
from ville.world.maze import Maze
from ville.world.maze_files import load_maze
from ville.world.path_finder import PathFinder


def load_town(settings: Settings, folder: SimulationFolder, minds: object = None) -> Town:
    """Load map and personas, and place personas where they stood. Raises SetupError and StorageError.

    `minds` are the parts of minds that are replaced if the settings name none, instead of those of the last save.
    """
    modules = load_minds(settings, folder.name, recorded_minds(folder) if minds is None else minds)
    maze = load_maze(settings.assets / folder.meta.maze_name / "matrix", folder.meta.maze_name)
    order = in_order(folder.meta.persona_names, settings.people_order)
    personas = {name: _persona(settings, folder, name, modules) for name in order}
    for name, policy in (folder.read_side_file(POLICY) or {}).items():
        if name in personas:
            personas[name].mind.policy = LifestylePolicy.read(name, policy)
    for name, facts in (folder.read_side_file(FACTS) or {}).items():
        if name in personas:
            personas[name].mind.facts = KeptFacts.read(name, facts)
    for name, begun in (folder.read_side_file(MUSINGS) or {}).items():
        if name in personas:
            personas[name].mind.musings = [Musing.read(name, each) for each in begun]
    for persona in personas.values():
        _check_home(maze, persona)
    town = Town(maze=maze, paths=PathFinder(maze), personas=personas, clock=clock_from(folder.meta), modules=modules)
    town.restore(folder.read_side_file(TOWN_FILE) or {})
    town.common_sense = read_common_sense(folder.read_side_file(COMMON_SENSE) or {})
    town.newcomers = {name: tile for name, persona in personas.items() if (tile := _arrival_tile(persona))}
    folder.expected = tuple(name for name in personas if name not in town.newcomers)
    place(town, folder.starting_positions())
    return town


def in_order(names: Sequence[str], order: str) -> Sequence[str]:
    """Return names in an order; empty: as they are."""
    return sorted(names, reverse=order == "backwards") if order else names


def _arrival_tile(persona: Persona) -> Tile | None:
    """Return the position of a resident who has moved in between the last step and the save."""
    return persona.scratch.curr_tile if persona.scratch.curr_time is None else None


def mind_settings(settings: Settings) -> MindSettings:
    """Return the settings of a run that change how minds work."""
    return MindSettings(**{name: getattr(settings, name) for name in NAMES})


def recorded_minds(folder: SimulationFolder) -> object:
    """Return the parts of minds that were replaced at the last save, as the file says them."""
    return (folder.read_side_file(RUN_FILE) or {}).get(MINDS)


def _persona(settings: Settings, folder: SimulationFolder, name: str, modules: MindModules) -> Persona:
    """Raises CorruptFile naming the folder."""
    try:
        files = folder.read_persona(name)
        return Persona.load(name, files, mind_settings(settings), modules=modules)
    except CorruptFile as fault:
        text = str(fault)
        raise type(fault)(text if str(folder.root) in text else f"{folder.root}: {text}") from None


def _check_home(maze: Maze, persona: Persona) -> None:
    """Raise BadMap if the map lacks the home of a persona."""
    home = persona.scratch.identity.living_area
    if home not in maze.address_tiles:
        raise BadMap(
            f"Map {maze.name} has no '{home}' (living_area of {persona.name}). "
            "Correct living_area in scratch.json, or add the place to the map."
        )
