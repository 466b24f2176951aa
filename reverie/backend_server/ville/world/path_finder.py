"""Shortest walks over a maze, four directions, one tile a step.

The tiles that are n steps away from a start form a wave; a wave is one whole number with a bit for each tile, so that
the next wave costs a few shifts of it. A column and a row of padding keep walks from leaving one border and entering
another.
"""

from collections import OrderedDict

from ville.world.address import Tile
from ville.world.maze import Maze

KEPT_STARTS = 64
"""From how many tiles the waves are remembered; a full set for a map of 140 × 100 takes some 300 kB."""


class _Waves:
    """The waves around one start, computed as far as anybody has asked."""

    def __init__(self, start: int, free: int, stride: int) -> None:
        self._free = free & ~(1 << start)
        self._stride = stride
        self.waves = [1 << start]

    def distance(self, bit: int) -> int | None:
        """Steps to a tile, or None if there is no way."""
        for steps, wave in enumerate(self.waves):
            if wave & bit:
                return steps
        while self.waves[-1]:
            wave = self._next()
            if wave & bit:
                return len(self.waves) - 1
        return None

    def _next(self) -> int:
        last, stride = self.waves[-1], self._stride
        wave = (last << 1 | last >> 1 | last << stride | last >> stride) & self._free
        self._free ^= wave
        self.waves.append(wave)
        return wave


class PathFinder:
    """Walks over one maze. A start may lie inside a wall, an end may not."""

    def __init__(self, maze: Maze) -> None:
        self._maze = maze
        self._stride = maze.width + 1
        self._ways_back = (-self._stride, -1, self._stride, 1)
        self._free = sum(1 << self._index(tile) for tile in maze if not maze.is_wall(tile))
        self._starts: OrderedDict[Tile, _Waves] = OrderedDict()

    def distance(self, start: Tile, end: Tile) -> int | None:
        """Steps from start to end; None if there is no way."""
        if start not in self._maze or end not in self._maze:
            return None
        return self._waves(start).distance(1 << self._index(end))

    def path(self, start: Tile, end: Tile) -> list[Tile] | None:
        """The tiles of a shortest walk, both ends included; None if there is no way.

        Among equally short walks it is the one found by walking back from the end, each time to the first nearer
        neighbour of north, west, south and east.
        """
        steps = self.distance(start, end)
        if steps is None:
            return None
        here = self._index(end)
        path = [end]
        for wave in reversed(self._starts[start].waves[:steps]):
            for way in self._ways_back:
                if wave >> here + way & 1:
                    here += way
                    break
            path.append(Tile(here % self._stride, here // self._stride - 1))
        return path[::-1]

    def _index(self, tile: Tile) -> int:
        return (tile[1] + 1) * self._stride + tile[0]

    def _waves(self, start: Tile) -> _Waves:
        if start not in self._starts:
            self._starts[start] = _Waves(self._index(start), self._free, self._stride)
            if len(self._starts) > KEPT_STARTS:
                self._starts.popitem(last=False)
        self._starts.move_to_end(start)
        return self._starts[start]
