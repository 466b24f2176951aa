"""Find rooms that can only be reached through another person's bedroom."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

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
    of_house = defaultdict(list)
    for path in sorted(bedrooms):
        of_house[path[0]].append(path)
    street = [tile for tile in main if tile not in grids.sectors]
    private = _tiles(rooms, bedrooms)
    public = grids.reachable_from(street, private)
    closed = private | public
    for path, tiles in rooms.items():
        if not street or tiles.isdisjoint(main) or not tiles.isdisjoint(public):
            continue
        own = _tiles(rooms, _of_household(path, of_house[path[0]]))
        doors = [tile for tile in own if not public.isdisjoint(grids.neighbours(tile))]
        if tiles.isdisjoint(grids.reachable_from(doors, closed - own)):
            message = f"{':'.join(path)} can be reached only through the bedroom of another person"
            yield Problem(grids.where(path), message, "give it a door of its own", warning=True)


def _tiles(rooms: Mapping[AddressParts, Tiles], some: Iterable[AddressParts]) -> Tiles:
    return frozenset(tile for path in some for tile in rooms[path])


def _of_household(room: AddressParts, bedrooms: Sequence[AddressParts]) -> Iterator[AddressParts]:
    """Yield the bedrooms of a house which users of a room may cross: itself, those of its owner, or the only one."""
    for bedroom in bedrooms:
        owner, _, owned = bedroom[1].partition(OWNED)
        if room == bedroom or len(bedrooms) == 1 or (owned and room[1].startswith(owner + OWNED)):
            yield bedroom
