"""The town as two pictures, below and above its people, and its people as sprite sheets; to the pixel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image

from ville.errors import MapNotFound
from ville.sharing.tiled_map import DrawnMap, read_tiled
from ville.storage.compressed.cast import Cast, CastEntry
from ville.storage.map_files import CHARACTERS, drawn_map, sprite_sheet

SHEET = (96, 128)
"""Width and height of a sprite sheet: three frames of each of four directions."""
PORTRAITS = "portraits"


@dataclass(frozen=True)
class TownPicture:
    """A map as it is drawn."""

    tile: int
    """Pixels."""
    below: Image.Image
    above: Image.Image
    """Treetops, roofs and the like; else transparent."""


def draw_town(assets: Path, maze_name: str) -> TownPicture:
    """Draw the map of a town. Raises MapNotFound or BadMap."""
    visuals = assets / maze_name / "visuals"
    path = drawn_map(visuals, maze_name)
    if path is None:
        raise MapNotFound(f"There is no map called {maze_name}. Put its Tiled file into {visuals}.")
    drawn = read_tiled(path)
    return TownPicture(drawn.tile, _painted(drawn, above=False), _painted(drawn, above=True))


def _painted(drawn: DrawnMap, *, above: bool) -> Image.Image:
    picture = Image.new("RGBA", (drawn.columns * drawn.tile, drawn.rows * drawn.tile))
    for layer in drawn.layers:
        for place, raw in layer.cells.items() if layer.above is above else ():
            row, column = divmod(place, drawn.columns)
            tile = drawn.picture_of(raw)
            top = (row + 1) * drawn.tile - tile.height if tile else 0
            if tile and top >= 0 and row < drawn.rows:
                picture.alpha_composite(tile, (column * drawn.tile, top))
    return picture


def sprite_sheets(assets: Path, people: Sequence[str], cast: Cast) -> Mapping[str, Path]:
    """Return the sprite sheet of each person, as far as there are any."""
    known = sorted(path.stem for path in (assets / CHARACTERS).glob("*.png"))
    names = {name: sprite_sheet(name, cast.get(name, CastEntry()).look, known) for name in people}
    return {name: assets / CHARACTERS / f"{sheet}.png" for name, sheet in names.items() if sheet in known}


def sheet_picture(path: Path | None) -> Image.Image:
    """Return a sprite sheet; an empty one if there is none, or it cannot be read."""
    try:
        if path is not None:
            with Image.open(path) as sheet:
                return sheet.convert("RGBA").crop((0, 0, *SHEET))
    except (OSError, ValueError):
        pass
    return Image.new("RGBA", SHEET)


def webp(picture: Image.Image) -> bytes:
    """Return a picture as WebP without loss, which keeps pixels sharp, and is smaller than with loss."""
    content = BytesIO()
    opaque = picture.getextrema()[-1] == (255, 255) if picture.mode == "RGBA" else True
    (picture.convert("RGB") if opaque else picture).save(content, "WEBP", lossless=True, method=3, exact=False)
    return content.getvalue()
