"""Check that the people of a stored simulation find the places they know and start at home."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from town_builder.grid.grids import BED, AddressParts, Grids
from town_builder.problems import Problem, town_error

MEMORY = Path("bootstrap_memory")
PACKED = "reverie/people.json"


@dataclass
class ResidentCounts:
    """Counts of known places and start tiles, and how many of them are valid."""

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
    """Return counts and problems of `storage/<simulation>`. Raises TownError for a damaged simulation."""
    counts, problems = ResidentCounts(), list[Problem]()
    if (simulation / PACKED).exists():
        name = simulation.name
        raise town_error(str(simulation), "keeps its people in one file", f"first type: ville steps unpack {name}")
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
            str(simulation), f"is not a stored simulation ({error!r})", "compare it with a base_ folder"
        ) from error
    return counts, problems


def _memory_problems(
    grids: Grids, name: str, memory: Path, counts: ResidentCounts
) -> tuple[AddressParts, list[Problem]]:
    """Return the home of a persona (without the world), and a problem for each known place that is missing."""
    home = tuple(_json(memory / "scratch.json")["living_area"].split(":"))
    places = [(memory / "spatial_memory.json", place) for place in _places(_json(memory / "spatial_memory.json"))]
    places.append((memory / "scratch.json", home))
    addresses = grids.addresses
    missing = [
        Problem(
            str(path),
            f"{name} knows {':'.join(place)}, which is not in the town",
            "add it to the town, or remove it here",
        )
        for path, place in places
        if place[0] != grids.world or (place[1:] and place[1:] not in addresses)
    ]
    counts.known += len(places)
    counts.found += len(places) - len(missing)
    return home[1:], missing


def _places(tree: dict[str, Any]) -> Iterator[AddressParts]:
    """Yield every address of a spatial memory: world, sector, arena, object."""
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
    """Yield why a persona cannot start on its tile; at step 0 it must be in its own bed."""
    environment, place, step = start
    if not place:
        yield Problem(str(environment), f"{name} has no position", "add one")
        return
    tile = _whole(place["x"]), _whole(place["y"])
    where = f"{environment}, {name} at {tile[0]},{tile[1]}"
    if not grids.walkable(tile):
        yield Problem(where, "the start tile is solid or outside the map", "move it, or free the tile")
    elif step == 0 and grids.address(tile)[: len(home)] != home:
        there = ":".join(grids.address(tile)) or "the street"
        yield Problem(where, f"the start tile is in {there}, not in {':'.join(home)}", "move one of the two")
    elif step == 0 and grids.objects.get(tile) != BED:
        yield Problem(where, "the start tile is not a bed", "move it to a use tile of a bed")


def _maze_problems(grids: Grids, simulation: Path, maze_name: str) -> Iterator[Problem]:
    if maze_name != grids.maze_name:
        message = f"uses the maze {maze_name!r}, but this is {grids.maze_name!r}"
        yield Problem(str(simulation), message, "check it against its own town, or change its meta.json", warning=True)


def _whole(found: object) -> int:
    """Return an integer from a simulation file. Raises TypeError for anything else."""
    if not isinstance(found, int):
        raise TypeError(f"{found!r} is not a whole number")
    return found


def _json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise town_error(
            str(path), f"cannot be read ({error.strerror})", "give the folder of a stored simulation"
        ) from error
    except ValueError as error:
        raise town_error(str(path), f"is not JSON ({error})", "fix or restore it") from error
