"""From intention to the next tile: where the action takes place, how to get there, one step of the way."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.cognitive_modules.view import Intent, Reaction, TownView
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.scratch import Scratch
from ville.world.address import Address, AnywhereIn, AtPlace, AtTile, Destination, NearPersona, Tile, parse_destination

CANDIDATE_TILES = 4
"""Tiles of a place of which the nearest is chosen."""
RESTING = "idle"
RESTING_EMOJI = "🙂"
"""What is shown of somebody whose first action has not begun."""

destination_of = cache(parse_destination)


@dataclass(frozen=True)
class Walker:
    """Somebody about to choose a way."""

    name: str
    here: Tile
    home: str
    view: TownView
    random: Random


def execute(mind: Mind, moment: Moment, reaction: Reaction) -> Intent:
    """Choose a way if none is chosen, and take the next tile of it."""
    scratch, view = mind.scratch, moment.view
    here = view.people[mind.name].tile
    if needs_path(scratch) and scratch.action:
        walk = Walker(mind.name, here, scratch.identity.living_area, view, moment.randomness(mind.name))
        scratch.planned_path = path_to(destination_of(scratch.action.address), walk)
        scratch.path_set = True
    return take_step(mind, here, reaction)


def needs_path(scratch: Scratch) -> bool:
    """Whether a new action has begun, or the end of one leg of wandering about is reached."""
    if scratch.action is None:
        return False
    arrived = not scratch.planned_path
    return not scratch.path_set or (arrived and isinstance(destination_of(scratch.action.address), AnywhereIn))


def take_step(mind: Mind, here: Tile, reaction: Reaction) -> Intent:
    """The next tile of the way there is, and what others see meanwhile."""
    scratch = mind.scratch
    next_tile = scratch.planned_path.pop(0) if scratch.planned_path else here
    emoji, description = displayed_action(scratch.action, scratch.identity.living_area)
    asleep = bool(scratch.action and scratch.action.asleep)
    return Intent(mind.name, next_tile, emoji, description, reaction, asleep)


def displayed_action(action: Action | None, home: str) -> tuple[str, str]:
    """Emoji and `<what> @ <address>`."""
    if action is None:
        return RESTING_EMOJI, f"{RESTING} @ {home}"
    return action.emoji or RESTING_EMOJI, f"{action.description} @ {action.address}"


def path_to(destination: Destination, walk: Walker) -> list[Tile]:
    """The tiles to walk, without the one stood on; none if one is there already or nothing can be reached."""
    if isinstance(destination, NearPersona):
        return _way_to_meet(destination.name, walk)
    for tiles in _places_to_try(destination, walk):
        path = _way_to_nearest(tiles, walk)
        if path is not None:
            return path[1:]
    return []


def _places_to_try(destination: Destination, walk: Walker) -> Iterator[Sequence[Tile]]:
    """The place itself; failing that the room it is in; failing that home. Tiles of each in random order."""
    for tiles in _TILES[type(destination)](destination, walk):
        yield walk.random.sample(tiles, len(tiles))


def _tiles_of_place(destination: AtPlace, walk: Walker) -> Iterator[Sequence[Tile]]:
    known = walk.view.maze.address_tiles
    for address in (str(destination.address), str(destination.address.arena_address), walk.home):
        yield known.get(address, ())


def _tile_to_wait_at(destination: AtTile, _walk: Walker) -> Iterator[Sequence[Tile]]:
    yield (destination.tile,)


def _tiles_to_wander_to(destination: AnywhereIn, walk: Walker) -> Iterator[Sequence[Tile]]:
    """One tile after the other, so that it is chance and not nearness that decides."""
    tiles = walk.view.maze.address_tiles.get(str(destination.arena), ())
    for tile in walk.random.sample(tiles, len(tiles)):
        yield (tile,)
    yield from _tiles_of_place(AtPlace(Address.parse(walk.home)), walk)


_TILES: dict[type, Callable[[Any, Walker], Iterator[Sequence[Tile]]]] = {
    AtPlace: _tiles_of_place,
    AtTile: _tile_to_wait_at,
    AnywhereIn: _tiles_to_wander_to,
}


def _way_to_nearest(tiles: Sequence[Tile], walk: Walker) -> list[Tile] | None:
    """To the nearest of the first few tiles that can be reached, free ones first; None if none can be."""
    taken = {other.tile for other in walk.view.people.values() if other.name != walk.name}
    in_order = sorted(tiles, key=lambda tile: tile in taken)
    for start in range(0, len(in_order), CANDIDATE_TILES):
        few = in_order[start : start + CANDIDATE_TILES]
        steps = {tile: walk.view.paths.distance(walk.here, tile) for tile in few}
        reachable = [tile for tile, distance in steps.items() if distance is not None]
        if reachable:
            free = [tile for tile in reachable if tile not in taken] or reachable
            nearest = min(free, key=lambda tile: steps[tile] or 0)
            return walk.view.paths.path(walk.here, nearest)
    return None


def _way_to_meet(name: str, walk: Walker) -> list[Tile]:
    """Half of the way between two people, who both walk the same one and stop face to face."""
    other = walk.view.people.get(name)
    if other is None:
        return []
    ends = [walk.here, other.tile] if walk.name < name else [other.tile, walk.here]
    between = walk.view.paths.path(ends[0], ends[1])
    if between is None:
        return []
    from_here = between if walk.name < name else between[::-1]
    return from_here[1 : (len(from_here) - 2) // 2 + 1]
