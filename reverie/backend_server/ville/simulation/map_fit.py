"""Checks whether a simulation was recorded on the map it is opened on, not on another one of the same name."""

from collections.abc import Collection

from ville.command_lines import typed
from ville.simulation.simulation import Simulation
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.world.address import Tile
from ville.world.maze import Maze

SAMPLE = 200
"""Number of steps to look at, evenly spaced."""
TOLERANCE = 0.02
"""Share of tiles inside walls that is ignored: the map may have been edited a little."""


def map_notice(simulation: Simulation) -> list[str]:
    """Return a warning with the command that fixes it, if personas were recorded inside walls; otherwise nothing."""
    maze, name = simulation.town.maze, simulation.name
    share = share_in_walls(simulation.folder, maze)
    if share <= TOLERANCE:
        return []
    problem = f"{name} was recorded on a different map than {maze.name}: {share:.0%} of its positions are inside walls."
    adopt = typed("town", "adopt", name, "--map", "FOLDER_OF_THAT_MAP")
    return [f"{problem} Leave with 'fin', then run: {adopt} (see MIGRATION.md)"]


def share_in_walls(folder: SimulationFolder, maze: Maze) -> float:
    """Return the share of recorded tiles that are walls of a map or outside it."""
    last = folder.meta.step
    tiles = [tile for step in range(0, last, max(1, last // SAMPLE)) for tile in folder.shown_tiles(step)]
    return wall_share(tiles, maze)


def wall_share(tiles: Collection[tuple[int, int]], maze: Maze) -> float:
    """Return the share of tiles that are walls of a map or outside it."""
    inside = (Tile(*tile) for tile in tiles)
    return sum(tile not in maze or maze.is_wall(tile) for tile in inside) / len(tiles) if tiles else 0.0
