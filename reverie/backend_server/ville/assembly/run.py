"""Builds the house from Settings: the only file that knows every room."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any, NamedTuple

from ville.assembly import providers
from ville.assembly.providers import ChatConfig, EmbeddingConfig
from ville.errors import BadMap, BadSetting, CorruptFile
from ville.llm.accounting.estimate import CostModel
from ville.llm.accounting.ledger import Ledger
from ville.llm.gateway import Chat, Models
from ville.llm.language import spoken
from ville.llm.ledgered import Replayed, ReplayedEmbedder
from ville.llm.limited import ConcurrencyLimiter, Limited
from ville.llm.offline.rule_book import RuleBook
from ville.persona.persona import Persona
from ville.persona.prompt_template.question import check_templates
from ville.settings import Settings
from ville.simulation.arrive import arrive
from ville.simulation.breaker import Breaker
from ville.simulation.re_embed import MIXED, embedder_of, re_embed, stored_embedder
from ville.simulation.services import RunServices
from ville.simulation.simulation import BREAKER_KEY, RUN_FILE, Simulation, clock_from
from ville.simulation.stage import BrowserStage, HeadlessStage
from ville.simulation.town import Town
from ville.storage.lock import Lock
from ville.storage.simulation_folder import SimulationFolder
from ville.storage.storage import check_new, delete, find, fork, resume
from ville.storage.temp_storage import TempStorage
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
    warning = providers.check_prices(settings)
    return "\n".join([providers.announcement(settings), *([warning] if warning else [])])


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
            _check_make(origin, stored_embedder(source), providers.embedder_name(settings))
        folder = _folder(settings, origin, name, undo)
        simulation = _opened(settings, folder, lock, notice=notice, recording=recording)
        if origin != name:
            simulation.save_seed()
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


async def re_embed_simulation(settings: Settings, origin: str, name: str) -> int:
    """Have all vectors of a simulation made anew by the embedder that is set, and return how many that were.

    Of a simulation that is to be forked it is the fork; afterwards it is there, to be resumed. Raises a ReverieError;
    then nothing has changed.
    """
    check_names(settings, origin, name)
    with Lock(settings.fs_storage / name), ExitStack() as undo:
        folder = _folder(settings, origin, name, undo)
        folder.check_cast()
        models, services = _models(settings, folder)
        try:
            made = await re_embed(folder, models.embedder)
        finally:
            await services.close()
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
            known = embedder_of(_own(folder), persona.mind.stream.vectors)
            _check_make(folder.name, known, providers.embedder_name(settings))
        settings = replace(settings, language=settings.language or _language(folder))
    models, services = _replaying(settings, recording) if recording else _models(settings, folder, _vector_size(town))
    stage = (
        HeadlessStage(folder)
        if notice is None
        else BrowserStage(folder, TempStorage(settings.fs_temp_storage), patience=settings.patience, notice=notice)
    )
    services = replace(services, breaker=_breaker(settings, folder))
    return Simulation(folder=folder, lock=lock, town=town, models=models, services=services, stage=stage)


def _models(settings: Settings, folder: SimulationFolder, size: int = 0) -> tuple[Models, RunServices]:
    """Return the models that the settings name, or the offline rules, and the services that belong to them.

    `size` is the size of the vectors that personas remember with; 0 accepts any. Raises a ReverieError.
    """
    who, vectors = providers.chat_config(settings), providers.embedding_config(settings)
    if who is None and vectors is None:
        seed = _seed(settings, folder)
        models = Models(_offline_chat(settings, seed), providers.local_embedder(settings), seed, settings.language)
        return models, RunServices(cost_model=CostModel(settings.max_concurrency))
    return _connected(settings, folder, who, vectors=vectors, size=size)


def _connected(
    settings: Settings, folder: SimulationFolder, who: ChatConfig | None, *, vectors: EmbeddingConfig | None, size: int
) -> tuple[Models, RunServices]:
    """Return clients of providers, with a ledger."""
    from ville.assembly.client import ClientFactory  # noqa: PLC0415 - the import of the SDK takes a second

    providers.check_prices(settings)
    seed = _seed(settings, folder)
    with ExitStack() as on_a_fault:
        ledger = on_a_fault.enter_context(closing(Ledger.open(folder.root / "reverie")))
        factory = ClientFactory(settings, ledger)
        on_a_fault.pop_all()
    models = Models(
        chat=factory.chat(who) if who else _offline_chat(settings, seed),
        embedder=factory.embedder(vectors, size) if vectors else providers.local_embedder(settings),
        seed=seed,
        language=settings.language,
    )
    services = RunServices(
        ledger=ledger,
        begin_step=ledger.set_step,
        cost_model=factory.cost_model(who, vectors),
        status=factory.monitor.status,
        close=factory.close,
    )
    return models, services


def _replaying(settings: Settings, recording: str) -> tuple[Models, RunServices]:
    """Return models that answer from a ledger alone, with the seed, vectors and language of its simulation."""
    folder = find(settings.fs_storage, recording)
    ledger = Ledger.read(folder.root / "reverie")

    async def close() -> None:
        ledger.close()

    own = providers.local_embedder(settings)
    name = _own(folder).get("embedder", own.name)
    seed, language = _seed(replace(settings, seed=None), folder), _language(folder) or settings.language
    models = Models(
        chat=spoken(Replayed(ledger), language),
        embedder=own if name == own.name else ReplayedEmbedder(name, ledger),
        seed=seed,
        language=language,
    )
    return models, RunServices(begin_step=ledger.set_step, close=close)


def _seed(settings: Settings, folder: SimulationFolder) -> int:
    """The one asked for, else the one the simulation was begun with. Raises CorruptFile."""
    seed = settings.seed if settings.seed is not None else _own(folder).get("seed", 0)
    if not isinstance(seed, int):
        raise CorruptFile(f"{folder.name}: {RUN_FILE}: the seed is {seed!r}: make it a whole number.")
    return seed


def _breaker(settings: Settings, folder: SimulationFolder) -> Breaker:
    """As it was saved. Raises CorruptFile."""
    try:
        return Breaker(settings.max_fallbacks, _own(folder).get(BREAKER_KEY))
    except (AttributeError, TypeError, ValueError) as fault:
        raise CorruptFile(
            f"{folder.name}: {RUN_FILE}: '{BREAKER_KEY}' cannot be read ({fault}): remove it, and counting begins anew."
        ) from fault


def _language(folder: SimulationFolder) -> str:
    """The one the simulation was run in; empty if none was said. Raises CorruptFile."""
    language = _own(folder).get("language", "")
    if not isinstance(language, str):
        raise CorruptFile(f'{folder.name}: {RUN_FILE}: the language is {language!r}: make it a name, as "Russian".')
    return language


def _own(folder: SimulationFolder) -> dict[str, Any]:
    return folder.read_side_file(RUN_FILE) or {}


def _offline_chat(settings: Settings, seed: int) -> Chat:
    return Limited(RuleBook(seed), ConcurrencyLimiter(settings.max_concurrency))


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
    town = Town(maze=maze, paths=PathFinder(maze), personas=personas, clock=clock_from(folder.meta))
    arrive(town, folder.starting_positions())
    return town


def _check_home(maze: Maze, persona: Persona) -> None:
    home = persona.scratch.identity.living_area
    if home not in maze.address_tiles:
        raise BadMap(f"The map {maze.name} has no '{home}', the home of {persona.name}: mend living_area or the map.")
