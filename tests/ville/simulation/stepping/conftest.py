"""Random towns, in which people meet who are at steps of their own, or live in several processes."""

from random import Random

import pytest

NAMES = ("Ada Stone", "Ben Reed", "Cleo Adams Moor", "Dan Hill", "Eve Park", "Finn Lake")


@pytest.fixture
def random_town(tmp_path, write_small_town, draw_map):
    """Write a town by a seed: two blocks with a few more walls, in which people stand and see as far as is drawn."""

    def write(seed):
        chance = Random(seed)  # noqa: S311 - no secrets
        rows, people = draw_map(chance)
        town = write_small_town(tmp_path / str(seed), rows=rows, people=people)
        meta = town.root / "storage/base/reverie/meta.json"
        meta.write_text(meta.read_text("utf-8").replace(" 00:00:00", " 05:30:00"), "utf-8")
        return town, {"tuning": f"vision_r={chance.choice((1, 2, 3, 5))}"}

    return write


@pytest.fixture
def draw_map(write_small_town):
    """Return the rows of a map, and who stands where."""
    block = write_small_town.__globals__["MAP"]

    def draw(chance):
        beside = [f"{row[:-1]}{'.' if '..' in row else row[-1]}{row[1:]}" for row in block]
        rows = ["".join("#" if cell == "." and not chance.randrange(9) else cell for cell in row) for row in beside]
        free = [(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != "#"]
        return rows, {name: (chance.choice("abd"), chance.choice(free)) for name in NAMES[: chance.randrange(3, 7)]}

    return draw
