"""Open simulations only to be asked: as they were saved, or at an earlier moment."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from ville.assembly import model_choice
from ville.assembly.at_moment import town_at
from ville.assembly.models import configured_models, fitting, run_file, stored_breaker, with_rules
from ville.assembly.town_loading import load_town
from ville.llm.accounting.common_budget import CommonBudget
from ville.persona.prompt_template.question import check_templates
from ville.settings import Settings
from ville.simulation.re_embed import embedder_of
from ville.simulation.running.retracing import Watch, ignore_step
from ville.simulation.talks.interviews import Interviews
from ville.simulation.town import Town
from ville.storage.compressed.compressed_folder import find_compressed
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import find, unchanged
from ville.storage.past.moments import split_moment


async def read_for_interviews(
    settings: Settings,
    name: str,
    *,
    compressed: bool = False,
    watch: Watch = ignore_step,
    budget: CommonBudget | None = None,
) -> tuple[Interviews, Callable[[], Awaitable[None]]]:
    """Return access to the personas of a saved or compressed simulation, and what closes it.

    They are as they were saved, or as they were at a moment of a saved simulation (`two_days@18:00`). The simulation is
    not locked, and another process may have it open. The only file that is written is the ledger of interviews, if a
    model is asked. `budget` is one that other simulations share. Raises a ReverieError.
    """
    check_templates()
    named = split_moment(name)
    if compressed or named.at is None:
        settings, folder, town = await asyncio.to_thread(_read_town, settings, name, compressed=compressed)
    else:
        folder = find(settings.fs_storage, named.name)
        settings = with_rules(settings, folder)
        past = await town_at(settings, folder.root, named.at, watch=watch)
        town = past.town
        settings = replace(settings, seed=past.seed if settings.seed is None else settings.seed)
    stored = {embedder_of(run_file(folder), each.mind.stream.vectors) for each in town.personas.values()}
    for keyless in filter(None, (model_choice.keyless_embedder(name) for name in stored if name)):
        settings = replace(settings, embedder=keyless)  # it needs no provider, whatever is configured for runs
    settings = fitting(settings, folder, town)
    models, services = configured_models(settings, folder, town, interviews_only=True, budget=budget)
    services = replace(services, breaker=stored_breaker(settings, folder))
    services.begin_step(town.clock.step)
    return Interviews(town, services, models=lambda: models, between_steps=asyncio.Lock()), services.close


def _read_town(settings: Settings, name: str, *, compressed: bool) -> tuple[Settings, SimulationFolder, Town]:
    """Return the settings of a simulation, its folder, and its town as it was saved. Raises a ReverieError."""
    if compressed:
        folder: SimulationFolder = find_compressed(settings.replays, name)
        folder.check_cast()
        settings = with_rules(settings, folder)
        return settings, folder, load_town(settings, folder)
    folder = find(settings.fs_storage, name)
    with unchanged(folder.root):
        folder.check_cast()
        settings = with_rules(settings, folder)
        return settings, folder, load_town(settings, folder)
