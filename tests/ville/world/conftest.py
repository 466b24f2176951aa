"""Mazes drawn as text."""

import pytest

from ville.world.maze import Layers, Maze, Place


def drawn_maze(*rows: str, places: dict[str, Place] | None = None, world: str = "the Town") -> Maze:
    """Return a maze with walls at '#' and places at the other characters."""
    known = places or {}
    cells = "".join(rows)
    return Maze(
        Layers(
            name="drawn",
            width=len(rows[0]),
            height=len(rows),
            places=[known.get(cell, Place(world)) for cell in cells],
            walls=[cell == "#" for cell in cells],
            spawns=["sp-A" if cell == "S" else "" for cell in cells],
        )
    )


@pytest.fixture(scope="session")
def draw():
    return drawn_maze
