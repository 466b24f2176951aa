"""Shares what personas do again as before with other simulations, by the public pools."""

from functools import partial
from pathlib import Path

from ville.persona.memory_structures.lifestyle_policy import LifestylePolicy
from ville.settings import Settings
from ville.simulation.pool_exchange import pools_of, take_from_pools
from ville.simulation.simulation import POOL, Simulation
from ville.storage.exchange.public_pool import PublicFolder
from ville.storage.folder.branches import read_branch
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.past.checkpoints import read_checkpoint, stems
from ville.storage.records.intervention_log import RUN_FILE
from ville.storage.records.memory_files import POLICY


def begin_with_policies(settings: Settings, simulation: Simulation, recording: str) -> None:
    """Let a simulation begin with what is in the public pools, unless it has read them. A replay begins as its
    recording did. Raises StorageError.
    """
    if settings.policy_store != "public":
        return
    if recording:
        _begin_as(simulation, settings.fs_storage / recording)
        return
    if simulation.pool:
        return
    folder = PublicFolder(settings.fs_storage)
    pools = folder.read(simulation.town.personas)
    simulation.notes += tuple(folder.notes)
    for name, persona in simulation.town.personas.items():
        take_from_pools(persona.mind, pools.personas[name], pools.embeddings, simulation.models.embedder.name)
    simulation.begin_with_pool(pools.digest())


def resume_with_policies(settings: Settings, simulation: Simulation, recording: str) -> None:
    """Let a simulation that is resumed read the public pools if it has not, and save it: so the steps from here on can
    be computed again. Raises StorageError.
    """
    before = simulation.pool
    if not recording:
        begin_with_policies(settings, simulation, recording)
    if simulation.pool != before:
        simulation.save()


def give_policies(settings: Settings, simulation: Simulation, recording: str) -> None:
    """Let a simulation give to the public pools when it is closed. A replay gives nothing."""
    if settings.policy_store == "public" and not recording:
        folder = PublicFolder(settings.fs_storage)
        simulation.publish = partial(_publish, folder, simulation.folder, simulation.models.embedder.name)


def _publish(public: PublicFolder, folder: SimulationFolder, embedder: str) -> None:
    public.add(pools_of(folder, embedder))


def _begin_as(simulation: Simulation, recorded: Path) -> None:
    """Begin with the policies of the save that a recording began with. Raises CorruptFile."""
    branch = read_branch(recorded)
    if branch is None or branch.moment not in stems(recorded):
        return
    files, folder = read_checkpoint(recorded, branch.moment).files, SimulationFolder(recorded)
    for name, values in files.get(POLICY, {}).items():
        if name in simulation.town.personas:
            mind, vectors = simulation.persona(name).mind, folder.vectors.read(name)
            mind.policy = LifestylePolicy.read(name, values)
            for text in (*mind.policy.subtasks, *mind.policy.places):
                if text in vectors:
                    mind.stream.vectors.adopt(text, vectors[text])
    if digest := files.get(RUN_FILE, {}).get(POOL):
        simulation.begin_with_pool(digest)
