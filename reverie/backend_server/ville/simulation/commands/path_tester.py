"""The path tester: what somebody would learn of the town who stands where the page's camera is."""

from collections.abc import Mapping
from typing import Any

from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.world.address import Tile
from ville.world.maze import Maze

RADIUS = 8
"""Tiles."""
ROW_OFFSET = 1
"""The camera's middle is a tile above the one that is meant."""


def learn(places: SpatialMemory, maze: Maze, camera: Mapping[str, Any]) -> bool:
    """Add what is near and in the same room; whether the camera was over the map."""
    x, y = camera.get("x"), camera.get("y")
    if not isinstance(x, int | float) or not isinstance(y, int | float):
        return False
    over = maze.tile_at_pixel(x, y)
    here = Tile(over.x, over.y + ROW_OFFSET)
    if here not in maze:
        return False
    room = maze.place(here)[:3]
    for place in maze.places_near(here, RADIUS):
        if place[:3] == room:
            places.add(*place)
    return True
