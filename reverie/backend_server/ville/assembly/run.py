"""Open simulations: build folder, town, models and stage from settings. The only module that knows all packages."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ville.assembly import providers
from ville.assembly.providers import ChatConfig, EmbeddingConfig
from ville.errors import BadMap, BadSetting, CorruptFile
from ville.llm.accounting.estimate import CostModel
from ville.llm.accounting.ledger import INTERVIEWS, Ledger
from ville.llm.accounting.ledgers import Ledgers
from ville.llm.cache import Numbering
from ville.llm.concurrency import ConcurrencyLimiter, LimitedClient
from ville.llm.gateway import Chat, Embedder, Models
from ville.llm.language import in_language
from ville.llm.offline.rule_book import RuleBook
from ville.llm.replay import ReplayedChat, ReplayedEmbedder
from ville.persona.persona import Persona
from ville.persona.prompt_template.question import check_templates
from ville.settings import Settings
from ville.simulation.arrive import arrive
from ville.simulation.breaker import Breaker
from ville.simulation.intake import planned_again
from ville.simulation.intervention_file import check_people, read_interventions
from ville.simulation.interviews import Interviews
from ville.simulation.re_embed import MIXED, embedder_of, re_embed, stored_embedder
from ville.simulation.services import RunServices
from ville.simulation.simulation import BREAKER_KEY, TOWN_FILE, Simulation, clock_from
from ville.simulation.stage import BrowserStage, HeadlessStage
from ville.simulation.town import Town
from ville.storage.checkpoints import SetUp
from ville.storage.intervention_log import RUN_FILE, InterventionLog, rows_in_save
from ville.storage.lock import Lock
from ville.storage.looks import ready_looks
from ville.storage.simulation_folder import SimulationFolder
from ville.storage.storage import check_new, delete, find, fork, resume, unchanged
from ville.storage.temp_storage import TempStorage
from ville.world.address import Tile
from ville.world.load import load_maze
from ville.world.maze import Maze
from ville.world.path_finder import PathFinder

if TYPE_CHECKING:
    from ville.assembly.client import ClientFactory

Notice = Callable[[str], None]
COMPUTING = ("retrieval", "impressions", "max_fallbacks")
"""Settings that change what is computed, beside those that are saved with a simulation."""
MANY_STEPS = 2000
"""Number of steps whose files take noticeable time to copy."""


class Providers(NamedTuple):
    """Providers that the settings name; None for the offline rules and for vectors made on this machine."""

    chat: ChatConfig | None
    vectors: EmbeddingConfig | None
    size: int = 0
    """Size of the vectors that personas remember with; 0 accepts any."""

    def models(self, settings: Settings, seed: int, factory: "ClientFactory") -> Models:
        return Models(
            chat=factory.chat(self.chat) if self.chat else _offline_chat(settings, seed),
            embedder=factory.embedder(self.vectors, self.size) if self.vectors else providers.local_embedder(settings),
            seed=seed,
            language=settings.language,
        )


class RecordedRun(NamedTuple):
    """A simulation that can be replayed."""

    origin: str
    """Name of the simulation it was forked from."""
    steps: int


def announcement(settings: Settings, recording: str = "") -> str:
    """Return the first lines of a run: its models, and models without a price. Raises SetupError."""
    if recording:
        return f"All answers are replayed from {recording}. No model is called."
    return "\n".join(filter(None, [providers.announcement(settings), providers.check_prices(settings)]))


def recorded_run(settings: Settings, recording: str) -> RecordedRun:
    """Return origin and number of steps of a recorded simulation. Raises StorageError."""
    meta = find(settings.fs_storage, recording).meta
    origin = find(settings.fs_storage, meta.fork_sim_code)
    return RecordedRun(origin.name, max(0, meta.step - origin.meta.step))


def open_simulation(
    settings: Settings,
    origin: str,
    name: str,
    notice: Notice | None = None,
    *,
    recording: str = "",
    interventions: Path | None = None,
) -> Simulation:
    """Resume a simulation (`origin` equals `name`), or fork a new one, and lock it until it is closed.

    With `notice`, it is shown in a browser; the function is called when a browser connects or disconnects. With
    `recording`, the name of another simulation, all answers come from its ledger, and its interventions are applied
    again. `interventions` is a file of planned ones, which replace those planned earlier. Raises a ReverieError; a new
    simulation is deleted then.
    """
    check_templates()
    check_names(settings, origin, name)
    with ExitStack() as undo:
        lock = undo.enter_context(Lock(settings.fs_storage / name))
        if origin != name and not recording:  # before copying, which may be tens of thousands of files
            source = find(settings.fs_storage, origin)
            source.check_cast()
            _check_embedder(origin, stored_embedder(source), providers.embedder_name(settings))
        folder = _folder(settings, origin, name, undo)
        simulation = _opened(settings, folder, lock, notice=notice, recording=recording)
        _plan_interventions(settings, simulation, recording, interventions)
        if origin != name:
            simulation.save_seed()
        undo.pop_all()
    return simulation


def _plan_interventions(settings: Settings, simulation: Simulation, recording: str, file: Path | None) -> None:
    """Plan the interventions of a recording, or those of a file. Raises CorruptFile or BadIntervention."""
    if recording:
        reverie = find(settings.fs_storage, recording).root / "reverie"
        log, last = InterventionLog(reverie), rows_in_save(reverie)
        simulation.plan(planned_again(log, simulation.intake.applied, last, logged=False))
    if file is not None:
        planned = read_interventions(file, simulation.clock)
        check_people(planned, simulation.town.personas)
        simulation.plan([*simulation.intake.ahead, *planned] if recording else planned)


def _folder(settings: Settings, origin: str, name: str, undo: ExitStack) -> SimulationFolder:
    """Return the folder of a saved simulation, or of a fork that `undo` deletes."""
    if origin == name:
        folder = resume(settings.fs_storage, name)
    else:
        folder = fork(settings.fs_storage, origin, name)
        undo.callback(delete, folder)
    folder.fsync, folder.checkpoints.keep = settings.fsync, settings.checkpoints
    return folder


def copy_notice(settings: Settings, origin: str, name: str) -> list[str]:
    """Return a notice about a fork that takes noticeable time. Raises StorageError."""
    steps = find(settings.fs_storage, origin).meta.step
    return [f"Copying the {steps:,} steps of {origin} ..."] if steps >= MANY_STEPS and origin != name else []


async def re_embed_simulation(settings: Settings, origin: str, name: str) -> int:
    """Replace all vectors of a simulation by those of the configured embedder, and return their number.

    A fork is created first, to be resumed afterwards. Raises a ReverieError; nothing has changed then.
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
    """Raise StorageError unless `origin` exists and `name` is free, or both are the same."""
    find(settings.fs_storage, origin)
    if origin != name:
        check_new(settings.fs_storage, name)


def _opened(
    settings: Settings, folder: SimulationFolder, lock: Lock, *, notice: Notice | None, recording: str
) -> Simulation:  # fmt: skip
    folder.check_cast()
    town = _town(settings, folder)
    if not recording:
        settings = _fitting(settings, folder, town)
    models, services = _replaying(settings, recording) if recording else _models(settings, folder, _vector_size(town))
    stage = (
        HeadlessStage(folder)
        if notice is None
        else BrowserStage(folder, TempStorage(settings.fs_temp_storage), patience=settings.patience, notice=notice)
    )
    services = replace(
        services,
        breaker=_breaker(settings, folder),
        looks=ready_looks(settings.assets),
        set_up=_set_up(settings, models, recording),
    )
    return Simulation(folder=folder, lock=lock, town=town, models=models, services=services, stage=stage)


def _set_up(settings: Settings, models: Models, recording: str) -> SetUp:
    """Return what the results of a run depend on."""
    return SetUp(
        step=0,
        seed=models.seed,
        chat="" if recording else providers.chat_name(settings),
        recording=recording,
        embedder=models.embedder.name,
        language=models.language,
        settings={name: getattr(settings, name) for name in COMPUTING},
    )


def _fitting(settings: Settings, folder: SimulationFolder, town: Town) -> Settings:
    """Return the settings with the stored language. Raises BadSetting if the embedder does not fit the memories."""
    for persona in town.personas.values():
        stored = embedder_of(_run_file(folder), persona.mind.stream.vectors)
        _check_embedder(folder.name, stored, providers.embedder_name(settings))
    return replace(settings, language=settings.language or _language(folder))


def read_for_interviews(settings: Settings, name: str) -> tuple[Interviews, Callable[[], Awaitable[None]]]:
    """Return access to the personas of a saved simulation as they were saved, and what closes it.

    The simulation is not locked, and another process may have it open. The only file that is written is the ledger of
    interviews, if a model is asked. Raises a ReverieError.
    """
    check_templates()
    folder = find(settings.fs_storage, name)
    with unchanged(folder.root):
        folder.check_cast()
        town = _town(settings, folder)
    settings = _fitting(settings, folder, town)
    models, services = _models(settings, folder, _vector_size(town), interviews_only=True)
    services = replace(services, breaker=_breaker(settings, folder))
    services.begin_step(town.clock.step)
    return Interviews(town, services, models=lambda: models, between_steps=asyncio.Lock()), services.close


def _models(
    settings: Settings, folder: SimulationFolder, size: int = 0, *, interviews_only: bool = False
) -> tuple[Models, RunServices]:
    """Return the models that the settings name, or the offline rules, and the services that belong to them.

    `size` is the size of the vectors that personas remember with; 0 accepts any. Raises a ReverieError.
    """
    wanted = Providers(providers.chat_config(settings), providers.embedding_config(settings), size)
    if wanted.chat is None and wanted.vectors is None:
        seed = _seed(settings, folder)
        models = Models(_offline_chat(settings, seed), providers.local_embedder(settings), seed, settings.language)
        return models, RunServices(cost_model=CostModel(settings.max_concurrency))
    return _connected(settings, folder, wanted, interviews_only=interviews_only)


def _connected(
    settings: Settings, folder: SimulationFolder, wanted: Providers, *, interviews_only: bool
) -> tuple[Models, RunServices]:
    """Return clients of providers with ledgers: of the run, or of interviews only. Raises a ReverieError."""
    from ville.assembly.client import ClientFactory  # noqa: PLC0415 - importing the SDK takes half a second

    providers.check_prices(settings)
    seed = _seed(settings, folder)
    with ExitStack() as on_error:
        root = folder.root / "reverie"
        run = None if interviews_only else on_error.enter_context(closing(Ledger.open(root)))
        ledgers = on_error.enter_context(closing(Ledgers(root, run)))
        factory = ClientFactory(settings, run or ledgers.open_interviews(), ledgers)
        on_error.pop_all()

    @cache
    def interview_models() -> Models:
        return wanted.models(settings, seed, factory.recording_to(ledgers.open_interviews()))

    async def close() -> None:
        await factory.close()
        ledgers.close()

    services = RunServices(
        ledgers=ledgers,
        begin_step=ledgers.set_step,
        cost_model=factory.cost_model(wanted.chat, wanted.vectors),
        status=factory.monitor.status,
        close=close,
        interview_models=interview_models,
        numbering=factory.numbering,
    )
    return wanted.models(settings, seed, factory), services


def _replaying(settings: Settings, recording: str) -> tuple[Models, RunServices]:
    """Return models that answer from a ledger alone, with the seed, vectors and language of its simulation."""
    folder = find(settings.fs_storage, recording)
    root = folder.root / "reverie"
    ledger = Ledger.read(root)
    interviews = Ledger.read(root, INTERVIEWS) if (root / INTERVIEWS).exists() else ledger

    async def close() -> None:
        for each in (ledger, interviews):
            each.close()

    local = providers.local_embedder(settings)
    name = _run_file(folder).get("embedder", local.name)
    seed, language = _seed(replace(settings, seed=None), folder), _language(folder) or settings.language

    def models_from(recorded: Ledger, numbering: Numbering) -> Models:
        embedder: Embedder = local if name == local.name else ReplayedEmbedder(name, recorded)
        return Models(in_language(ReplayedChat(recorded, numbering), language), embedder, seed, language)

    def begin_step(step: int) -> None:
        for each in (ledger, interviews):
            each.set_step(step)

    asked, numbering = models_from(interviews, Numbering()), Numbering()
    services = RunServices(begin_step=begin_step, close=close, interview_models=lambda: asked, numbering=numbering)
    return models_from(ledger, numbering), services


def _seed(settings: Settings, folder: SimulationFolder) -> int:
    """Return the seed of the settings, else the stored one. Raises CorruptFile."""
    seed = settings.seed if settings.seed is not None else _run_file(folder).get("seed", 0)
    if not isinstance(seed, int):
        raise CorruptFile(f"{folder.name}: {RUN_FILE}: the seed {seed!r} is not a whole number. Correct it.")
    return seed


def _breaker(settings: Settings, folder: SimulationFolder) -> Breaker:
    """Return the breaker in its stored state. Raises CorruptFile."""
    try:
        return Breaker(settings.max_fallbacks, _run_file(folder).get(BREAKER_KEY))
    except (AttributeError, TypeError, ValueError) as error:
        raise CorruptFile(
            f"{folder.name}: {RUN_FILE}: '{BREAKER_KEY}' is invalid ({error}). Delete it to restart the count."
        ) from error


def _language(folder: SimulationFolder) -> str:
    """Return the stored language; empty if there is none. Raises CorruptFile."""
    language = _run_file(folder).get("language", "")
    if not isinstance(language, str):
        raise CorruptFile(
            f'{folder.name}: {RUN_FILE}: the language {language!r} is not a name, for example "Russian". Correct it.'
        )
    return language


def _run_file(folder: SimulationFolder) -> dict[str, Any]:
    return folder.read_side_file(RUN_FILE) or {}


def _offline_chat(settings: Settings, seed: int) -> Chat:
    return LimitedClient(RuleBook(seed), ConcurrencyLimiter(settings.max_concurrency))


def _vector_size(town: Town) -> int:
    """Return the size of the vectors that personas remember with; 0 if there are none."""
    return max((persona.mind.stream.vectors.size for persona in town.personas.values()), default=0)


def _check_embedder(name: str, stored: str | None, configured: str) -> None:
    """Raise BadSetting if stored vectors could not be compared with those of the configured embedder."""
    if stored not in {None, configured}:
        keep = "" if stored == MIXED else "Set embedder and embedding_model to it, or use "
        raise BadSetting(
            f"The memories of {name} have vectors of {stored}, but the embedder is {configured}. "
            f"{keep or 'Use '}--re-embed to replace all of them."
        )


def _town(settings: Settings, folder: SimulationFolder) -> Town:
    """Load map and personas, and place personas where they stood. Raises SetupError and StorageError."""
    maze = load_maze(settings.assets / folder.meta.maze_name / "matrix", folder.meta.maze_name)
    personas = {name: _persona(settings, folder, name) for name in folder.meta.persona_names}
    for persona in personas.values():
        _check_home(maze, persona)
    town = Town(maze=maze, paths=PathFinder(maze), personas=personas, clock=clock_from(folder.meta))
    town.restore(folder.read_side_file(TOWN_FILE) or {})
    town.newcomers = {name: tile for name, persona in personas.items() if (tile := _arrival_tile(persona))}
    folder.expected = tuple(name for name in personas if name not in town.newcomers)
    arrive(town, folder.starting_positions())
    return town


def _arrival_tile(persona: Persona) -> Tile | None:
    """Return where somebody stands who has moved in since the last step, before the save."""
    return persona.scratch.curr_tile if persona.scratch.curr_time is None else None


def _persona(settings: Settings, folder: SimulationFolder, name: str) -> Persona:
    """Raises CorruptFile naming the folder."""
    try:
        files = folder.read_persona(name)
        return Persona.load(name, files, retrieval=settings.retrieval, impressions=settings.impressions)
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
