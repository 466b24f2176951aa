"""A simulation that was recorded on another map of the same name gets that map back, under a name of its own."""

from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copytree, rmtree

from town_builder.check.recorded import Recorded
from town_builder.grid.grids import Grids
from town_builder.grid.matrix import grids_from_matrix, read_matrix
from town_builder.importing import IDS, import_map, install
from town_builder.problems import TownError, town_error

MATRIX, VISUALS = "matrix", "visuals"


@dataclass(frozen=True)
class MapSource:
    """A map as it was given: with matrices, or as a map file from the Tiled editor alone."""

    folder: Path | None = None
    """It holds `matrix/`, and perhaps `visuals/`."""
    file: Path | None = None
    """The map file that was named; of a folder, the only one that is brought along."""

    @classmethod
    def at(cls, path: Path) -> "MapSource":
        """Find the map to which a folder or a file belongs. Raises TownError if there is none."""
        file = path.resolve() if path.suffix == ".json" and path.is_file() else None
        inside = path.resolve().parent if file else path.resolve()
        for folder in (inside, inside.parent):
            if (folder / MATRIX / "maze_meta_info.json").is_file():
                return cls(folder, file)
        if file:
            return cls(None, file)
        fix = "give the folder of a map (the one that holds matrix), or its Tiled file"
        raise town_error(str(path), "is not a map" if path.exists() else "does not exist", fix)

    def __str__(self) -> str:
        return str(self.file or self.folder)

    def grids(self, name: str, special_blocks: Path | None) -> Grids:
        """Return what each tile of the map is. Raises TownError."""
        if self.folder:
            return replace(grids_from_matrix(read_matrix(self.folder / MATRIX), name), source=str(self))
        return import_map(self.file or Path(), name, special_blocks).grids

    def bring(self, target: Path, special_blocks: Path | None) -> None:
        """Put the map there, whole or not at all. Raises TownError and OSError."""
        part = target.with_name(f".{target.name}.part")
        rmtree(part, ignore_errors=True)
        try:
            if self.folder:
                _refuse_links(self.folder)
                copytree(self.folder, part / target.name, ignore=self._unwanted)
            else:
                install(self.file or Path(), part / target.name, special_blocks=special_blocks)
            (part / target.name).replace(target)
        finally:
            rmtree(part, ignore_errors=True)

    def _unwanted(self, folder: str, names: list[str]) -> set[str]:
        """Return files that are not part of the map, and maps other than the one that was named."""
        if Path(folder) == self.folder:
            return {name for name in names if name not in {MATRIX, VISUALS, IDS} and not name.endswith(".csv")}
        if self.file and Path(folder) == self.file.parent:
            return {name for name in names if name.endswith(".json") and name != self.file.name}
        return set()


def _refuse_links(folder: Path) -> None:
    """Raise TownError for a link: what it leads to would be copied to where pages are served from."""
    if link := next((path for path in sorted(folder.rglob("*")) if path.is_symlink()), None):
        raise town_error(str(link), "is a link", "put the file itself there")


@dataclass(frozen=True)
class Adoption:
    """A map under a new name, and the simulations that shall play on it."""

    source: MapSource
    target: Path
    """The folder of the maze."""
    simulations: tuple[Recorded, ...]
    special_blocks: Path | None = None

    def changes(self) -> list[str]:
        """Return the changes to make, a line each. Raises TownError with everything that prevents them."""
        grids = self.source.grids(self.target.name, self.special_blocks)
        self._check_free(grids)
        if faults := [one for simulation in self.simulations for one in simulation.misfits(grids)]:
            raise TownError(faults)
        for simulation in self.simulations:
            simulation.check_closed()
        brought = [] if self.target.exists() else [f"{self.target}: the map {self.source}"]
        return brought + [
            f"{simulation.meta_file}: maze_name {simulation.maze_name} → {self.target.name}"
            for simulation in self.simulations
            if simulation.maze_name != self.target.name
        ]

    def carry_out(self) -> None:
        """The map first: at no instant does a simulation name one that is not there. Raises TownError and OSError."""
        if not self.target.exists():
            self.source.bring(self.target, self.special_blocks)
        for simulation in self.simulations:
            simulation.play_on(self.target.name)

    @property
    def is_seen(self) -> bool:
        """Whether the pages have something to draw."""
        folder = self.source.folder
        return not folder or any((folder / VISUALS).glob("*.json"))

    def _check_free(self, grids: Grids) -> None:
        """The same map may be there already: several simulations share it. Raises TownError for any other."""
        if self.target.exists():
            there = grids_from_matrix(read_matrix(self.target / MATRIX), self.target.name)
            if (there.solid, there.addresses) != (grids.solid, grids.addresses):
                raise town_error(str(self.target), "is there already, and is another map", "choose another --name")
