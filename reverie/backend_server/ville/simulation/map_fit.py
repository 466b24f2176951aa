"""Whether a simulation was recorded on the map it is opened on, or on another map of the same name."""

from ville.simulation.simulation import Simulation
from ville.storage.simulation_folder import SimulationFolder
from ville.world.address import Tile
from ville.world.maze import Maze

SAMPLE = 200
"""Steps that are looked at, evenly from all."""
TOLERANCE = 0.02
"""The share of tiles in walls that says nothing: the map may have been changed a little."""


def map_notice(simulation: Simulation) -> list[str]:
    """One line where people were recorded in walls, with what to do about it; no line otherwise."""
    maze, name = simulation.town.maze, simulation.name
    share = share_in_walls(simulation.folder, maze)
    if share <= TOLERANCE:
        return []
    wrong = f"{name} was recorded on another map than {maze.name}: {share:.0%} of its steps lead through walls."
    adopt = f"python environment/build_town.py adopt {name} --map FOLDER_OF_THAT_MAP"
    return [f"{wrong} Leave with 'fin', then: {adopt} (see MIGRATION.md)"]


def share_in_walls(folder: SimulationFolder, maze: Maze) -> float:
    """The share of recorded tiles that are walls of a map, or beyond it."""
    last = folder.meta.step
    tiles = [Tile(*tile) for step in range(0, last, max(1, last // SAMPLE)) for tile in folder.shown_tiles(step)]
    return sum(tile not in maze or maze.is_wall(tile) for tile in tiles) / len(tiles) if tiles else 0.0
