"""Put a simulation together from its folder: town, models, services and stage."""

from collections.abc import Callable
from dataclasses import replace

from ville.assembly.models import (
    configured_models,
    fitting,
    replaying_models,
    set_up_of,
    stored_breaker,
    with_embedder,
    with_rules,
)
from ville.assembly.town_loading import load_town, recorded_minds
from ville.llm.accounting.common_budget import CommonBudget
from ville.settings import Settings
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.stage import BrowserStage, HeadlessStage
from ville.simulation.talks.said import SaidLines
from ville.simulation.town import Town
from ville.storage.exchange.temp_storage import TempStorage
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import find
from ville.storage.records.lock import Lock
from ville.storage.records.looks import ready_looks

Notice = Callable[[str], None]


def opened(
    settings: Settings,
    folder: SimulationFolder,
    lock: Lock | None = None,
    *,
    town: Town | None = None,
    notice: Notice | None = None,
    recording: str = "",
    budget: CommonBudget | None = None,
) -> Simulation:
    """Return the simulation of a folder; `town` if it has been loaded already. Raises a ReverieError."""
    settings = with_rules(settings, find(settings.fs_storage, recording) if recording else folder)
    if town is None:
        folder.check_cast()
        town = load_town(settings, folder, minds=_minds_of(settings, recording))
    if not recording:
        settings = fitting(with_embedder(settings, folder), folder, town)
    models, services = (
        replaying_models(settings, recording) if recording else configured_models(settings, folder, town, budget=budget)
    )
    services = replace(
        services,
        breaker=stored_breaker(settings, folder),
        looks=ready_looks(settings.assets),
        storage=settings.fs_storage,
        set_up=set_up_of(settings, models, recording, minds=town.modules.record),
    )
    said = SaidLines()
    stage = _stage(settings, folder, notice, said) if notice else HeadlessStage(folder)
    simulation = Simulation(
        folder=folder, lock=lock, town=town, models=models, services=services, stage=stage, said=said
    )
    simulation.schedule = settings.schedule
    return simulation


def _minds_of(settings: Settings, recording: str) -> object:
    """Return the parts of minds that a recording was made with; None without a recording."""
    return (recorded_minds(find(settings.fs_storage, recording)) or {}) if recording else None


def saving_as_set(folder: SimulationFolder, settings: Settings) -> SimulationFolder:
    """Return a folder that saves as the settings say."""
    folder.fsync, folder.checkpoints.keep = settings.fsync, settings.checkpoints
    folder.packs_steps, folder.packs_people = settings.pack_steps, settings.pack_people
    return folder


def _stage(settings: Settings, folder: SimulationFolder, notice: Notice, said: SaidLines) -> BrowserStage:
    """Return what shows a simulation in a browser; pages read in `said` when one connects or disconnects."""

    def note(line: str) -> None:
        said.add(line)
        notice(line)

    return BrowserStage(folder, TempStorage(settings.fs_temp_storage), patience=settings.patience, notice=note)
