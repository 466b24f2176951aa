"""Check that a cast fits a town."""

from collections.abc import Collection, Iterator
from difflib import get_close_matches

from town_builder.cast.cast import Cast, CastMember
from town_builder.grid.grids import BED, Grids
from town_builder.problems import Problem


def town_problems(cast: Cast, grids: Grids) -> tuple[Problem, ...]:
    """Return the places of the cast that are missing in the town, and people who do not start in a bed at home."""
    addresses = {":".join(path) for path in grids.addresses}
    everyone = [*cast.people, *(person for base in cast.bases for person in base.people)]
    found = [*_map_problems(cast, grids), *address_problems(cast, addresses)]
    found.extend(problem for person in everyone for problem in _start_problems(person, grids))
    return tuple(dict.fromkeys(found))


def address_problems(cast: Cast, addresses: Collection[str]) -> Iterator[Problem]:
    """Yield places of the cast that are not among these addresses. Addresses do not include the world."""
    for address, where in cast.places:
        if address not in addresses:
            near = get_close_matches(address, sorted(addresses), 1)
            fix = f"did you mean {near[0]!r}?" if near else "add it to the town, or remove it here"
            yield Problem(where, f"the town has no {address!r}", fix)


def _map_problems(cast: Cast, grids: Grids) -> Iterator[Problem]:
    ours = (cast.world, cast.maze_name, cast.width, cast.height)
    theirs = (grids.world, grids.maze_name, grids.width, grids.height)
    for what, here, there in zip(("world", "maze_name", "width", "height"), ours, theirs, strict=True):
        if here != there:
            yield Problem(cast.file, f"its {what} is {here!r}, but the town's is {there!r}", "make them equal")


def _start_problems(person: CastMember, grids: Grids) -> Iterator[Problem]:
    x, y = person.start
    here, home = ":".join(grids.address(person.start)[:2]), person.living_area.words
    if not grids.walkable(person.start):
        yield Problem(person.where, f"{person.name} cannot stand on the start tile {x},{y}", _beds(home, grids))
    elif here != home:
        message = f"{person.name} starts in {here or 'the street'!r} but lives in {home!r}"
        yield Problem(person.where, message, _beds(home, grids))
    elif grids.objects.get(person.start) != BED:
        yield Problem(person.where, f"the start tile {x},{y} of {person.name} is not a bed", _beds(home, grids))


def _beds(home: str, grids: Grids) -> str:
    """Return how to fix a start tile: name the bed tiles of the home."""
    tiles = sorted(tile for tile, name in grids.objects.items() if name == BED)
    beds = [f"[{x}, {y}]" for x, y in tiles if ":".join(grids.address((x, y))[:2]) == home]
    return f"start in a bed at home: {' or '.join(beds)}" if beds else f"add a bed to {home} and start there"
