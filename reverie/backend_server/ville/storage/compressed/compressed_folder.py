"""A compressed simulation, as far as its personas can be asked: their memories, and where they stood at the end."""

from functools import cached_property
from pathlib import Path

from ville.errors import CorruptFile, SimulationNotFound
from ville.json_types import Json
from ville.storage.compressed.compression import MASTER, META_COPY, read_master
from ville.storage.compressed.unpacking import frames_of
from ville.storage.files import check_plain
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import check_name
from ville.storage.records.memory_files import PERSONAS
from ville.storage.steps.frames import Frame, tile_of
from ville.storage.steps.step_files import Position
from ville.storage.steps.step_store import StepStore


class CompressedSteps(StepStore):
    """Reads the movements of a compressed simulation."""

    @cached_property
    def _frames(self) -> list[Frame]:
        return list(frames_of(self.root))

    def read_movement(self, step: int) -> dict[str, Json]:
        """Return the movement of a step, as far as it is kept: what everyone shows. Raises CorruptFile."""
        if not 0 <= step < len(self._frames):
            template = "%(file)s has no step %(step)s. Compress the simulation again."
            raise CorruptFile(template, file=self.root / MASTER, step=step)
        people: dict[str, Json] = {name: {**record} for name, record in self._frames[step].items()}  # type: ignore[dict-item]
        return {"persona": people}


class CompressedFolder(SimulationFolder):
    """Reads one compressed simulation."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, META_COPY)
        self.side = root
        self.steps = CompressedSteps(root)

    @property
    def former(self) -> tuple[str, ...]:
        """Those who have moved away, by name: their folders are among those of the others."""
        return tuple(sorted({*self.people.names(PERSONAS)} - {*self.meta.persona_names}))

    def check_cast(self) -> None:
        """Raise CorruptFile unless everyone in the meta file has a folder. Those who moved away have one, too."""
        there = {*self.people.names(PERSONAS)}
        for name in self.meta.persona_names:
            if name not in there:
                template = "%(folder)s is missing, but meta.json names it. Compress the simulation again."
                raise CorruptFile(template, folder=self.root / PERSONAS / name)

    def starting_positions(self) -> dict[str, Position]:
        """Return where everyone stood last. Raises CorruptFile."""
        frames, _ = read_master(self.root)
        records = {name: record for step in sorted(frames) for name, record in frames[step].items()}
        missing = [name for name in self.meta.persona_names if name not in records]
        if missing:
            template = "%(file)s does not say where %(name)s is. Compress the simulation again."
            raise CorruptFile(template, file=self.root / MASTER, name=missing[0])
        return {name: tile_of(records[name]) for name in self.meta.persona_names}


def is_recording(storage: Path, name: str) -> bool:
    """Return whether there is a compressed simulation of this name. Raises BadSimulationName."""
    check_name(name)
    return (storage / name / META_COPY).exists()


def find_compressed(storage: Path, name: str) -> CompressedFolder:
    """Return a compressed simulation. Raises BadSimulationName, SimulationNotFound and CorruptFile.

    Links in its folder are refused, as in `find`.
    """
    if not is_recording(storage, name):
        raise SimulationNotFound(
            "There is no compressed simulation '%(name)s' in %(folder)s.", name=name, folder=storage
        )
    check_plain(storage / name)
    return CompressedFolder(storage / name)
