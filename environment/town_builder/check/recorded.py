"""A simulation on disk: the map it says it plays on, and whether what was recorded of it can have been on a map."""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from town_builder.files import write_text
from town_builder.grid.grids import AddressParts, Grids
from town_builder.plan.shapes import Tile
from town_builder.problems import Problem, town_error

if sys.platform == "win32":
    import msvcrt

    BEYOND = 1 << 30
    """The byte of the lock file that a backend locks there."""

    def _try_lock(descriptor: int) -> None:
        os.lseek(descriptor, BEYOND, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


META_FILES = ("reverie/meta.json", "meta.json")
"""Of a saved simulation, and of a compressed one."""
MASTER = "master_movement.json"
SAMPLE = 200
"""Steps that are looked at, evenly from all."""
FEW = 0.02
"""Share of tiles inside walls that is ignored: the map may have been edited a little."""
BROKEN = (OSError, ValueError, KeyError, TypeError, AttributeError)


@dataclass(frozen=True)
class Recorded:
    """A folder in storage or in compressed_storage."""

    root: Path

    @property
    def meta_file(self) -> Path | None:
        return next((path for name in META_FILES if (path := self.root / name).is_file()), None)

    @property
    def maze_name(self) -> str:
        """Raises TownError."""
        return str(self._meta()["maze_name"])

    def _meta(self) -> dict[str, Any]:
        file = self.meta_file or self.root / META_FILES[0]
        try:
            meta = json.loads(file.read_text(encoding="utf-8-sig"))
            return {**meta, "maze_name": meta["maze_name"], "persona_names": meta["persona_names"]}
        except BROKEN as error:
            raise town_error(str(file), f"is not of a simulation ({error!r})", "restore it from a copy") from error

    def play_on(self, maze_name: str) -> None:
        """Change the name of its map at one instant, and nothing else. Raises TownError while it is in use."""
        self.check_closed()
        if self.meta_file:
            write_text(self.meta_file, json.dumps({**self._meta(), "maze_name": maze_name}, indent=2))

    def check_closed(self) -> None:
        """Raises TownError where a backend would write over what is changed here."""
        if (self.root / ".save").exists():
            fix = "open it once with reverie.py and leave it with 'fin'"
            raise town_error(str(self.root), "is being saved, or a save of it was cut off", fix)
        with suppress(FileNotFoundError):
            descriptor = os.open(self.root.with_name(f".{self.root.name}.lock"), os.O_RDWR)
            try:
                _try_lock(descriptor)
            except OSError as error:
                raise town_error(str(self.root), "is open in a backend", "leave it there with 'fin'") from error
            finally:
                os.close(descriptor)

    def share_in_walls(self, grids: Grids) -> float:
        """The share of the tiles people have been on that are walls of a map, or beyond it."""
        tiles = list(self._tiles())
        return sum(not grids.walkable(tile) for tile in tiles) / len(tiles) if tiles else 0.0

    def misfits(self, grids: Grids) -> Iterator[Problem]:
        """Why it cannot play on a map: people would walk through walls, or have no home."""
        share = self.share_in_walls(grids)
        if share > FEW:
            wrong = f"{share:.0%} of its steps lead through walls of {grids.source}"
            yield Problem(str(self.root), wrong, "give the map it was recorded on")
        addresses = grids.addresses
        for name, home in self._homes():
            if home[0] != grids.world or home[1:] not in addresses:
                wrong = f"{grids.source} has no {':'.join(home)}, the home of {name}"
                yield Problem(str(self.root), wrong, "give the map it was recorded on")

    def _homes(self) -> Iterator[tuple[str, AddressParts]]:
        for name in self._meta()["persona_names"]:
            scratch = self.root / "personas" / name / "bootstrap_memory" / "scratch.json"
            with suppress(*BROKEN):  # what cannot be read is told when it is opened
                yield name, tuple(json.loads(scratch.read_text(encoding="utf-8-sig"))["living_area"].split(":"))

    def _tiles(self) -> Iterator[Tile]:
        """Where everybody was in some of the steps; of a compressed one, in all steps that changed something."""
        for frame in self._frames():
            for record in frame.values():
                with suppress(*BROKEN):
                    x, y = record["movement"]
                    yield int(x), int(y)

    def _frames(self) -> Iterator[Mapping[str, Any]]:
        if (self.root / MASTER).is_file():
            yield from _object(self.root / MASTER).values()
        else:
            files = [path for path in (self.root / "movement").glob("*.json") if path.stem.isdecimal()]
            files.sort(key=lambda path: int(path.stem))
            for path in files[:: max(1, len(files) // SAMPLE)]:
                yield _object(path).get("persona", {})


def _object(path: Path) -> dict[str, Any]:
    """Read a JSON object from a file of steps. Raises TownError."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8-sig")))
    except BROKEN as error:
        raise town_error(str(path), f"cannot be read ({error})", "restore it from a copy") from error


def simulations(name: str, shelves: tuple[Path, ...]) -> tuple[Recorded, ...]:
    """Return the simulations of a path or a name: one name may have a saved and a compressed one. Raises TownError."""
    places = [shelf / name for shelf in shelves] if Path(name).name == name else [Path(name)]
    found = tuple(one for one in map(Recorded, places) if one.meta_file)
    if not found:
        looked = " or ".join(map(str, places))
        raise town_error(
            name, f"is no simulation: there is none at {looked}", "give its name, or the path of its folder"
        )
    return found
