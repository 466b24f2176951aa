"""Find rooms that can only be reached through another person's bedroom."""

from collections.abc import Iterable, Iterator, Mapping

from town_builder.grid.grids import BED, AddressParts, Grids
from town_builder.plan.shapes import Tile, Tiles
from town_builder.problems import Problem

OWNED = "'s "
"""Separates the owner from the room in a name."""
ROOM = 2
"""Number of address parts of an arena."""


def privacy_problems(grids: Grids, main: set[Tile]) -> Iterator[Problem]:
    """Yield a warning for every room whose only way from the street leads through another person's bedroom."""
    rooms = {path: frozenset(tiles) for path, tiles in grids.addresses.items() if len(path) == ROOM}
    bedrooms = {path for path, tiles in rooms.items() if BED in {grids.objects.get(tile) for tile in tiles}}
    street = [tile for tile in main if tile not in grids.sectors]
    public = grids.reachable_from(street, _tiles(rooms, bedrooms))
    for path, tiles in rooms.items():
        if not street or tiles.isdisjoint(main) or not tiles.isdisjoint(public):
            continue
        strangers = {bedroom for bedroom in bedrooms if not _same_household(path, bedroom, bedrooms)}
        if tiles.isdisjoint(grids.reachable_from(street, _tiles(rooms, strangers))):
            message = f"{':'.join(path)} can be reached only through the bedroom of another person"
            yield Problem(grids.where(path), message, "give it a door of its own", warning=True)


def _tiles(rooms: Mapping[AddressParts, Tiles], some: Iterable[AddressParts]) -> Tiles:
    return frozenset(tile for path in some for tile in rooms[path])


def _same_household(room: AddressParts, bedroom: AddressParts, bedrooms: set[AddressParts]) -> bool:
    """Return whether users of the room may cross the bedroom:

    It is the same room, it has the same owner, or it is the only bedroom of the house.
    """
    if room[0] != bedroom[0]:
        return False
    owner, _, owned = bedroom[1].partition(OWNED)
    only = sum(other[0] == room[0] for other in bedrooms) == 1
    return room == bedroom or only or bool(owned and room[1].startswith(owner + OWNED))
