"""A map on disk, which may be brought to the maps of this project."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ville.errors import BadMap
from ville.migration.reading import reading
from ville.storage.files import check_no_links, check_plain, in_words_of
from ville.storage.folder.copying import copy_files
from ville.storage.new_folder import new_folder
from ville.world.maze import Maze
from ville.world.maze_files import load_maze

MATRIX, VISUALS = "matrix", "visuals"
SIGN = f"{MATRIX}/maze_meta_info.json"
"""A folder that holds this file is a map."""
IDS = "ids.json"
"""Numbers of the places of a map that is edited in Tiled."""


@dataclass(frozen=True)
class MapFolder:
    """A folder that holds `matrix/`, and perhaps `visuals/` and histories."""

    root: Path
    file: Path | None = None
    """The Tiled file that was named; of those beside it, the only one that is brought along."""

    @classmethod
    def at(cls, path: Path) -> "MapFolder | None":
        """Return the map to which a folder or a Tiled file belongs; None for a Tiled file without matrices.

        Raises BadMap if there is none.
        """
        file = path.resolve() if path.suffix == ".json" and path.is_file() else None
        inside = path.resolve().parent if file else path.resolve()
        for folder in (inside, inside.parent):
            if (folder / SIGN).is_file():
                return cls(folder, file)
        if file:
            return None
        wrong = "is not a map" if path.exists() else "does not exist"
        raise BadMap(f"{path} {wrong}. Give the folder of a map (the one that holds matrix), or its Tiled file.")

    def maze(self) -> Maze:
        """Return the map, read anew. Raises BadMap."""
        return load_maze(self.root / MATRIX, self.root.name)

    def bring(self, target: Path) -> None:
        """Copy the map there, whole or not at all. Raises StorageError, also for a link: pages serve what is there."""
        self.check()
        with new_folder(target) as folder, in_words_of(folder, target), reading(self.root):
            copy_files(self.root, folder, self.files())

    def check(self) -> None:
        """Raise CorruptFile for a link, or for what cannot be read."""
        with reading(self.root):
            for name in (MATRIX, VISUALS):
                check_no_links(self.root / name, self.root)
                check_plain(self.root / name)

    def files(self) -> Iterator[Path]:
        """Yield the files that belong to the map, relative to its folder; no maps beside the one that was named."""
        for name in (MATRIX, VISUALS):
            for path in sorted((self.root / name).rglob("*")):
                other = self.file and path.parent == self.file.parent and path.suffix == ".json" and path != self.file
                if path.is_file() and not other:
                    yield path.relative_to(self.root)
        yield from (path.relative_to(self.root) for path in (self.root / IDS, *self.histories()) if path.is_file())

    def histories(self) -> list[Path]:
        """Return the histories beside the map."""
        return [path for path in sorted(self.root.glob("[!.]*.csv")) if path.is_file() and not path.is_symlink()]

    @property
    def is_seen(self) -> bool:
        """Whether pages have something to draw."""
        return any((self.root / VISUALS).glob("*.json"))


def same_layout(one: Maze, other: Maze) -> bool:
    """Return whether two maps have the same walls and the same places on the same tiles."""
    if (one.width, one.height) != (other.width, other.height) or one.address_tiles != other.address_tiles:
        return False
    return all(one.is_wall(tile) == other.is_wall(tile) for tile in one)
