"""The path tester: what a persona would learn about the town if it stood where the camera of the page is."""

from collections.abc import Mapping
from typing import Any

from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.world.address import Tile
from ville.world.maze import Maze

RADIUS = 8
"""In tiles."""
ROW_OFFSET = 1
"""The tile meant by the page is one below the centre of its camera."""


def learn(places: SpatialMemory, maze: Maze, camera: Mapping[str, Any]) -> bool:
    """Add all places near the camera and in the same room; return whether the camera is over the map."""
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
