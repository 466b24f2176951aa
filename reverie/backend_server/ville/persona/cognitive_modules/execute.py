"""Movement: find a path to where the action takes place, and take one tile per step."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from typing import Any

from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.cognitive_modules.view import Intent, Reaction, TownView
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.scratch import Scratch
from ville.world.address import Address, AnywhereIn, AtPlace, AtTile, Destination, NearPersona, Tile, parse_destination

CANDIDATE_TILES = 4
"""Number of random tiles of a place from which the nearest is chosen."""
RESTING = "idle"
RESTING_EMOJI = "🙂"
"""Shown before the first action."""

destination_of = cache(parse_destination)


@dataclass(frozen=True)
class Walker:
    """A persona that needs a path."""

    name: str
    here: Tile
    home: str
    view: TownView
    random: Random


def execute(mind: Mind, moment: Moment, reaction: Reaction) -> Intent:
    """Find a path if the action has none yet, and take its next tile."""
    scratch, view = mind.scratch, moment.view
    here = view.people[mind.name].tile
    if needs_path(scratch) and scratch.action:
        walker = Walker(mind.name, here, scratch.identity.living_area, view, moment.randomness(mind.name))
        scratch.planned_path = path_to(destination_of(scratch.action.address), walker)
        scratch.path_set = True
    return take_step(mind, here, reaction)


def needs_path(scratch: Scratch) -> bool:
    """Return whether an action has no path yet, or has reached a random tile and needs the next one."""
    if scratch.action is None:
        return False
    arrived = not scratch.planned_path
    return not scratch.path_set or (arrived and isinstance(destination_of(scratch.action.address), AnywhereIn))


def take_step(mind: Mind, here: Tile, reaction: Reaction) -> Intent:
    """Return the next tile of the planned path, and what is displayed meanwhile."""
    scratch = mind.scratch
    next_tile = scratch.planned_path.pop(0) if scratch.planned_path else here
    emoji, description = displayed_action(scratch.action, scratch.identity.living_area)
    asleep = bool(scratch.action and scratch.action.asleep)
    return Intent(mind.name, next_tile, emoji, description, reaction, asleep)


def displayed_action(action: Action | None, home: str) -> tuple[str, str]:
    """Return the emoji, and the text `<action> @ <address>`."""
    if action is None:
        return RESTING_EMOJI, f"{RESTING} @ {home}"
    return action.emoji or RESTING_EMOJI, f"{action.description} @ {action.address}"


def path_to(destination: Destination, walker: Walker) -> list[Tile]:
    """Return the tiles to walk, without the current one. Empty if already there or nothing can be reached."""
    if isinstance(destination, NearPersona):
        return _path_to_meet(destination.name, walker)
    for tiles in _candidates(destination, walker):
        path = _path_to_nearest(tiles, walker)
        if path is not None:
            return path[1:]
    return []


def _candidates(destination: Destination, walker: Walker) -> Iterator[Sequence[Tile]]:
    """Yield the tiles of the destination in random order, then those of its fallbacks."""
    for tiles in _TILES[type(destination)](destination, walker):
        yield walker.random.sample(tiles, len(tiles))


def _tiles_of_place(destination: AtPlace, walker: Walker) -> Iterator[Sequence[Tile]]:
    """Yield the tiles of the place, of its arena, and of home."""
    known = walker.view.maze.address_tiles
    for address in (str(destination.address), str(destination.address.arena_address), walker.home):
        yield known.get(address, ())


def _tile_to_wait_at(destination: AtTile, _walker: Walker) -> Iterator[Sequence[Tile]]:
    yield (destination.tile,)


def _tiles_to_wander_to(destination: AnywhereIn, walker: Walker) -> Iterator[Sequence[Tile]]:
    """Yield single tiles in random order, so that distance does not matter; then those of home."""
    tiles = walker.view.maze.address_tiles.get(str(destination.arena), ())
    for tile in walker.random.sample(tiles, len(tiles)):
        yield (tile,)
    yield from _tiles_of_place(AtPlace(Address.parse(walker.home)), walker)


_TILES: dict[type, Callable[[Any, Walker], Iterator[Sequence[Tile]]]] = {
    AtPlace: _tiles_of_place,
    AtTile: _tile_to_wait_at,
    AnywhereIn: _tiles_to_wander_to,
}


def _path_to_nearest(tiles: Sequence[Tile], walker: Walker) -> list[Tile] | None:
    """Return the path to the nearest of the first reachable tiles, free ones first; None if none is reachable."""
    taken = partial(_is_taken, walker)
    in_order = sorted(tiles, key=taken)
    for start in range(0, len(in_order), CANDIDATE_TILES):
        candidates = in_order[start : start + CANDIDATE_TILES]
        steps = {tile: walker.view.paths.distance(walker.here, tile) for tile in candidates}
        reachable = [tile for tile, distance in steps.items() if distance is not None]
        if reachable:
            free = [tile for tile in reachable if not taken(tile)] or reachable
            nearest = min(free, key=lambda tile: steps[tile] or 0)
            return walker.view.paths.path(walker.here, nearest)
    return None


def _is_taken(walker: Walker, tile: Tile) -> bool:
    """Return whether another person stands on a tile."""
    return any(other.name != walker.name for other in walker.view.people.on(tile))


def _path_to_meet(name: str, walker: Walker) -> list[Tile]:
    """Return half of the path between two personas: both walk the same path and stop side by side."""
    other = walker.view.people.get(name)
    if other is None:
        return []
    ends = [walker.here, other.tile] if walker.name < name else [other.tile, walker.here]
    between = walker.view.paths.path(ends[0], ends[1])
    if between is None:
        return []
    from_here = between if walker.name < name else between[::-1]
    return from_here[1 : (len(from_here) - 2) // 2 + 1]
