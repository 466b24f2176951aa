"""Open simulations: build folder, town, models and stage from settings. The only module that knows all packages."""

from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ville.analysis.metric_files import write_metrics
from ville.assembly import model_choice
from ville.assembly.arrivals import brought_along
from ville.assembly.forking import (
    Beginning,
    Made,
    make_branch,
    make_fork,
    plan_interventions,
)
from ville.assembly.idle_settings import idle_settings
from ville.assembly.models import other_rules
from ville.assembly.new_vectors import Agree, agree_on_vectors, check_vectors, make_vectors
from ville.assembly.opening import Notice, opened, saving_as_set
from ville.assembly.own_minds import change_notes
from ville.assembly.policies import give_policies, resume_with_policies
from ville.assembly.provenance import run_record, with_record
from ville.assembly.town_loading import recorded_minds
from ville.errors import BadMoment, CorruptFile, SavedMeanwhile, SimulationNotFound
from ville.llm.accounting.common_budget import CommonBudget
from ville.persona.prompt_template.question import check_templates
from ville.settings import Settings
from ville.simulation.running.retracing import Watch, ignore_step
from ville.simulation.simulation import Simulation
from ville.storage.compressed.compressed_folder import find_compressed, is_recording
from ville.storage.compressed.unpacking import unpack_once
from ville.storage.folder.branches import read_branch, write_branch
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import check_new, delete, find, is_simulation, resume, unchanged
from ville.storage.past.moments import NamedMoment, find_moment, find_route, split_moment
from ville.storage.records.lock import Lock

NOTHING_MORE = Beginning()
MANY_STEPS = 2000
"""Number of steps whose files take noticeable time to copy."""


def ignore_line(_line: str) -> None:
    """No-op: there is no one to notify."""


class StepsToCopy(NamedTuple):
    """Steps that a fork has to compute before it can begin."""

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
    return "\n".join(filter(None, [model_choice.announcement(settings), model_choice.check_prices(settings)]))


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
    for. `budget` is one that other simulations share. Raises a ReverieError; there is no new simulation then.
    """
    beginning = Beginning(recording=recording, interventions=interventions, title=title)
    with ExitStack() as undo:
        lock = _lock(settings, origin, name, undo)
        if origin == name:
            simulation = _resumed(settings, name, lock, beginning, notice=notice, budget=budget)
        else:
            if not recording:
                check_vectors(settings, find(settings.fs_storage, origin))
            made = make_fork(settings, origin, name, beginning, budget=budget)
            simulation = _new(settings, made, lock, beginning, notice=notice, budget=budget)
        undo.pop_all()
    return simulation


async def open_at(
    settings: Settings,
    origin: str,
    name: str,
    notice: Notice | None = None,
    *,
    beginning: Beginning = NOTHING_MORE,
    watch: Watch = ignore_step,
    budget: CommonBudget | None = None,
    agree: Agree | None = None,
    say: Notice = ignore_line,
) -> Simulation:
    """Open a simulation as `open_simulation` does, also as a fork of a moment (`two_days@18:00`).

    Vectors that the embedder cannot use are made anew. `agree` asks the user if that costs money, before anything is
    copied; without it, the settings have to agree. `beginning` is what a new simulation begins with. `watch` is called
    with every step that is computed again on the way to a moment. `budget` is one that other simulations share. `say`
    is told what takes noticeable time before it is begun. Raises a ReverieError; there is no new simulation then.
    """
    take_up_recording(settings, origin, name, say)
    with ExitStack() as undo:
        lock = _lock(settings, origin, name, undo)
        if not beginning.recording:
            await agree_on_vectors(settings, origin, name, agree=agree, say=say)
        for line in copy_notice(settings, origin, name):
            say(line)
        if origin == name:
            made_vectors = await make_vectors(
                settings, resume(settings.fs_storage, name), beginning.recording, budget=budget
            )  # fmt: skip
            simulation = _resumed(settings, name, lock, beginning, notice=notice, budget=budget)
            simulation.notes = (*made_vectors, *simulation.notes)
        else:
            made = await make_branch(settings, split_moment(origin), name, beginning, watch=watch, budget=budget)
            simulation = _new(settings, made, lock, beginning, notice=notice, budget=budget)
        undo.pop_all()
    return simulation


def _resumed(
    settings: Settings,
    name: str,
    lock: Lock,
    beginning: Beginning,
    *,
    notice: Notice | None,
    budget: CommonBudget | None,
) -> Simulation:
    """Return a saved simulation, ready to go on."""
    recording, folder = beginning.recording, saving_as_set(resume(settings.fs_storage, name), settings)
    simulation = opened(settings, folder, lock, notice=notice, recording=recording, budget=budget)
    simulation.notes = change_notes(recorded_minds(folder), simulation.town.modules)
    resume_with_policies(settings, simulation, recording)
    plan_interventions(settings, simulation, recording, beginning.interventions)
    _set_up(settings, simulation, recording)
    _note_program(settings, folder)
    return simulation


def _note_program(settings: Settings, folder: SimulationFolder) -> None:
    """Note what a run that is resumed is computed with from now on, if that is something else than before."""
    branch = read_branch(folder.root)
    if branch:
        computed = with_record(branch.computed, run_record(settings, folder))
        if computed != branch.computed:
            write_branch(folder.root, branch.model_copy(update={"computed": computed}), fsync=settings.fsync)


def _new(
    settings: Settings,
    made: Made,
    lock: Lock,
    beginning: Beginning,
    *,
    notice: Notice | None,
    budget: CommonBudget | None,
) -> Simulation:
    """Return a simulation that has just been made; if it cannot be opened, it is deleted."""
    with ExitStack() as undo:
        undo.callback(delete, made.folder)
        simulation = opened(
            settings, made.folder, lock,
            town=made.town, notice=notice, recording=beginning.recording, budget=budget,
        )  # fmt: skip
        simulation.notes, simulation.is_new = made.notes, True
        _set_up(settings, simulation, beginning.recording)
        undo.pop_all()
    return simulation


def _set_up(settings: Settings, simulation: Simulation, recording: str) -> None:
    """Note what comes from elsewhere, and settings that change nothing; let saves write metrics and the end give
    policies, if that is set.
    """
    folder = simulation.folder
    source = settings.fs_storage / folder.meta.fork_sim_code if simulation.is_new else folder.root
    simulation.notes = (*brought_along(settings, simulation, source), *simulation.notes)
    if not recording:
        changed = () if simulation.is_new else other_rules(settings, folder)
        simulation.notes += (*changed, *_kept_embedder(settings, simulation), *idle_settings(settings))
    if settings.metrics and simulation.services.ledgers:
        simulation.after_save = partial(write_metrics, simulation.folder)
    give_policies(settings, simulation, recording)


def _kept_embedder(settings: Settings, simulation: Simulation) -> tuple[str, ...]:
    """Return a line if a simulation goes on with another embedder than a new one would begin with."""
    default, kept = model_choice.embedder_name(settings), simulation.models.embedder.name
    if default == kept:
        return ()
    return (f"{simulation.folder.name} keeps the vectors of {kept}. To get those of {default}, use --re-embed.",)


def _lock(settings: Settings, origin: str, name: str, undo: ExitStack) -> Lock:
    """Check what can be checked before a fork, which may be tens of thousands of files, and lock the name."""
    check_templates()
    check_names(settings, origin, name)
    lock = undo.enter_context(Lock(settings.fs_storage / name))
    if origin != name:
        source = settings.fs_storage / split_moment(origin).name
        with unchanged(source):
            SimulationFolder(source).check_cast()
    return lock


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


def take_up_recording(settings: Settings, origin: str, name: str, say: Notice = ignore_line) -> None:
    """Make a recording a saved simulation, if it is to be forked as `name`, also at a moment, and nothing else has its
    name. Raises StorageError.
    """
    named = split_moment(origin).name
    if origin == name or is_simulation(settings.fs_storage, named) or not is_recording(settings.replays, named):
        return
    say(f"{named} is a recording. It becomes a saved simulation, too, so that it can be forked.")
    unpack_once(find_compressed(settings.replays, named).root, settings.fs_storage / named, packs=settings.pack_steps)


def check_names(settings: Settings, origin: str, name: str) -> None:
    """Raise StorageError unless `origin`, or its moment, exists and `name` is free, or both are the same."""
    named = split_moment(origin)
    try:
        source = find(settings.fs_storage, named.name)
    except SimulationNotFound as fault:
        if origin != name:
            raise
        template = "%(fault)s Fork one of them to begin it: give its name first, and then '%(name)s'."
        raise SimulationNotFound(template, fault=fault, name=name) from None
    if named.at is not None:
        with unchanged(source.root):
            find_moment(source.root, named.at)
        if named.name == name:
            template = "%(name)s cannot go back to an earlier moment. Give the new simulation another name."
            raise BadMoment(template, name=name)
    if origin != name:
        check_new(settings.fs_storage, name)
