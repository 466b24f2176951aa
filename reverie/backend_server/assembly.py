"""Builds the house from Settings: the only file that knows every room."""

from collections.abc import Callable

from archive.simulation_folder import SimulationFolder
from archive.storage import check_new, delete, find, fork, resume
from archive.temp_storage import TempStorage
from errors import BadSetting, CorruptFile, MapFault, ReverieError
from llm.embedders import HashingEmbedder
from llm.gateway import Chat, Embedder
from llm.limited import Limited, Lines
from llm.offline.rule_book import RuleBook
from persona.persona import Persona
from settings import Settings
from simulation.arrive import arrive
from simulation.simulation import OWN_FILE, Simulation, clock_of
from simulation.stage import BrowserStage, HeadlessStage
from simulation.step import Telephone
from simulation.town import Town
from world.load import load_maze
from world.maze import Maze
from world.path_finder import PathFinder

Notice = Callable[[str], None]


def announcement(_settings: Settings) -> str:
    """What kind of minds live here, to be said before anything else."""
    return "No language model is configured: these minds are rules, not a language model."


def open_simulation(settings: Settings, origin: str, name: str, notice: Notice | None = None) -> Simulation:
    """Go on with a simulation where it was saved, or begin a new one there.

    With a `notice`, which is told when a browser comes and goes, it is shown in the browser; without, it is not.
    Raises a ReverieError; then nothing is left of a new one.
    """
    if origin == name:
        return _opened(settings, resume(settings.fs_storage, name), notice=notice)
    folder = fork(settings.fs_storage, origin, name)
    try:
        simulation = _opened(settings, folder, notice=notice)
        simulation.keep_seed()
    except ReverieError:
        delete(folder)
        raise
    return simulation


def check_names(settings: Settings, origin: str, name: str) -> None:
    """Raises StorageError unless the one can be forked, and the other begun or resumed."""
    find(settings.fs_storage, origin)
    if origin != name:
        check_new(settings.fs_storage, name)


def _opened(settings: Settings, folder: SimulationFolder, *, notice: Notice | None) -> Simulation:
    folder.check_cast()
    telephone = _telephone(settings, folder)
    town = _town(settings, folder)
    stage = (
        HeadlessStage(folder)
        if notice is None
        else BrowserStage(folder, TempStorage(settings.fs_temp_storage), patience=settings.patience, notice=notice)
    )
    return Simulation(folder=folder, town=town, telephone=telephone, stage=stage)


def _telephone(settings: Settings, folder: SimulationFolder) -> Telephone:
    """The seed is the one asked for, else the one the simulation was begun with."""
    own = folder.read_side_file(OWN_FILE) or {}
    embedder = _embedder()
    if own.get("embedder", embedder.name) != embedder.name:
        raise BadSetting(
            f"{folder.name} remembers with vectors of {own['embedder']}, not of {embedder.name}: "
            "choose the embedder it was begun with."
        )
    seed = settings.seed if settings.seed is not None else own.get("seed", 0)
    if not isinstance(seed, int):
        raise CorruptFile(f"{folder.name}: {OWN_FILE}: the seed is {seed!r}: make it a whole number.")
    return Telephone(chat=_chat(settings, seed), embedder=embedder, seed=seed)


def _chat(settings: Settings, seed: int) -> Chat:
    return Limited(RuleBook(seed), Lines(settings.lines))


def _embedder() -> Embedder:
    return HashingEmbedder()


def _town(settings: Settings, folder: SimulationFolder) -> Town:
    """Everybody where they were. Raises SetupError and StorageError."""
    maze = load_maze(settings.assets / folder.meta.maze_name / "matrix", folder.meta.maze_name)
    personas = {
        name: Persona.load(name, folder.read_persona(name), settings.retrieval) for name in folder.meta.persona_names
    }
    for persona in personas.values():
        _check_home(maze, persona)
    town = Town(maze=maze, paths=PathFinder(maze), personas=personas, clock=clock_of(folder.meta))
    arrive(town, folder.starting_positions())
    return town


def _check_home(maze: Maze, persona: Persona) -> None:
    home = persona.scratch.identity.living_area
    if home not in maze.address_tiles:
        raise MapFault(f"The map {maze.name} has no '{home}', the home of {persona.name}: mend living_area or the map.")
