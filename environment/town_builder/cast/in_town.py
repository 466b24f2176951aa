"""Whether a cast and a town belong together."""

from collections.abc import Collection, Iterator
from difflib import get_close_matches

from town_builder.cast.cast import Cast, Person
from town_builder.faults import Fault
from town_builder.grid.grids import BED, Grids


def town_faults(cast: Cast, grids: Grids) -> tuple[Fault, ...]:
    """Places of the cast that the town does not have, and people who would not wake up at home in it."""
    addresses = {":".join(path) for path in grids.addresses}
    everybody = [*cast.people, *(person for base in cast.bases for person in base.people)]
    found = [*_map_faults(cast, grids), *address_faults(cast, addresses)]
    found.extend(fault for person in everybody for fault in _start_faults(person, grids))
    return tuple(dict.fromkeys(found))


def address_faults(cast: Cast, addresses: Collection[str]) -> Iterator[Fault]:
    """Places that somebody could know and nobody could find. Addresses are without their world."""
    for address, where in cast.places:
        if address not in addresses:
            near = get_close_matches(address, sorted(addresses), 1)
            mend = f"did you mean {near[0]!r}?" if near else "build it into the town or take it away"
            yield Fault(where, f"the town has no {address!r}", mend)


def _map_faults(cast: Cast, grids: Grids) -> Iterator[Fault]:
    ours = (cast.world, cast.maze_name, cast.width, cast.height)
    theirs = (grids.world, grids.maze_name, grids.width, grids.height)
    for what, here, there in zip(("world", "maze_name", "width", "height"), ours, theirs, strict=True):
        if here != there:
            yield Fault(cast.file, f"its {what} is {here!r} and the town's is {there!r}", "make them equal")


def _start_faults(person: Person, grids: Grids) -> Iterator[Fault]:
    x, y = person.start
    here, home = ":".join(grids.path(person.start)[:2]), person.living_area.words
    if not grids.walkable(person.start):
        yield Fault(person.where, f"{person.name} cannot stand on the start tile {x},{y}", _beds(home, grids))
    elif here != home:
        wrong = f"{person.name} starts in {here or 'the street'!r} and lives in {home!r}"
        yield Fault(person.where, wrong, _beds(home, grids))
    elif grids.objects.get(person.start) != BED:
        yield Fault(person.where, f"the start tile {x},{y} of {person.name} is no bed", _beds(home, grids))


def _beds(home: str, grids: Grids) -> str:
    """How to mend a start tile: which tiles of a home one can wake up on."""
    tiles = sorted(tile for tile, name in grids.objects.items() if name == BED)
    beds = [f"[{x}, {y}]" for x, y in tiles if ":".join(grids.path((x, y))[:2]) == home]
    return f"start in a bed at home, at {' or '.join(beds)}" if beds else f"put a bed into {home} and start there"
