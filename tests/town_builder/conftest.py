"""A small valid town, and ways to break it in one place."""

import json
from pathlib import Path

import pytest

from town_builder.build import build
from town_builder.check.roads import street_problems
from town_builder.check.validate import validate_grids
from town_builder.grid.compile import compile_plan
from town_builder.grid.matrix import LABELS, Matrix, read_blocks
from town_builder.plan.town_file import load_plan
from town_builder.problems import TownError
from town_builder.stamps import load_stamps

MAZES = ("collision", *LABELS)
COTTAGE = Path(__file__).with_name("cottage.yaml")


@pytest.fixture(scope="session")
def read_matrix():
    """Return the function that reads a folder `matrix/`, of ours or of others."""
    return matrix_in


def matrix_in(folder):
    meta = json.loads((folder / "maze_meta_info.json").read_text("utf-8"))
    texts = {
        name: (folder / f"maze/{name}_maze.csv").read_text("utf-8").replace("\n", ",")
        for name in ("collision", *LABELS)
    }
    mazes = {name: tuple(int(cell) for cell in text.split(",") if cell.strip()) for name, text in texts.items()}
    return Matrix(
        meta["world_name"],
        meta["maze_width"],
        meta["maze_height"],
        mazes,
        read_blocks(folder / "special_blocks"),
        meta["sq_tile_size"],
        meta["special_constraint"],
    )


class Town:
    """A town file that a test can change, line by line."""

    def __init__(self, path):
        self.path = path
        self.text = COTTAGE.read_text(encoding="utf-8")
        self.save()

    def save(self):
        self.path.write_text(self.text, encoding="utf-8")

    def change(self, old, new):
        assert self.text.count(old) == 1, f"{old!r} is not there exactly once"
        self.text = self.text.replace(old, new)
        self.save()
        return self

    def line_of(self, words):
        return next(line for line, text in enumerate(self.text.splitlines(), 1) if words in text)

    def plan(self):
        return load_plan(self.path)

    def compiled(self):
        return compile_plan(self.plan(), load_stamps())

    def problems(self):
        """Return all problems in the order of `validate`."""
        try:
            plan = load_plan(self.path)
            compiled = compile_plan(plan, load_stamps())
        except TownError as error:
            return list(error.problems)
        more = (*street_problems(plan, compiled.grids), *validate_grids(compiled.grids).problems)
        return [*compiled.problems, *more]


@pytest.fixture
def town(tmp_path):
    return Town(tmp_path / "cottage.yaml")


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Return the maze folder of the cottage, built once for all tests that only read it."""
    folder = tmp_path_factory.mktemp("built")
    town = Town(folder / "cottage.yaml")
    return build(town.path, folder / "assets").folder
