"""The path tester: what a persona would learn about the town if it stood where the camera of the page is."""

import asyncio
import sys
from collections.abc import Mapping

from ville.console import input_has_ended
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.prompt.inspect import tree_text
from ville.prompt.user_session import UserSession
from ville.simulation.running.run_loop import StopRequest, stop_on_interrupt
from ville.storage.exchange.temp_storage import TempStorage
from ville.world.address import Tile
from ville.world.maze import Maze

RADIUS = 8
"""In tiles."""
ROW_OFFSET = 1
"""The tile meant by the page is one below the centre of its camera."""


def learn(places: SpatialMemory, maze: Maze, camera: Mapping[str, object]) -> bool:
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


async def show_places_at_camera(session: UserSession) -> None:
    """Answer the path tester page every second, until Ctrl-C or the end of input."""
    temp_storage, places, stop = TempStorage(session.settings.fs_temp_storage), SpatialMemory(), StopRequest()
    session.terminal.say("Path tester mode is on. Press Ctrl-C to return to the prompt.")
    with stop_on_interrupt(stop, session.terminal.clear):
        while not stop.requested:
            camera = temp_storage.take_camera()
            if camera and learn(places, session.simulation.town.maze, camera):
                temp_storage.show_places(places.tree)
                session.terminal.say("= " * 15, tree_text(places.tree))
            if input_has_ended(sys.stdin):
                return
            await asyncio.sleep(1)
    session.end_with(stop)
