"""Builds the house from Settings: the only file that knows every room."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any, NamedTuple

from ville import switchboard
from ville.errors import BadSetting, CorruptFile, MapFault
from ville.llm.accounting.estimate import Terms
from ville.llm.accounting.ledger import Ledger
from ville.llm.gateway import Chat
from ville.llm.language import spoken
from ville.llm.ledgered import Replayed, ReplayedEmbedder
from ville.llm.limited import Limited, Lines
from ville.llm.offline.rule_book import RuleBook
from ville.persona.persona import Persona
from ville.persona.prompt_template.question import check_templates
from ville.settings import Settings
from ville.simulation.arrive import arrive
from ville.simulation.breaker import Breaker
from ville.simulation.re_embed import MIXED, made_by, make_of, re_embed
from ville.simulation.simulation import FALLBACKS, OWN_FILE, Simulation, clock_of
from ville.simulation.stage import BrowserStage, HeadlessStage
from ville.simulation.step import Telephone
from ville.simulation.town import Town
from ville.storage.lock import Lock
from ville.storage.simulation_folder import SimulationFolder
from ville.storage.storage import check_new, delete, find, fork, resume
from ville.storage.temp_storage import TempStorage
from ville.switchboard import Answering, Embedding
from ville.world.load import load_maze
from ville.world.maze import Maze
from ville.world.path_finder import PathFinder

Notice = Callable[[str], None]
MANY = 2000
"""Steps whose files, two for each, take a while to be copied."""


class Recording(NamedTuple):
    """Where a recorded simulation began, and how far it went."""

    origin: str
    steps: int


def announcement(settings: Settings, recording: str = "") -> str:
    """What kind of minds live here, to be said before anything else. Raises SetupError."""
    if recording:
        return f"These minds repeat what was answered in {recording}: nobody is asked anything."
    warning = switchboard.check_prices(settings)
    return "\n".join([switchboard.announcement(settings), *([warning] if warning else [])])


def recorded(settings: Settings, recording: str) -> Recording:
    """What a recorded simulation was forked from, and how many steps it has. Raises StorageError."""
    meta = find(settings.fs_storage, recording).meta
    origin = find(settings.fs_storage, meta.fork_sim_code)
    return Recording(origin.name, max(0, meta.step - origin.meta.step))


def open_simulation(
    settings: Settings, origin: str, name: str, notice: Notice | None = None, *, recording: str = ""
) -> Simulation:
    """Go on with a simulation where it was saved, or begin a new one there.

    With a `notice`, which is told when a browser comes and goes, it is shown in the browser; without, it is not.
    With a `recording`, another simulation, its ledger answers and nobody else. Nobody else can open it until it is
    closed. Raises a ReverieError; then nothing is left of a new one.
    """
    check_templates()
    check_names(settings, origin, name)
    with ExitStack() as undo:
        lock = undo.enter_context(Lock(settings.fs_storage / name))
        if origin != name and not recording:  # a long simulation has tens of thousands of files to copy
            source = find(settings.fs_storage, origin)
            source.check_cast()
            _check_make(origin, made_by(source), switchboard.make_of_vectors(settings))
        folder = _folder(settings, origin, name, undo)
        simulation = _opened(settings, folder, lock, notice=notice, recording=recording)
        if origin != name:
            simulation.keep_seed()
        undo.pop_all()
    return simulation


def _folder(settings: Settings, origin: str, name: str, undo: ExitStack) -> SimulationFolder:
    """The simulation as it was saved, or a fork that is taken back should anything fail."""
    if origin == name:
        folder = resume(settings.fs_storage, name)
    else:
        folder = fork(settings.fs_storage, origin, name)
        undo.callback(delete, folder)
    folder.fsync = settings.fsync
    return folder


def copying(settings: Settings, origin: str, name: str) -> list[str]:
    """What to say before a fork that may take its time. Raises StorageError."""
    steps = find(settings.fs_storage, origin).meta.step
    return [f"Copying the {steps:,} steps of {origin} ..."] if steps >= MANY and origin != name else []


async def re_embedded(settings: Settings, origin: str, name: str) -> int:
    """Have all vectors of a simulation made anew by the embedder that is set, and return how many that were.

    Of a simulation that is to be forked it is the fork; afterwards it is there, to be resumed. Raises a ReverieError;
    then nothing has changed.
    """
    check_names(settings, origin, name)
    with Lock(settings.fs_storage / name), ExitStack() as undo:
        folder = _folder(settings, origin, name, undo)
        folder.check_cast()
        telephone = _telephone(settings, folder)
        try:
            made = await re_embed(folder, telephone.embedder)
        finally:
            await telephone.hang_up()
        undo.pop_all()
    return made


def check_names(settings: Settings, origin: str, name: str) -> None:
    """Raises StorageError unless the one can be forked, and the other begun or resumed."""
    find(settings.fs_storage, origin)
    if origin != name:
        check_new(settings.fs_storage, name)


def _opened(
    settings: Settings, folder: SimulationFolder, lock: Lock, *, notice: Notice | None, recording: str
) -> Simulation:  # fmt: skip
    folder.check_cast()
    town = _town(settings, folder)
    if not recording:
        for persona in town.personas.values():
            known = make_of(_own(folder), persona.mind.stream.vectors)
            _check_make(folder.name, known, switchboard.make_of_vectors(settings))
        settings = replace(settings, language=settings.language or _language(folder))
    telephone = _replaying(settings, recording) if recording else _telephone(settings, folder, _vector_size(town))
    stage = (
        HeadlessStage(folder)
        if notice is None
        else BrowserStage(folder, TempStorage(settings.fs_temp_storage), patience=settings.patience, notice=notice)
    )
    telephone = replace(telephone, breaker=_breaker(settings, folder))
    return Simulation(folder=folder, lock=lock, town=town, telephone=telephone, stage=stage)


def _telephone(settings: Settings, folder: SimulationFolder, size: int = 0) -> Telephone:
    """Rules, and vectors made here, unless somebody is to be asked for answers or vectors.

    `size` is that of the vectors people remember with; 0 if any will do.
    """
    who, vectors = switchboard.answering(settings), switchboard.embedding(settings)
    seed = _seed(settings, folder)
    if who is None and vectors is None:
        embedder = switchboard.own_embedder(settings)
        return Telephone(
            _chat(settings, seed), embedder, seed, settings.language, terms=Terms(settings.max_concurrency)
        )
    return _connected(settings, folder, who, vectors=vectors, size=size)


def _connected(
    settings: Settings, folder: SimulationFolder, who: Answering | None, *, vectors: Embedding | None, size: int
) -> Telephone:  # fmt: skip
    """With a ledger, for whatever goes over the wire."""
    from ville.wiring import Exchange  # noqa: PLC0415 - rules need not wait for the import of a provider's kit

    switchboard.check_prices(settings)
    seed = _seed(settings, folder)
    with ExitStack() as on_a_fault:
        ledger = on_a_fault.enter_context(closing(Ledger.open(folder.root / "reverie")))
        exchange = Exchange(settings, ledger)
        on_a_fault.pop_all()
    return Telephone(
        chat=exchange.chat(who) if who else _chat(settings, seed),
        embedder=exchange.embedder(vectors, size) if vectors else switchboard.own_embedder(settings),
        seed=seed,
        language=settings.language,
        ledger=ledger,
        turn_to=ledger.turn_to,
        terms=exchange.terms(who, vectors),
        waiting=exchange.waiting.line,
        hang_up=exchange.hang_up,
    )


def _replaying(settings: Settings, recording: str) -> Telephone:
    """Nobody but a ledger answers, with the seed, the vectors and the language of its simulation."""
    folder = find(settings.fs_storage, recording)
    ledger = Ledger.read(folder.root / "reverie")

    async def hang_up() -> None:
        ledger.close()

    own = switchboard.own_embedder(settings)
    name = _own(folder).get("embedder", own.name)
    seed, language = _seed(replace(settings, seed=None), folder), _language(folder) or settings.language
    return Telephone(
        chat=spoken(Replayed(ledger), language),
        embedder=own if name == own.name else ReplayedEmbedder(name, ledger),
        seed=seed,
        language=language,
        turn_to=ledger.turn_to,
        hang_up=hang_up,
    )


def _seed(settings: Settings, folder: SimulationFolder) -> int:
    """The one asked for, else the one the simulation was begun with. Raises CorruptFile."""
    seed = settings.seed if settings.seed is not None else _own(folder).get("seed", 0)
    if not isinstance(seed, int):
        raise CorruptFile(f"{folder.name}: {OWN_FILE}: the seed is {seed!r}: make it a whole number.")
    return seed


def _breaker(settings: Settings, folder: SimulationFolder) -> Breaker:
    """As it was saved. Raises CorruptFile."""
    try:
        return Breaker(settings.max_fallbacks, _own(folder).get(FALLBACKS))
    except (AttributeError, TypeError, ValueError) as fault:
        raise CorruptFile(
            f"{folder.name}: {OWN_FILE}: '{FALLBACKS}' cannot be read ({fault}): remove it, and counting begins anew."
        ) from fault


def _language(folder: SimulationFolder) -> str:
    """The one the simulation was run in; empty if none was said. Raises CorruptFile."""
    language = _own(folder).get("language", "")
    if not isinstance(language, str):
        raise CorruptFile(f'{folder.name}: {OWN_FILE}: the language is {language!r}: make it a name, as "Russian".')
    return language


def _own(folder: SimulationFolder) -> dict[str, Any]:
    return folder.read_side_file(OWN_FILE) or {}


def _chat(settings: Settings, seed: int) -> Chat:
    return Limited(RuleBook(seed), Lines(settings.max_concurrency))


def _vector_size(town: Town) -> int:
    """How many numbers the vectors of people's memories have; 0 if nobody remembers anything."""
    return max((persona.mind.stream.vectors.size for persona in town.personas.values()), default=0)


def _check_make(name: str, known: str | None, make: str) -> None:
    """Vectors of two makes are never mixed: they could not be compared. Raises BadSetting."""
    if known not in {None, make}:
        go_on = "" if known == MIXED else "either go on with those (set embedder and embedding_model), or "
        raise BadSetting(
            f"{name} remembers with vectors of {known}, not of {make}: {go_on}have all of them made anew "
            "(say --re-embed)."
        )


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
