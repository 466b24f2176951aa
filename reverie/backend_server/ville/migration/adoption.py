"""A simulation that was recorded on another map of the same name gets that map back, under a name of its own."""

from dataclasses import dataclass
from pathlib import Path

from ville.errors import BadMap
from ville.migration.map_folder import MapFolder, same_layout
from ville.migration.recorded import Recorded
from ville.world.maze import Maze


@dataclass(frozen=True)
class Adoption:
    """A map under a new name, and the simulations that shall play on it."""

    source: MapFolder
    target: Path
    """The folder of the maze."""
    simulations: tuple[Recorded, ...]
    given: Path
    """The map as the user named it, for messages."""

    def changes(self) -> list[str]:
        """Return the changes to make, a line each. Raises a ReverieError with what prevents them."""
        maze = self.source.maze()
        self._check_free(maze)
        if faults := [one for simulation in self.simulations for one in simulation.misfits(maze, self.given)]:
            raise BadMap(" ".join(faults))
        for simulation in self.simulations:
            simulation.check_closed()
        brought = [] if self.target.exists() else [f"{self.target}: the map {self.given}"]
        return brought + [
            f"{simulation.meta_file}: maze_name {simulation.meta.maze_name} → {self.target.name}"
            for simulation in self.simulations
            if simulation.meta.maze_name != self.target.name
        ]

    def carry_out(self) -> None:
        """Bring the map first: at no instant does a simulation name one that is not there. Raises StorageError."""
        if not self.target.exists():
            self.source.bring(self.target)
        for simulation in self.simulations:
            simulation.check_closed()
            simulation.play_on(self.target.name)

    def _check_free(self, maze: Maze) -> None:
        """The same map may be there already: several simulations share it. Raise BadMap for any other."""
        if self.target.exists() and not same_layout(MapFolder(self.target).maze(), maze):
            raise BadMap(f"{self.target} is there already, and is another map. Choose another --name.")
