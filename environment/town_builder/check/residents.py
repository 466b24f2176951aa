"""Whether the people of a stored simulation would find the places they know, and wake up where they live."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from town_builder.grid.grids import BED, AddressParts, Grids
from town_builder.problems import Problem, town_error

MEMORY = Path("bootstrap_memory")


@dataclass
class ResidentCounts:
    """How many places and start tiles were looked for, and how many were right."""

    people: int = 0
    known: int = 0
    found: int = 0
    started: int = 0

    def __str__(self) -> str:
        return (
            f"{self.people} people, {self.found} of {self.known} known places are there, "
            f"{self.started} of {self.people} start tiles are right"
        )


def resident_problems(grids: Grids, simulation: Path) -> tuple[ResidentCounts, list[Problem]]:
    """Everything in `storage/<simulation>` that does not fit the town. Raises TownError for a broken simulation."""
    counts, problems = ResidentCounts(), list[Problem]()
    try:
        meta = _json(simulation / "reverie" / "meta.json")
        problems += _maze_problems(grids, simulation, str(meta["maze_name"]))
        step = _whole(meta["step"])
        environment = simulation / "environment" / f"{step}.json"
        starts = _json(environment)
        for name in meta["persona_names"]:
            memory = simulation / "personas" / name / MEMORY
            home, missing = _memory_problems(grids, name, memory, counts)
            start_problems = list(_start_problems(grids, name, home, (environment, starts.get(name), step)))
            counts.people += 1
            counts.started += not start_problems
            problems += [*missing, *start_problems]
    except (KeyError, TypeError, AttributeError) as error:
        raise town_error(
            str(simulation), f"is no stored simulation ({error!r})", "compare it with a base_ folder"
        ) from error
    return counts, problems


def _memory_problems(
    grids: Grids, name: str, memory: Path, counts: ResidentCounts
) -> tuple[AddressParts, list[Problem]]:
    """Where somebody lives, without the world, and a fault for each place they know that is not there."""
    home = tuple(_json(memory / "scratch.json")["living_area"].split(":"))
    places = [(memory / "spatial_memory.json", place) for place in _places(_json(memory / "spatial_memory.json"))]
    places.append((memory / "scratch.json", home))
    addresses = grids.addresses
    missing = [
        Problem(
            str(path), f"{name} knows {':'.join(place)}, which is not in the town", "add it to the town, or forget it"
        )
        for path, place in places
        if place[0] != grids.world or (place[1:] and place[1:] not in addresses)
    ]
    counts.known += len(places)
    counts.found += len(places) - len(missing)
    return home[1:], missing


def _places(tree: dict[str, Any]) -> Iterator[AddressParts]:
    """Every address of a spatial memory: world, sector, arena, object."""
    for world, sectors in tree.items():
        yield (world,)
        for sector, arenas in sectors.items():
            yield (world, sector)
            for arena, objects in arenas.items():
                yield (world, sector, arena)
                yield from ((world, sector, arena, name) for name in objects)


def _start_problems(
    grids: Grids, name: str, home: AddressParts, start: tuple[Path, dict[str, Any] | None, int]
) -> Iterator[Problem]:
    """Why somebody cannot begin where the simulation puts them; at step 0 they begin in their own bed."""
    environment, place, step = start
    if not place:
        yield Problem(str(environment), f"{name} stands nowhere", "add a tile for them")
        return
    tile = _whole(place["x"]), _whole(place["y"])
    where = f"{environment}, {name} at {tile[0]},{tile[1]}"
    if not grids.walkable(tile):
        yield Problem(where, "the start tile is solid or outside the map", "move it, or free the tile")
    elif step == 0 and grids.address(tile)[: len(home)] != home:
        there = ":".join(grids.address(tile)) or "the street"
        yield Problem(where, f"the start tile lies in {there}, not in {':'.join(home)}", "move one of the two")
    elif step == 0 and grids.objects.get(tile) != BED:
        yield Problem(where, "the start tile is no bed", "move it to a use tile of a bed")


def _maze_problems(grids: Grids, simulation: Path, maze_name: str) -> Iterator[Problem]:
    if maze_name != grids.maze_name:
        message = f"plays in the maze {maze_name!r}, and this is {grids.maze_name!r}"
        yield Problem(str(simulation), message, "look at the town it belongs to, or change its meta.json", warning=True)


def _whole(found: object) -> int:
    """A number of a simulation's files. Raises TypeError for anything else."""
    if not isinstance(found, int):
        raise TypeError(f"{found!r} is no whole number")
    return found


def _json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise town_error(
            str(path), f"cannot be read ({error.strerror})", "give the folder of a stored simulation"
        ) from error
    except ValueError as error:
        raise town_error(str(path), f"is not JSON ({error})", "mend it") from error
