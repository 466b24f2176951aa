"""Where the pictures are: the Tiled map of a town and the sprites of its people."""

from functools import lru_cache
from pathlib import Path
from zlib import crc32

from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.templatetags.static import static
from django.utils.translation import gettext as _

from translator.errors import NotThere
from translator.people import Person

CHARACTERS = "assets/characters"


def map_url(maze_name: str) -> str:
    """The Tiled map named as its town, else the first one beside it. Raises NotThere."""
    found = [path for folder in _places(f"assets/{maze_name}/visuals") for path in sorted(folder.glob("*.json"))]
    for path in sorted(found, key=lambda path: path.stem != maze_name):
        return static(f"assets/{maze_name}/visuals/{path.name}")
    raise NotThere(
        _("There is no map called %(name)s: put its Tiled file into assets/%(name)s/visuals.") % {"name": maze_name}
    )


def sprite(person: Person) -> str:
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
