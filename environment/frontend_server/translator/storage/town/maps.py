"""The assets of a town: its Tiled map, the sprites of its personas, and its walls."""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path, PurePosixPath

from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.templatetags.static import static
from django.utils.translation import gettext as _
from PIL import Image

from translator.errors import NotFound
from translator.persona_name import PersonaName
from translator.storage.static.static_files import listing
from ville.errors import CorruptFile
from ville.storage import map_files
from ville.storage.files import read_object_if_whole, read_text

CHARACTERS = f"assets/{map_files.CHARACTERS}"
SMALL_PICTURE = "overview.webp"
MOST_TILES = 30_000
"""Tiles of a map that pages paint as a whole: twice the Ville. Of a larger one, they paint what is in view."""
READY = re.compile(r"visitor_[0-9]+")

Tile = tuple[int, ...]
"""Column and row."""


def map_url(maze_name: str) -> str:
    """Return the address of the Tiled map of a town. Raises NotFound.

    It is the map of the released pages, else the one named as the town, else the first; in the first folder that has
    one, of which the folder of the user comes first.
    """
    for folder in folders(f"assets/{maze_name}/visuals"):
        if found := map_files.drawn_map(folder, maze_name):
            return static(f"assets/{maze_name}/visuals/{found.name}")
    raise NotFound(
        _("There is no map called %(name)s. Put its Tiled file into assets/%(name)s/visuals.") % {"name": maze_name}
    )


def small_picture(maze_name: str) -> dict[str, str] | None:
    """Return the address of the small picture of a town, if it has one, and its narrowest and widest views.

    They are the ratios of width to height between which the picture fills a view, as the camera does (`fillZoom`).
    """
    for folder in folders(f"assets/{maze_name}/visuals"):
        try:
            with Image.open(folder / SMALL_PICTURE) as picture:
                width, height = picture.size
        except OSError:
            continue
        return {
            "url": static(f"assets/{maze_name}/visuals/{SMALL_PICTURE}"),
            "narrow": f"{2 * width}/{3 * height}",
            "wide": f"{3 * width}/{2 * height}",
        }
    return None


def large_map(maze_name: str) -> dict[str, int] | None:
    """Return columns, rows and pixels of a tile of a map that is too large to be painted as a whole; else None."""
    for folder in folders(f"assets/{maze_name}/matrix"):
        try:
            meta = read_object_if_whole(folder / "maze_meta_info.json") or {}
            columns, rows, tile = (int(str(meta[name])) for name in ("maze_width", "maze_height", "sq_tile_size"))
        except (OSError, ValueError, KeyError, TypeError, CorruptFile):
            return None
        return {"columns": columns, "rows": rows, "tile": tile} if columns * rows > MOST_TILES and tile > 0 else None
    return None


def share_in_walls(maze_name: str, tiles: Iterable[Tile]) -> float:
    """Return the share of tiles that are walls or outside of the map; 0 if the walls are not known."""
    rows = walls(maze_name)
    if not rows:
        return 0.0
    wrong = [not (0 <= y < len(rows) and 0 <= x < len(rows[y])) or rows[y][x] for x, y in tiles]
    return sum(wrong) / len(wrong) if wrong else 0.0


def map_width(matrices: Path) -> int:
    """Return the tiles in a row of a map, from its matrices. Raises TypeError, ValueError and CorruptFile."""
    width = (read_object_if_whole(matrices / "maze_meta_info.json") or {}).get("maze_width")
    if not isinstance(width, int | float | str):
        raise TypeError("there is no width")
    return int(width)


def walls(maze_name: str) -> list[list[bool]]:
    """Return which tiles are walls, row by row; an empty list if the matrices cannot be read."""
    for folder in folders(f"assets/{maze_name}/matrix"):
        try:
            file = folder / "maze" / "collision_maze.csv"
            return _walls_of(file, map_width(folder), file.stat().st_mtime_ns)
        except (OSError, ValueError, KeyError, TypeError, CorruptFile):
            return []
    return []


@lru_cache(maxsize=4)
def _walls_of(file: Path, width: int, changed: int) -> list[list[bool]]:  # noqa: ARG001 - the time of a change is a key
    cells = [cell.strip() != "0" for cell in read_text(file).replace("\n", ",").split(",") if cell.strip()]
    return [cells[start : start + width] for start in range(0, len(cells), max(1, width))]


def looks() -> list[dict[str, str]]:
    """Return the looks that a newcomer can have, the ready looks of visitors first."""
    known = sorted(
        sheets(), key=lambda sheet: (not READY.fullmatch(sheet), len(sheet) if READY.fullmatch(sheet) else 0)
    )
    return [{"look": sheet.replace("_", " "), "sprite": sheet} for sheet in known]


def sprite(name: PersonaName, look: str = "") -> str:
    """Return the name of a sprite sheet: the look, if there is one of that name, else that of the name.

    A persona without one borrows a sheet, always the same.
    """
    return map_files.sprite_sheet(name.name, look, sheets())


def sheets() -> list[str]:
    """Return the names of all sprite sheets."""
    return _sheets_of(listing().version)


@lru_cache(maxsize=1)
def _sheets_of(version: str) -> list[str]:  # noqa: ARG001 - the version is a key
    places = map(PurePosixPath, listing().files)
    return sorted(place.stem for place in places if place.match(f"{CHARACTERS}/*.png"))


def sheet_file(name: str) -> Path:
    """Return the file of a sprite sheet."""
    return listing().files[f"{CHARACTERS}/{name}.png"].path


def folders(folder: str) -> list[Path]:
    """Return every folder of a name among the static files."""
    try:
        return [Path(place) for place in finders.find(folder, find_all=True)]
    except SuspiciousFileOperation:
        return []
