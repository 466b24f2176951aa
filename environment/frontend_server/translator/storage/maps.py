"""Where the pictures are, the Tiled map of a town and the sprites of its people; and where its walls are."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from zlib import crc32

from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.templatetags.static import static
from django.utils.translation import gettext as _

from translator.errors import NotThere
from translator.persona_name import PersonaName
from translator.storage.files import read_object

CHARACTERS = "assets/characters"
CLASSIC_MAP = "the_ville_jan7"
"""The one that the classic pages drew, among older states of it."""

Tile = tuple[int, int]


def map_url(maze_name: str) -> str:
    """The Tiled map that classic pages drew, else the one named as its town, else the first one. Raises NotThere.

    Folders of the user come first, and a map is never taken from another folder than the first that has one.
    """
    for folder in _places(f"assets/{maze_name}/visuals"):
        if found := sorted(folder.glob("*.json"), key=lambda path: (*_rank(path.stem, maze_name), path.name)):
            return static(f"assets/{maze_name}/visuals/{found[0].name}")
    raise NotThere(
        _("There is no map called %(name)s: put its Tiled file into assets/%(name)s/visuals.") % {"name": maze_name}
    )


def _rank(name: str, maze_name: str) -> tuple[bool, bool]:
    return name != CLASSIC_MAP, name != maze_name


def share_in_walls(maze_name: str, tiles: Iterable[Tile]) -> float:
    """The share of tiles that are walls of a town, or beyond it; 0 where its walls are not known."""
    walls = _walls(maze_name)
    if not walls:
        return 0.0
    wrong = [not (0 <= y < len(walls) and 0 <= x < len(walls[y])) or walls[y][x] for x, y in tiles]
    return sum(wrong) / len(wrong) if wrong else 0.0


def _walls(maze_name: str) -> list[list[bool]]:
    """Row by row; none where the matrices cannot be read."""
    for folder in _places(f"assets/{maze_name}/matrix"):
        try:
            width = int((read_object(folder / "maze_meta_info.json") or {})["maze_width"])
            text = (folder / "maze" / "collision_maze.csv").read_text(encoding="utf-8-sig")
        except (OSError, ValueError, KeyError, TypeError):
            return []
        cells = [cell.strip() != "0" for cell in text.replace("\n", ",").split(",") if cell.strip()]
        return [cells[start : start + width] for start in range(0, len(cells), max(1, width))]
    return []


def sprite(person: PersonaName) -> str:
    """The name of a sheet among the characters; somebody without one borrows another's looks, always the same."""
    ours = sheets()
    if person.underscore in ours or not ours:
        return person.underscore
    return ours[crc32(person.name.encode()) % len(ours)]


@lru_cache(maxsize=1)
def sheets() -> list[str]:
    """The names of all sheets. Looked for once, as static files are: who adds one starts the server anew."""
    return sorted({path.stem for folder in _places(CHARACTERS) for path in folder.glob("*.png")})


def _places(folder: str) -> list[Path]:
    """Every folder of that name among the static files."""
    try:
        return [Path(place) for place in finders.find(folder, find_all=True)]
    except SuspiciousFileOperation:
        return []
