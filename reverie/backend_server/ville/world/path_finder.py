"""Shortest paths over a maze in four directions: breadth-first search on bit sets.

The tiles at distance n from a start form a wave. A wave is an integer with one bit per tile, so that the next wave
takes a few shifts. One column and one row of padding keep waves from wrapping around the borders.
"""

from collections import OrderedDict

from ville.world.address import Tile
from ville.world.maze import Maze

KEPT_STARTS, KEPT_BYTES = 64, 2**25
"""How many starts are cached, and their bytes. The waves of one start take about 100 kB on a map of 140 × 100 tiles,
and a megabyte in a city.
"""


class _Waves:
    """Waves around one start, computed as far as needed."""

    def __init__(self, start: int, free: int, stride: int) -> None:
        self._stride = stride
        self._free = free & ~(1 << start)
        self._last = 1 << start
        self.waves = [(1, start)]
        """Each without the rows before the first that it can reach, and the number of the tile of its lowest bit."""
        self.size = 0
        """Bytes of all waves, about."""

    def distance(self, tile: int) -> int | None:
        """Return the steps to a tile, given its number, or None if it cannot be reached."""
        for steps, (bits, first) in enumerate(self.waves):
            if tile >= first and bits >> tile - first & 1:
                return steps
        bit, first, stride = 1 << tile, self.waves[-1][1], self._stride
        while last := self._last:
            self._last = wave = (last << 1 | last >> 1 | last << stride | last >> stride) & self._free
            self._free ^= wave
            first = max(0, first - stride)
            self.waves.append((wave >> first, first))
            self.size += max(0, wave.bit_length() - first) >> 3
            if wave & bit:
                return len(self.waves) - 1
        return None


class PathFinder:
    """Finds paths on one maze. A start may be a wall, an end may not."""

    def __init__(self, maze: Maze) -> None:
        self._maze = maze
        self._stride = maze.width + 1
        self._directions = (-self._stride, -1, self._stride, 1)
        self._free = _free_tiles(maze, self._stride)
        self._starts: OrderedDict[Tile, _Waves] = OrderedDict()
        self._size = 0
        """Bytes of all their waves."""

    def distance(self, start: Tile, end: Tile) -> int | None:
        """Return the steps from start to end, or None if there is no path."""
        if start not in self._maze or end not in self._maze:
            return None
        waves = self._waves(start)
        before = waves.size
        steps = waves.distance(self._index(end))
        self._size += waves.size - before
        self._forget()
        return steps

    def path(self, start: Tile, end: Tile) -> list[Tile] | None:
        """Return the tiles of a shortest path, both ends included, or None if there is no path.

        Ties are broken by walking back from the end, each time to the first closer tile of north, west, south, east.
        """
        steps = self.distance(start, end)
        if steps is None:
            return None
        here = self._index(end)
        path = [end]
        for bits, first in reversed(self._starts[start].waves[:steps]):
            for direction in self._directions:
                place = here + direction - first
                if place >= 0 and bits >> place & 1:
                    here += direction
                    break
            path.append(Tile(here % self._stride, here // self._stride - 1))
        return path[::-1]

    def _index(self, tile: Tile) -> int:
        return (tile[1] + 1) * self._stride + tile[0]

    def _waves(self, start: Tile) -> _Waves:
        if start not in self._starts:
            self._starts[start] = _Waves(self._index(start), self._free, self._stride)
        self._starts.move_to_end(start)
        return self._starts[start]

    def _forget(self) -> None:
        """Drop the starts that were used least recently, if there are too many. The last one stays."""
        while len(self._starts) > KEPT_STARTS or (self._size > KEPT_BYTES and len(self._starts) > 1):
            self._size -= self._starts.popitem(last=False)[1].size


def _free_tiles(maze: Maze, stride: int) -> int:
    """Return the bit set of all tiles that are no walls."""
    bits = "".join("0" if maze.is_wall(tile) else "1" for tile in maze)
    rows = [bits[start : start + maze.width][::-1] for start in range(0, len(bits), maze.width)]
    return int("".join(f"0{row}" for row in reversed(rows)) + "0" * stride, 2)
