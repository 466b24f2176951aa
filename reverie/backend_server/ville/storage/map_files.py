"""The pictures of a town among the assets: its Tiled map, and the sprite sheets of its people."""

from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

CHARACTERS = "characters"
"""Folder of the sprite sheets, below the assets."""
CLASSIC_MAP = "the_ville_jan7"
"""The map that the released pages show, among older versions of it."""


def drawn_map(visuals: Path, maze_name: str) -> Path | None:
    """Return the Tiled map in a folder: that of the released pages, else the one named as the town, else the first."""
    found = sorted(visuals.glob("*.json"), key=lambda path: (*_rank(path.stem, maze_name), path.name))
    return found[0] if found else None


def _rank(name: str, maze_name: str) -> tuple[bool, bool]:
    return name != CLASSIC_MAP, name != maze_name


def sprite_sheet(name: str, look: str, known: Sequence[str]) -> str:
    """Return the name of a sprite sheet: the look, if there is one of that name, else that of the name.

    A persona without one borrows one of the `known`, always the same.
    """
    underscore = name.replace(" ", "_")
    if look in known:
        return look
    if underscore in known or not known:
        return underscore
    return known[crc32(name.encode()) % len(known)]
