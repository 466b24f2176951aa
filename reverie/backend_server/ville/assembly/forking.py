"""Make new simulations: whole, in a hidden folder that gets its name as the last act, or not at all."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ville.assembly.at_moment import copy_moment
from ville.assembly.new_vectors import make_vectors
from ville.assembly.opening import opened, saving_as_set
from ville.assembly.policies import begin_with_policies
from ville.assembly.provenance import run_record
from ville.errors import SavedMeanwhile
from ville.llm.accounting.common_budget import CommonBudget
from ville.settings import Settings
from ville.simulation.interventions.circumstances import Circumstances
from ville.simulation.interventions.intervention import Source
from ville.simulation.interventions.intervention_file import read_interventions
from ville.simulation.interventions.planned import Planned, planned_again
from ville.simulation.interventions.prepare import check_planned
from ville.simulation.running.retracing import Watch, ignore_step
from ville.simulation.simulation import Simulation
from ville.simulation.talks.whispers import planned_history
from ville.simulation.town import Town
from ville.storage.files import flush, in_words_of
from ville.storage.folder.branches import read_branch, write_branch
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import copy_whole, find
from ville.storage.new_folder import new_folder
from ville.storage.past.checkpoints import digest_at
from ville.storage.past.moments import NamedMoment
from ville.storage.records.intervention_log import InterventionLog, rows_in_save
from ville.storage.records.title import write_title

TRIES, PAUSE = 60, 0.5
"""How often, and after how many seconds, a moment is copied again of what an older engine saves meanwhile."""


class BeginningHistory(NamedTuple):
    """A past that everyone is told before the first step."""

    file: Path
    source: Source


@dataclass(frozen=True, kw_only=True)
class Beginning:
    """Contents of a new simulation, besides those of its origin."""

    recording: str = ""
    """Simulation whose interventions are applied again."""
    interventions: Path | None = None
    """File of planned ones."""
    added: Sequence[Planned] = ()
    """Those planned beside them."""
    history: BeginningHistory | None = None
    title: str = ""
    """Purpose or title."""
    request: str = ""
    """Id of the request that it is made for."""
    links: bool = False
    """Whether files that are only ever replaced are not copied but linked."""


class Made(NamedTuple):
    """A new simulation that has its name."""

    folder: SimulationFolder
    town: Town
    notes: tuple[str, ...]


def make_fork(
    settings: Settings, origin: str, name: str, beginning: Beginning, *, budget: CommonBudget | None = None
) -> Made:
    """Make a simulation that begins where another was last saved, and has all vectors that it needs. Raises a
    ReverieError; there is none then.
    """
    source = find(settings.fs_storage, origin).root
    with _new(source, name) as folder:
        copy_whole(source, folder)
        made = _begun(settings, _folder(settings, folder, name), beginning, budget)
    return _named(settings, made)


async def make_branch(
    settings: Settings,
    named: NamedMoment,
    name: str,
    beginning: Beginning,
    *,
    watch: Watch = ignore_step,
    budget: CommonBudget | None = None,
) -> Made:
    """Make a simulation that begins where another was last saved, or at a moment of it, with the vectors that it needs.
    Raises a ReverieError; there is none then.
    """
    source = find(settings.fs_storage, named.name).root
    for tries_left in reversed(range(TRIES)):
        try:
            with _new(source, name) as root:
                if named.at is None:
                    copy_whole(source, root, links=beginning.links)
                else:
                    await copy_moment(settings, source, root, at=named.at, watch=watch, links=beginning.links)
                folder = _folder(settings, root, name)
                vectors = await make_vectors(settings, folder, beginning.recording, budget=budget)
                made = _begun(settings, folder, beginning, budget)
            return _named(settings, made, notes=vectors)
        except SavedMeanwhile:
            if not tries_left:
                raise
        await asyncio.sleep(PAUSE)
    raise AssertionError


@contextmanager
def _new(source: Path, name: str) -> Iterator[Path]:
    """Yield the hidden folder of a new simulation, which gets its name at the end. Errors name what is copied."""
    target = source.with_name(name)
    with new_folder(target) as folder, in_words_of(folder, source, written=target):
        yield folder


def _folder(settings: Settings, root: Path, name: str) -> SimulationFolder:
    """Return a copy of another simulation by the name that it will have."""
    folder = saving_as_set(SimulationFolder(root), settings)
    folder.name = name
    folder.recover()
    return folder


def _begun(settings: Settings, folder: SimulationFolder, beginning: Beginning, budget: CommonBudget | None) -> Made:
    """Complete a copy of another simulation, so that it goes on as the settings say when it is resumed."""
    simulation = opened(settings, folder, recording=beginning.recording, budget=budget)
    try:
        begin_with_policies(settings, simulation, beginning.recording)
        plan_interventions(settings, simulation, beginning.recording, beginning.interventions)
        plan_more(simulation, beginning.added)
        if beginning.history:
            plan_more(simulation, [planned_history(simulation, *beginning.history)])
        _save(simulation, settings, beginning)
    finally:
        simulation.close_files()
    return Made(folder, simulation.town, simulation.notes)


def _save(simulation: Simulation, settings: Settings, beginning: Beginning) -> None:
    """Save a fork with its own seed, and note what it was forked from."""
    root = simulation.folder.root
    branch = read_branch(root)
    digest = branch.digest or digest_at(root, branch.moment) if branch else ""
    simulation.save()
    if branch:
        answers, own = (
            settings.branch_answers or branch.answers,
            {"title": beginning.title, "request": beginning.request},
        )
        computed = [run_record(settings, simulation.folder)]
        noted = branch.model_copy(update={"digest": digest, "answers": answers, "computed": computed, **own})
        write_branch(root, simulation.noted(noted), fsync=settings.fsync)
    if beginning.title:
        write_title(root, beginning.title)


def _named(settings: Settings, made: Made, *, notes: tuple[str, ...] = ()) -> Made:
    """Return what was made, now that its folder has its name."""
    made.folder.moved(settings.fs_storage / made.folder.name)
    flush([settings.fs_storage] if settings.fsync else [])
    return made._replace(notes=(*notes, *made.notes))


def plan_interventions(settings: Settings, simulation: Simulation, recording: str, file: Path | None) -> None:
    """Plan the interventions of a recording, or those of a file. Raises CorruptFile or BadIntervention."""
    if recording:
        reverie = find(settings.fs_storage, recording).root / "reverie"
        log, last = InterventionLog(reverie), rows_in_save(reverie)
        simulation.plan(planned_again(log, simulation.intake.applied, last, logged=False))
    if file is not None:
        planned = read_interventions(file, simulation.clock)
        check_planned(planned, Circumstances.of(simulation.target()))
        simulation.plan([*simulation.intake.ahead, *planned] if recording else planned)


def plan_more(simulation: Simulation, added: Sequence[Planned]) -> None:
    """Plan interventions beside those that are planned already. Raises BadIntervention."""
    if added:
        check_planned(added, Circumstances.of(simulation.target()))
        simulation.plan([*simulation.intake.ahead, *added])
