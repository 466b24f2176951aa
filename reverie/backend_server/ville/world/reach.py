"""How many steps it takes to walk to an arena, from every tile."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ville.world.maze import Maze

Steps = npt.NDArray[np.int32]
"""Array of shape (height, width)."""


class Reach:
    """The ways to the arenas of a map, each computed when it is first asked for."""

    def __init__(self, maze: Maze) -> None:
        shape = maze.height, maze.width
        self.arenas: npt.NDArray[np.int64] = np.array(maze.arena_numbers, dtype=np.int64).reshape(shape)
        """Number of the arena of each tile, by row and column."""
        self._free = ~np.array([maze.is_wall(tile) for tile in maze], dtype=bool).reshape(shape)
        self._steps: dict[int, Steps] = {}

    def arena_of(self, tile: Sequence[int] | npt.NDArray[np.int64]) -> int:
        """Return the number of the arena of a tile."""
        return int(self.arenas[tile[1], tile[0]])

    def steps_to(self, arena: int) -> Steps:
        """Return for each tile the fewest steps to an arena, by its number; 0 where there is no way, to be careful."""
        if arena not in self._steps:
            self._steps[arena] = self._computed(self.arenas == arena)
        return self._steps[arena]

    def _computed(self, seen: npt.NDArray[np.bool_]) -> Steps:
        steps: Steps = np.zeros(seen.shape, dtype=np.int32)
        wave, passed = seen, 0
        while wave.any():
            passed += 1
            near = np.zeros_like(wave)
            near[1:] |= wave[:-1]
            near[:-1] |= wave[1:]
            near[:, 1:] |= wave[:, :-1]
            near[:, :-1] |= wave[:, 1:]
            near &= ~seen
            steps[near] = passed
            seen = seen | near
            wave = near & self._free  # somebody may stand on a wall, but nobody walks through one
        return steps
