"""Simulations as they were at an earlier moment: as new simulations, or only to be looked at."""

import asyncio
import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path

from ville.assembly.models import BEFORE, COMPUTING, retracing_models, seed_of, stored_breaker
from ville.assembly.own_minds import check_code
from ville.assembly.town_loading import load_town
from ville.errors import BadIntervention, BadMind, BadMoment, CorruptFile, ModelError, UnknownPersona
from ville.settings import FIELDS, Settings
from ville.simulation.interventions.planned import Planned
from ville.simulation.past_town import PastTown
from ville.simulation.running.retracing import RecordedStage, Watch, ignore_step, retrace
from ville.simulation.simulation import MINDS, Simulation
from ville.simulation.talks.said import SaidLines
from ville.simulation.town import Town
from ville.storage.files import in_words_of
from ville.storage.folder.copying import copy_past, copy_save
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import unchanged
from ville.storage.past.checkpoints import SetUp, Stem, stems
from ville.storage.past.moments import Route, check_memories, find_moment, find_route, route_through, unreachable
from ville.storage.records.looks import ready_looks
from ville.storage.steps.step_store import StepStore
from ville.storage.temporary import temporary_folder

DIVERGED = (BadMoment, BadMind, BadIntervention, UnknownPersona, ModelError, CorruptFile)
"""Errors that mean that recorded steps cannot be computed again."""


async def copy_moment(
    settings: Settings, simulation: Path, folder: Path, *, at: str, watch: Watch, links: bool = False
) -> None:  # fmt: skip
    """Fill a folder with a simulation as it was at a moment: with the files that a run stopped there would have saved.

    With `links`, what is only ever replaced is not copied but linked. Raises BadMoment if the moment cannot be reached,
    and StorageError.
    """
    route = _copy(simulation, folder, partial(_route_to, simulation, at), links=links)
    if not route.is_exact:
        await _retraced(settings, simulation, folder, route=route, watch=watch)


async def town_at(
    settings: Settings, simulation: Path, at: str, *, watch: Watch = ignore_step
) -> PastTown:  # fmt: skip
    """Return the town of a simulation as it was at a moment. Nothing is written.

    Raises BadMoment if the moment cannot be reached, and StorageError.
    """
    with _copy_of(simulation) as folder:
        route = _copy(simulation, folder, partial(_route_to, simulation, at), all_steps=False)
        if not route.is_exact:
            town = await _retraced(settings, simulation, folder, route=route, watch=watch)
        copied = SimulationFolder(folder)
        if route.is_exact:
            town = load_town(settings, copied)
        return PastTown(town, seed_of(replace(settings, seed=None), copied))


@contextmanager
def _copy_of(simulation: Path) -> Iterator[Path]:
    """Yield a temporary folder for a copy of a simulation. Errors name the simulation."""
    with temporary_folder() as temporary:
        folder = temporary / simulation.name
        folder.mkdir()
        with in_words_of(folder, simulation):
            yield folder


def _copy(
    simulation: Path, folder: Path, find: Callable[[], Route], *, all_steps: bool = True, links: bool = False
) -> Route:  # fmt: skip
    """Fill a folder with the save at which a route begins, and the files of steps up to its end: of all of them, or
    only of those that it takes to compute the next ones. Return the route.

    Another program may go on with the simulation: its saves wait until the route is found and the save is copied.
    Raises StorageError.
    """
    with unchanged(simulation):
        route = find()
        if route.start is None:
            steps = copy_save(simulation, folder, keep_plan=True, links=links)
        else:
            steps = copy_past(simulation, folder, route.start, end=route.end, links=links)
    first = 0 if all_steps else max(0, (route.start or route.end).step - 1)
    StepStore(simulation).copy(folder, range(first, steps.stop), links=links)
    return route


async def _retraced(settings: Settings, simulation: Path, folder: Path, *, route: Route, watch: Watch) -> Town:
    """Bring a folder from the start of a route to its end, save it there, and return its town."""
    try:
        for set_up, end in _parts(route):
            retraced = _open(settings, simulation, folder, set_up=set_up)
            try:
                await retrace(retraced, end, watch)
                await retraced.settle()
                retraced.save()
            finally:
                await retraced.close()
        with unchanged(simulation):
            check_memories(folder, simulation)
    except DIVERGED as fault:
        raise unreachable(simulation, route.end, str(fault)) from fault
    return retraced.town


def _parts(route: Route) -> Iterator[tuple[SetUp, Stem]]:
    """Yield how the steps of a route were computed, and until when."""
    begun = [set_up for set_up in route.set_ups if set_up.step < route.end.step]
    for set_up, following in zip_longest(begun or route.set_ups[:1], begun[1:]):
        yield set_up, Stem(following.step) if following else route.end


Prepare = Callable[[Simulation], None]
"""Called with a copy of a simulation before its steps are computed again: to listen to it, or to change its models."""


async def steps_again(
    settings: Settings, simulation: Path, steps: range, *, prepare: Prepare
) -> AsyncGenerator[int, None]:
    """Compute steps of a simulation again, in a copy, and yield the number of each once it is computed.

    Raises BadMoment if the steps cannot be computed again, and StorageError.
    """
    step = steps.start
    while step < steps.stop:
        later = (stem.step for stem in stems(simulation) if stem.step > step)
        end = Stem(min(next(later, steps.stop), steps.stop))
        with _copy_of(simulation) as folder:
            route = _copy(simulation, folder, partial(route_through, simulation, step, end), all_steps=False)
            for set_up, last in _parts(route):
                retraced = _open(settings, simulation, folder, set_up=set_up)
                prepare(retraced)
                try:
                    while retraced.clock.step < last.step:
                        step_report = await retraced.advance()
                        await retraced.settle()  # what is asked in a step belongs to it
                        yield step_report.step
                    retraced.save()
                finally:
                    await retraced.close()
        step = end.step


@dataclass(frozen=True)
class BranchingPoint:
    """A temporary copy of a simulation as it was before a step, from which it may go any number of other ways."""

    settings: Settings
    simulation: Path
    folder: Path
    set_up: SetUp

    @asynccontextmanager
    async def way(self) -> AsyncIterator[Simulation]:
        """Yield a copy that may go another way; nothing of it is kept. Raises BadMoment, and StorageError."""
        with _copy_of(self.simulation) as folder:
            shutil.copytree(self.folder, folder, dirs_exist_ok=True)
            stage = RecordedStage(SimulationFolder(folder))
            stage.diverges = True
            branched = _open(self.settings, self.simulation, folder, set_up=self.set_up, stage=stage)
            try:
                yield branched
            except DIVERGED as fault:
                raise BadMoment(str(fault)) from fault
            finally:
                await branched.close()


@contextmanager
def branching_point(settings: Settings, simulation: Path, step: int, *, until: int) -> Iterator[BranchingPoint]:
    """Yield a copy of a simulation as it was before a step, with the interventions up to a later one still ahead.

    Use it only in a thread without a running event loop. Raises BadMoment if the step cannot be reached, and
    StorageError.
    """
    with _copy_of(simulation) as folder:
        end = Stem(until)
        route = _copy(simulation, folder, partial(route_through, simulation, step, end), all_steps=False)
        set_up = [each for each in route.set_ups if each.step <= step][-1]
        asyncio.run(_reach(settings, simulation, folder, set_up=set_up, step=step))
        yield BranchingPoint(settings, simulation, folder, set_up)


async def _reach(settings: Settings, simulation: Path, folder: Path, *, set_up: SetUp, step: int) -> None:
    """Bring a copy to a step, and save it there. Raises BadMoment, and StorageError."""
    retraced = _open(settings, simulation, folder, set_up=set_up)
    try:
        while retraced.clock.step < step:
            await retraced.advance()
        await retraced.settle()
        retraced.save()
    except DIVERGED as fault:
        raise BadMoment(str(fault)) from fault
    finally:
        await retraced.close()


def _route_to(simulation: Path, at: str) -> Route:
    return find_route(simulation, find_moment(simulation, at))


def _open(
    settings: Settings, simulation: Path, folder: Path, *, set_up: SetUp, stage: RecordedStage | None = None
) -> Simulation:  # fmt: skip
    """Open a copy of a simulation, to compute steps again as they were computed. Raises a ReverieError."""
    own = {name: set_up.settings.get(name, BEFORE.get(name, FIELDS[name].default)) for name in COMPUTING}
    settings = replace(settings, seed=set_up.seed, language=set_up.language, minds="", **own)
    copied = SimulationFolder(folder)
    models, services = retracing_models(settings, simulation, set_up)
    services = replace(
        services,
        breaker=stored_breaker(settings, copied),
        looks=ready_looks(settings.assets),
        storage=simulation.parent,
        set_up=set_up,
    )
    stage = stage or RecordedStage(copied)
    minds = set_up.settings.get(MINDS, {})
    town = load_town(settings, copied, minds)
    check_code(simulation.name, minds, town.modules)
    retraced = Simulation(
        folder=copied, lock=None, town=town, models=models, services=services, stage=stage, said=SaidLines(),
    )  # fmt: skip
    if set_up.ahead is not None and set_up.step >= retraced.clock.step:
        retraced.plan(Planned.from_row(row, f"{simulation}: plan", logged=False) for row in set_up.ahead)
    return retraced
