"""Open simulations: build folder, town, models and stage from settings. The only module that knows all packages."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ville.analysis.metric_files import write_metrics
from ville.assembly import providers
from ville.assembly.idle_settings import idle_settings
from ville.assembly.models import (
    configured_models,
    fitting,
    replaying_models,
    set_up_of,
    stored_breaker,
)
from ville.assembly.moments import fork_moment
from ville.assembly.new_vectors import Agree, agree_on_vectors, check_vectors, make_vectors
from ville.assembly.policies import share_policies
from ville.assembly.town import load_town
from ville.errors import BadMoment, CorruptFile, SavedMeanwhile
from ville.llm.common_budget import CommonBudget
from ville.persona.prompt_template.question import check_templates
from ville.settings import Settings
from ville.simulation.circumstances import Circumstances, check_planned
from ville.simulation.intake import Planned, planned_again
from ville.simulation.intervention_file import read_interventions
from ville.simulation.retracing import Watch, ignore_step
from ville.simulation.said import SaidLines
from ville.simulation.simulation import POOL, Simulation
from ville.simulation.stage import BrowserStage, HeadlessStage
from ville.storage.branches import BRANCH, read_branch
from ville.storage.checkpoints import digest_at, stems
from ville.storage.files import pretty, write_text
from ville.storage.intervention_log import InterventionLog, rows_in_save
from ville.storage.lock import Lock
from ville.storage.looks import ready_looks
from ville.storage.moments import END, NamedMoment, find_moment, find_route, split_moment
from ville.storage.simulation_folder import SimulationFolder
from ville.storage.storage import check_new, delete, find, fork, resume, unchanged
from ville.storage.temp_storage import TempStorage

Notice = Callable[[str], None]
TRIES, PAUSE = 60, 0.5
"""How often, and after how many seconds, a moment is copied again of a simulation that is saved meanwhile."""
MANY_STEPS = 2000
"""Number of steps whose files take noticeable time to copy."""


def ignore_line(_line: str) -> None:
    """No-op: nobody is told."""


class StepsToCopy(NamedTuple):
    """What a fork has to do before it can begin."""

    copied: int
    """Steps whose files are copied; 0 if they are few."""
    computed: int
    """Steps that are computed again."""


class RecordedRun(NamedTuple):
    """A simulation that can be replayed."""

    origin: str
    """The simulation it was forked from, with the moment if that has gone on since."""
    steps: int


def announcement(settings: Settings, recording: str = "") -> str:
    """Return the first lines of a run: its models, and models without a price. Raises SetupError."""
    if recording:
        return f"All answers are replayed from {recording}. No model is called."
    return "\n".join(filter(None, [providers.announcement(settings), providers.check_prices(settings)]))


def recorded_run(settings: Settings, recording: str) -> RecordedRun:
    """Return origin and number of steps of a recorded simulation. Raises StorageError."""
    recorded = find(settings.fs_storage, recording)
    branch = read_branch(recorded.root)
    origin = find(settings.fs_storage, branch.origin if branch else recorded.meta.fork_sim_code)
    begins = branch.step if branch else origin.meta.step
    earlier = branch and branch.step < origin.meta.step
    name = str(NamedMoment(origin.name, str(begins))) if earlier else origin.name
    return RecordedRun(name, max(0, recorded.meta.step - begins))


def open_simulation(
    settings: Settings,
    origin: str,
    name: str,
    notice: Notice | None = None,
    *,
    recording: str = "",
    interventions: Path | None = None,
    title: str = "",
    budget: CommonBudget | None = None,
) -> Simulation:
    """Resume a simulation (`origin` equals `name`), or fork a new one, and lock it until it is closed.

    With `notice`, it is shown in a browser; the function is called when a browser connects or disconnects. With
    `recording`, the name of another simulation, all answers come from its ledger, and its interventions are applied
    again. `interventions` is a file of planned ones, which replace those planned earlier. `title` says what a fork is
    for. `budget` is one that other simulations share. Raises a ReverieError; a new simulation is deleted then.
    """
    with ExitStack() as undo:
        lock = _lock(settings, origin, name, undo)
        if origin != name and not recording:
            check_vectors(settings, find(settings.fs_storage, origin))
        folder = _folder(settings, origin, name, undo)
        simulation = _opened(settings, folder, lock, notice=notice, recording=recording, budget=budget)
        _prepare(
            settings, simulation, is_fork=origin != name, recording=recording, interventions=interventions, title=title
        )
        undo.pop_all()
    return simulation


async def open_at(
    settings: Settings,
    origin: str,
    name: str,
    notice: Notice | None = None,
    *,
    recording: str = "",
    interventions: Path | None = None,
    title: str = "",
    watch: Watch = ignore_step,
    added: Sequence[Planned] = (),
    request: str = "",
    budget: CommonBudget | None = None,
    agree: Agree | None = None,
    say: Callable[[str], None] = ignore_line,
) -> Simulation:
    """Open a simulation as `open_simulation` does, also as a fork of a moment (`two_days@18:00`).

    Vectors that the embedder cannot use are made anew. `agree` asks the user if that costs money, before anything is
    copied; without it, the settings have to agree. `watch` is called with every step that is computed again on the way
    to a moment. `added` are interventions that are planned beside the others. `request` is the id of the request that a
    fork of a moment is for. `budget` is one that other simulations share. `say` is told
    what takes noticeable time before it is begun. Raises a ReverieError.
    """
    named = split_moment(origin)
    with ExitStack() as undo:
        lock = _lock(settings, origin, name, undo)
        if not recording:
            await agree_on_vectors(settings, origin, name, agree)
        for line in copy_notice(settings, origin, name):
            say(line)
        if named.at is None:
            folder = _folder(settings, origin, name, undo)
        else:
            folder = await _forked_at(settings, named, name, undo=undo, watch=watch, request=request)
        made = await make_vectors(settings, folder, recording, budget=budget)
        simulation = _opened(settings, folder, lock, notice=notice, recording=recording, budget=budget)
        simulation.notes = made
        _prepare(
            settings, simulation, is_fork=origin != name, recording=recording, interventions=interventions, title=title,
            added=added,
        )  # fmt: skip
        undo.pop_all()
    return simulation


def _prepare(
    settings: Settings,
    simulation: Simulation,
    *,
    is_fork: bool,
    recording: str,
    interventions: Path | None,
    title: str,
    added: Sequence[Planned] = (),
) -> None:
    """Give a simulation that was opened its pools and planned interventions, and save it if it is new."""
    simulation.notes += () if recording else idle_settings(settings)
    if settings.metrics and simulation.services.ledgers:
        simulation.after_save = partial(write_metrics, simulation.folder)
    share_policies(settings, simulation, recording, is_fork=is_fork)
    _plan_interventions(settings, simulation, recording, interventions)
    _plan_more(simulation, added)
    if is_fork or _is_unnoted(simulation.folder):
        _save_new(simulation, settings, title)


async def _forked_at(
    settings: Settings, named: NamedMoment, name: str, *, undo: ExitStack, watch: Watch = ignore_step, request: str = ""
) -> SimulationFolder:
    """Return the folder of a fork of a moment, which `undo` deletes."""
    source = find(settings.fs_storage, named.name).root
    for tries_left in reversed(range(TRIES)):
        there = stems(source)
        try:
            moment = find_moment(source, named.at or END)
            folder = await fork_moment(settings, source, name, moment=moment, watch=watch, request=request)
            break
        except (SavedMeanwhile, CorruptFile) as fault:
            saved = isinstance(fault, SavedMeanwhile) or stems(source) != there  # or a checkpoint was removed
            if not saved or not tries_left:
                raise
            await asyncio.sleep(PAUSE)
    undo.callback(delete, folder)
    return _with_settings(folder, settings)


def _lock(settings: Settings, origin: str, name: str, undo: ExitStack) -> Lock:
    """Check what can be checked before a fork, which may be tens of thousands of files, and lock the name."""
    check_templates()
    check_names(settings, origin, name)
    lock = undo.enter_context(Lock(settings.fs_storage / name))
    if origin != name:
        find(settings.fs_storage, split_moment(origin).name).check_cast()
    return lock


def _is_unnoted(folder: SimulationFolder) -> bool:
    """Return whether the program was killed after it had made a fork and before it noted how."""
    branch = read_branch(folder.root)
    return branch is not None and branch.seed is None and branch.step == folder.meta.step


def _save_new(simulation: Simulation, settings: Settings, title: str = "") -> None:
    """Save a fork with its own seed, and note what it was forked from."""
    root, set_up = simulation.folder.root, simulation.services.set_up
    branch = read_branch(root)
    digest = branch.digest or digest_at(root, branch.moment) if branch else ""
    simulation.save_seed()
    if branch:
        used = {"chat": set_up.chat, "embedder": set_up.embedder, "language": set_up.language, **set_up.settings}
        used |= {POOL: simulation.pool} if simulation.pool else {}
        noted = {
            "digest": digest,
            "seed": set_up.seed,
            "settings": used,
            "answers": settings.branch_answers or branch.answers,
        }
        content = branch.model_copy(update={**noted, "title": title}).as_json()
        write_text(root / "reverie" / BRANCH, pretty(content), fsync=settings.fsync)


def _plan_interventions(settings: Settings, simulation: Simulation, recording: str, file: Path | None) -> None:
    """Plan the interventions of a recording, or those of a file. Raises CorruptFile or BadIntervention."""
    if recording:
        reverie = find(settings.fs_storage, recording).root / "reverie"
        log, last = InterventionLog(reverie), rows_in_save(reverie)
        simulation.plan(planned_again(log, simulation.intake.applied, last, logged=False))
    if file is not None:
        planned = read_interventions(file, simulation.clock)
        check_planned(planned, Circumstances.of(simulation.target()))
        simulation.plan([*simulation.intake.ahead, *planned] if recording else planned)


def _plan_more(simulation: Simulation, added: Sequence[Planned]) -> None:
    """Plan interventions beside those that are planned already. Raises BadIntervention."""
    if added:
        check_planned(added, Circumstances.of(simulation.target()))
        simulation.plan([*simulation.intake.ahead, *added])


def _folder(settings: Settings, origin: str, name: str, undo: ExitStack) -> SimulationFolder:
    """Return the folder of a saved simulation, or of a fork that `undo` deletes."""
    if origin == name:
        folder = resume(settings.fs_storage, name)
    else:
        folder = fork(settings.fs_storage, origin, name)
        undo.callback(delete, folder)
    return _with_settings(folder, settings)


def _with_settings(folder: SimulationFolder, settings: Settings) -> SimulationFolder:
    """Return a folder that saves as the settings say."""
    folder.fsync, folder.checkpoints.keep = settings.fsync, settings.checkpoints
    return folder


def copy_notice(settings: Settings, origin: str, name: str) -> list[str]:
    """Return a notice about a fork that takes noticeable time. Raises StorageError."""
    if origin == name:
        return []
    steps, again = steps_to_copy(settings, origin, name)
    copied = [f"Copying the {steps:,} steps of {origin} ..."] if steps else []
    return [*copied, *([f"Computing {again:,} of them again ..."] if again else [])]


def steps_to_copy(settings: Settings, origin: str, name: str) -> StepsToCopy:
    """Return how many steps a fork copies and computes again, if that takes noticeable time. Raises StorageError."""
    if origin == name:
        return StepsToCopy(0, 0)
    named = split_moment(origin)
    source = find(settings.fs_storage, named.name)
    steps, again = source.meta.step, 0
    if named.at is not None:
        with suppress(SavedMeanwhile, CorruptFile), unchanged(source.root):  # opening it says what is wrong
            route = find_route(source.root, find_moment(source.root, named.at))
            steps, again = route.end.step, route.steps
    return StepsToCopy(steps if steps >= MANY_STEPS else 0, again)


def check_names(settings: Settings, origin: str, name: str) -> None:
    """Raise StorageError unless `origin`, or its moment, exists and `name` is free, or both are the same."""
    named = split_moment(origin)
    source = find(settings.fs_storage, named.name)
    if named.at is not None:
        find_moment(source.root, named.at)
        if named.name == name:
            template = "%(name)s cannot go back to an earlier moment. Give the new simulation another name."
            raise BadMoment(template, name=name)
    if origin != name:
        check_new(settings.fs_storage, name)


def _opened(
    settings: Settings,
    folder: SimulationFolder,
    lock: Lock,
    *,
    notice: Notice | None,
    recording: str,
    budget: CommonBudget | None,
) -> Simulation:
    folder.check_cast()
    town = load_town(settings, folder)
    if not recording:
        settings = fitting(settings, folder, town)
    models, services = (
        replaying_models(settings, recording) if recording else configured_models(settings, folder, town, budget=budget)
    )
    services = replace(
        services,
        breaker=stored_breaker(settings, folder),
        looks=ready_looks(settings.assets),
        storage=settings.fs_storage,
        set_up=set_up_of(settings, models, recording),
    )
    said = SaidLines()
    stage = _stage(settings, folder, notice, said) if notice else HeadlessStage(folder)
    return Simulation(folder=folder, lock=lock, town=town, models=models, services=services, stage=stage, said=said)


def _stage(settings: Settings, folder: SimulationFolder, notice: Notice, said: SaidLines) -> BrowserStage:
    """Return what shows a simulation in a browser; pages read in `said` when one connects or disconnects."""

    def note(line: str) -> None:
        said.add(line)
        notice(line)

    return BrowserStage(folder, TempStorage(settings.fs_temp_storage), patience=settings.patience, notice=note)
