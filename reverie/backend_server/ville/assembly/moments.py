"""Simulations as they were at an earlier moment: as new simulations, or only to be looked at."""

from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from ville.assembly.models import COMPUTING, retracing_models, seed_of, stored_breaker
from ville.assembly.town import load_town
from ville.errors import BadIntervention, BadMoment, CannotWrite, CorruptFile, ModelError, UnknownPersona
from ville.llm.gateway import Chat
from ville.settings import FIELDS, Settings
from ville.simulation.intake import Planned
from ville.simulation.past_town import PastTown
from ville.simulation.retracing import RecordedStage, Watch, ignore_step, retrace
from ville.simulation.said import SaidLines
from ville.simulation.simulation import Simulation
from ville.simulation.town import Town
from ville.storage.branches import note_request
from ville.storage.checkpoints import SetUp, Stem, stems
from ville.storage.copying import copy_past, copy_save
from ville.storage.files import new_folder
from ville.storage.looks import ready_looks
from ville.storage.moments import Route, check_memories, find_route, unreachable
from ville.storage.simulation_folder import SimulationFolder
from ville.storage.storage import resume, unchanged

ATTEMPTS = 3
"""How often a simulation is copied that is saved meanwhile."""
DIVERGED = (BadMoment, BadIntervention, UnknownPersona, ModelError, CorruptFile)
"""Errors that mean that recorded steps cannot be computed again."""


async def fork_moment(
    settings: Settings, simulation: Path, name: str, *, moment: Stem, watch: Watch, request: str = ""
) -> SimulationFolder:
    """Create a simulation that begins at a moment of another one, atomically.

    It has the files that a run stopped there would have saved; `request` is noted in its branch.json. Raises BadMoment
    if the moment cannot be reached, and StorageError; there is no new simulation then.
    """
    with unchanged(simulation):
        route = find_route(simulation, moment)
    with new_folder(simulation.with_name(name)) as folder:
        _copy(simulation, folder, route)
        if not route.is_exact:
            await _retraced(settings, simulation, folder, route=route, watch=watch)
        note_request(folder, request)
    return resume(simulation.parent, name)


async def town_at(
    settings: Settings, simulation: Path, moment: Stem, *, watch: Watch = ignore_step
) -> PastTown:  # fmt: skip
    """Return the town of a simulation as it was at a moment. Nothing is written.

    Raises BadMoment if the moment cannot be reached, and StorageError.
    """
    with unchanged(simulation):
        route = find_route(simulation, moment)
    with TemporaryDirectory(prefix="ville-") as temporary:
        folder = Path(temporary) / simulation.name
        folder.mkdir()
        _copy(simulation, folder, route, first_step=max(0, (route.start or moment).step - 1))
        if not route.is_exact:
            town = await _retraced(settings, simulation, folder, route=route, watch=watch)
        copied = SimulationFolder(folder)
        if route.is_exact:
            town = load_town(settings, copied)
        return PastTown(town, seed_of(replace(settings, seed=None), copied))


def _copy(simulation: Path, folder: Path, route: Route, *, first_step: int = 0) -> None:
    """Fill a folder with the save at which a route begins, and the step files up to its end.

    Another program may save the simulation meanwhile. Raises StorageError.
    """
    for attempt in range(ATTEMPTS):
        try:
            with unchanged(simulation):
                if route.start is None:
                    copy_save(simulation, folder, keep_plan=True)
                else:
                    copy_past(simulation, folder, route.start, end=route.end, first_step=first_step)
        except CannotWrite:
            if attempt + 1 == ATTEMPTS:
                raise
        else:
            return


async def _retraced(settings: Settings, simulation: Path, folder: Path, *, route: Route, watch: Watch) -> Town:
    """Bring a folder from the start of a route to its end, save it there, and return its town."""
    try:
        for set_up, end in _parts(route):
            retraced = _open(settings, simulation, folder, set_up=set_up)
            try:
                await retrace(retraced, end, watch)
                retraced.save()
            finally:
                await retraced.close()
        check_memories(folder, simulation)
    except DIVERGED as fault:
        raise unreachable(simulation, route.end, str(fault)) from fault
    return retraced.town


def _parts(route: Route) -> Iterator[tuple[SetUp, Stem]]:
    """Yield how the steps of a route were computed, and until when."""
    begun = [set_up for set_up in route.set_ups if set_up.step < route.end.step]
    for set_up, following in zip_longest(begun or route.set_ups[:1], begun[1:]):
        yield set_up, Stem(following.step) if following else route.end


async def steps_again(
    settings: Settings, simulation: Path, steps: range, *, around: Callable[[Chat], Chat]
) -> AsyncGenerator[int, None]:
    """Compute steps of a simulation again, in a copy, and yield the number of each once it is computed.

    `around` wraps what answers questions. Raises BadMoment if the steps cannot be computed again, and StorageError.
    """
    step = steps.start
    while step < steps.stop:
        later = (stem.step for stem in stems(simulation) if stem.step > step)
        end = Stem(min(next(later, steps.stop), steps.stop))
        route = replace(find_route(simulation, Stem(step + 1)), end=end)
        with TemporaryDirectory(prefix="ville-") as temporary:
            folder = Path(temporary) / simulation.name
            folder.mkdir()
            _copy(simulation, folder, route, first_step=max(0, (route.start or end).step - 1))
            for set_up, last in _parts(route):
                retraced = _open(settings, simulation, folder, set_up=set_up, around=around)
                try:
                    while retraced.clock.step < last.step:
                        yield (await retraced.advance()).step
                    retraced.save()
                finally:
                    await retraced.close()
        step = end.step


def _open(
    settings: Settings,
    simulation: Path,
    folder: Path,
    *,
    set_up: SetUp,
    around: Callable[[Chat], Chat] = lambda chat: chat,
) -> Simulation:
    """Open a copy of a simulation, to compute steps again as they were computed. Raises a ReverieError."""
    own = {name: set_up.settings.get(name, FIELDS[name].default) for name in COMPUTING}
    settings = replace(settings, seed=set_up.seed, language=set_up.language, **own)
    copied = SimulationFolder(folder)
    models, services = retracing_models(settings, simulation, set_up)
    services = replace(
        services,
        breaker=stored_breaker(settings, copied),
        looks=ready_looks(settings.assets),
        storage=simulation.parent,
        set_up=set_up,
    )
    stage = RecordedStage(copied)
    town = load_town(settings, copied)
    retraced = Simulation(
        folder=copied, lock=None, town=town, models=replace(models, chat=around(models.chat)), services=services,
        stage=stage, said=SaidLines(),
    )  # fmt: skip
    if set_up.ahead is not None and set_up.step >= retraced.clock.step:
        retraced.plan(Planned.from_row(row, f"{simulation}: plan", logged=False) for row in set_up.ahead)
    return retraced
