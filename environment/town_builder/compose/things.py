"""Put furniture, trees and all other stamps into the layers, from back to front."""

from collections.abc import Iterable, Mapping
from functools import cache

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.catalogue import picture_of
from town_builder.art.drawing import Picture
from town_builder.art.outdoors.shrubs import EAST, NORTH, SIDES, SOUTH, WEST
from town_builder.compose.canvases import DECORATION, FOREGROUND, INDOORS, Canvases, pieces
from town_builder.compose.wall_layout import WallLayout
from town_builder.plan.placement import PlacedStamp
from town_builder.plan.shapes import Tile, Tiles
from town_builder.stamps import OVER, UNDER

CONNECTED = {"fence", "picket fence", "hedge", "flower bed"}
"""Stamps that connect to their neighbours: the low bits of their variant say on which sides there is another one."""
JOINS = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
VARIETY = 6
"""Maximum number of looks of a stamp in one town; more would only enlarge the files."""
LIFT = {"window": 10, "painting": 9, "poster": 9, "clock": 9, "wall lamp": 8, "dart board": 8}
"""Stamp → pixels to raise it above its tile, so that it hangs in the middle of a wall face."""


def place_things(canvases: Canvases, layout: WallLayout, placed: Iterable[PlacedStamp]) -> None:
    """Draw every stamp: flat ones first, then row by row from north to south."""
    everything = sorted(placed, key=lambda one: (not _is_flat(one), one.baseline, one.at[0], one.stamp.name))
    neighbours = {name: frozenset(one.at for one in everything if one.stamp.name == name) for name in CONNECTED}
    for one in everything:
        picture = _picture(one.stamp.name, one.colour, variant(one, neighbours))
        x, y = one.at[0] * TILE, one.at[1] * TILE - LIFT.get(one.stamp.name, 0)
        over = one.tiles(one.stamp.tiles(OVER))
        for tile, part in pieces(picture.below, (x, y)):
            indoors = INDOORS if tile in layout.characters else DECORATION
            canvases.stack(FOREGROUND if tile in over else indoors, tile, part)
        for tile, part in pieces(picture.cover or Canvas(0, 0), (x, y)):
            canvases.stack(FOREGROUND, tile, part)


def variant(one: PlacedStamp, neighbours: Mapping[str, Tiles]) -> int:
    """Return the variant of a stamp in this place: its connections, or a random choice fixed by the place."""
    if one.stamp.name not in CONNECTED:
        return one.variant % VARIETY
    same, look = neighbours[one.stamp.name], SIDES * (one.variant % VARIETY)
    return look + sum(side for side, (right, down) in JOINS.items() if (one.at[0] + right, one.at[1] + down) in same)


def footprints(placed: Iterable[PlacedStamp]) -> Tiles:
    """Return every tile covered by the base of a stamp; tree crowns in front of a wall do not count."""
    return frozenset(tile for one in placed for tile in one.ground_tiles)


def windows(placed: Iterable[PlacedStamp]) -> set[Tile]:
    return {one.at for one in placed if one.stamp.name == "window"}


def _is_flat(one: PlacedStamp) -> bool:
    return set("".join(one.stamp.footprint)) == {UNDER}


@cache
def _picture(name: str, colour: str | None, look: int) -> Picture:
    return picture_of(name, colour, look)
