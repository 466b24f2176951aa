"""A saved or compressed simulation: the map it says it plays on, and whether what was recorded fits a map."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ville.errors import BadArgument, SimulationInUse
from ville.simulation.map_fit import TOLERANCE, share_in_walls, wall_share
from ville.storage.compressed.compression import MASTER, META_COPY, read_master
from ville.storage.files import pretty, read_object, write_text
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.records.intervention_log import RUN_FILE
from ville.storage.records.lock import is_locked
from ville.storage.records.memory_files import PERSONAS, SCRATCH
from ville.storage.records.meta import META, Meta, checked_meta
from ville.storage.records.people_files import PeopleFiles
from ville.storage.records.staging import FOLDER as SAVING
from ville.storage.steps.frames import tile_of
from ville.world.maze import Maze


@dataclass(frozen=True)
class Recorded:
    """A folder in storage or in compressed_storage."""

    root: Path

    @property
    def is_replay(self) -> bool:
        return (self.root / MASTER).is_file()

    @property
    def meta_file(self) -> Path:
        return self.root / (META_COPY if self.is_replay else META)

    @property
    def meta(self) -> Meta:
        """Content of its meta file. Raises CorruptFile."""
        return checked_meta(read_object(self.meta_file), str(self.meta_file))

    @property
    def is_named_rightly(self) -> bool:
        """Whether its engine looked for the map by its name: one of ours, which leaves a RUN_FILE."""
        return self.meta_file.with_name(RUN_FILE).is_file()

    def play_on(self, maze_name: str) -> None:
        """Change the name of its map at one instant, and nothing else. Raises StorageError."""
        write_text(self.meta_file, pretty({**read_object(self.meta_file), "maze_name": maze_name}))

    def check_closed(self) -> None:
        """Raise SimulationInUse where a backend would write over what is changed here."""
        if (self.root / SAVING).exists():
            template = (
                "%(folder)s is being saved, or a save of it was cut off. Open it once with reverie.py and leave it "
                "with 'fin'."
            )
            raise SimulationInUse(template, folder=self.root)
        if is_locked(self.root):
            raise SimulationInUse("%(folder)s is open in a backend. Leave it there with 'fin'.", folder=self.root)

    def share_in_walls(self, maze: Maze) -> float:
        """Return the share of the tiles people have been on that are walls of a map, or outside it. Raises CorruptFile.

        Of a saved simulation some steps are looked at, of a compressed one all that changed something.
        """
        if not self.is_replay:
            return share_in_walls(SimulationFolder(self.root), maze)
        frames, _ = read_master(self.root)
        return wall_share([tile_of(record) for frame in frames.values() for record in frame.values()], maze)

    def misfits(self, maze: Maze, source: object) -> Iterator[str]:
        """Yield why it cannot play on a map, a line each: people would walk through walls, or have no home.

        `source` says in these lines which map that is. Raises CorruptFile.
        """
        share = self.share_in_walls(maze)
        fix = "Give the map it was recorded on."
        if share > TOLERANCE:
            yield f"{self.root}: {share:.0%} of its steps lead through walls of {source}. {fix}"
        for name, home in self._homes():
            if home not in maze.address_tiles:
                yield f"{self.root}: {source} has no {home}, the home of {name}. {fix}"

    def _homes(self) -> Iterator[tuple[str, str]]:
        """Yield the home of everyone whose file can be read: what cannot is told when the simulation is opened."""
        for name in self.meta.persona_names:
            scratch = PeopleFiles(self.root).object_if_whole(f"{PERSONAS}/{name}/{SCRATCH}") or {}
            if isinstance(home := scratch.get("living_area"), str):
                yield name, home


def recorded_as(name: str, shelves: tuple[Path, ...]) -> tuple[Recorded, ...]:
    """Return the simulations of a name or a path: one name may have a saved and a compressed one.

    Raises BadArgument if there is none, and CorruptFile.
    """
    places = [shelf / name for shelf in shelves] if Path(name).name == name else [Path(name)]
    found = tuple(one for one in map(Recorded, places) if one.meta_file.is_file())
    if not found:
        looked = " or ".join(map(str, places))
        raise BadArgument(f"{name} is no simulation: there is none at {looked}. Give its name, or its folder.")
    return found
