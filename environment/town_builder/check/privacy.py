"""Nobody should have to walk through a stranger's bedroom."""

from collections.abc import Iterable, Iterator, Mapping

from town_builder.grid.grids import BED, AddressParts, Grids
from town_builder.plan.shapes import Tile, Tiles
from town_builder.problems import Problem

OWNED = "'s "
"""What stands between an owner and a room in its name."""
ROOM = 2
"""Parts of an arena's path."""


def privacy_problems(grids: Grids, main: set[Tile]) -> Iterator[Problem]:
    """A warning for every room that one reaches from the street only through somebody else's bedroom."""
    rooms = {path: frozenset(tiles) for path, tiles in grids.addresses.items() if len(path) == ROOM}
    bedrooms = {path for path, tiles in rooms.items() if BED in {grids.objects.get(tile) for tile in tiles}}
    street = [tile for tile in main if tile not in grids.sectors]
    public = grids.reachable_from(street, _tiles(rooms, bedrooms))
    for path, tiles in rooms.items():
        if not street or tiles.isdisjoint(main) or not tiles.isdisjoint(public):
            continue
        strangers = {bedroom for bedroom in bedrooms if not _same_household(path, bedroom, bedrooms)}
        if tiles.isdisjoint(grids.reachable_from(street, _tiles(rooms, strangers))):
            message = f"one reaches {':'.join(path)} only through the bedroom of somebody else"
            yield Problem(grids.where(path), message, "give it a door of its own", warning=True)


def _tiles(rooms: Mapping[AddressParts, Tiles], some: Iterable[AddressParts]) -> Tiles:
    return frozenset(tile for path in some for tile in rooms[path])


def _same_household(room: AddressParts, bedroom: AddressParts, bedrooms: set[AddressParts]) -> bool:
    """Whether who uses the room may cross the bedroom: it is the same one, of one owner, or the house's only one."""
    if room[0] != bedroom[0]:
        return False
    owner, _, owned = bedroom[1].partition(OWNED)
    only = sum(other[0] == room[0] for other in bedrooms) == 1
    return room == bedroom or only or bool(owned and room[1].startswith(owner + OWNED))
