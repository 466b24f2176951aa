"""Compare the built assets with a fresh build of the town file, byte by byte."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from town_builder.art.canvas import load
from town_builder.build import build, ids_path, read_town
from town_builder.problems import Problem

PARTS = ("matrix", "visuals")
"""Parts of a maze folder that the town file determines; history files are not among them."""
ALIKE = {".png": 0.0, ".webp": 4.0}
"""Average difference of pixels, of 255, up to which pictures are the same: other encoders make slightly other WebP."""
REBUILD = "build the town again, or undo the change"


def compare_with_build(town: Path, assets: Path) -> list[Problem]:
    """Return every file that differs from a fresh build.

    A picture with other bytes but the same pixels is a warning. Raises TownError for a town that cannot be built.
    """
    plan, _ = read_town(town)
    with TemporaryDirectory() as temporary:
        fresh_ids = Path(temporary) / "ids.json"
        fresh = build(town, Path(temporary), ids_to=fresh_ids).folder
        ids = ids_path(town, plan)
        problems = list(_difference(fresh_ids, ids, str(ids)))
        for part in PARTS:
            problems += differences(fresh / part, assets / plan.maze_name / part)
        return problems


def differences(fresh: Path, kept: Path) -> list[Problem]:
    """Return the files in which two folders differ, sorted by path."""
    names = sorted(
        {path.relative_to(folder) for folder in (fresh, kept) for path in folder.rglob("*") if path.is_file()}
    )
    return [found for name in names for found in _difference(fresh / name, kept / name, str(kept / name))]


def _difference(fresh: Path, kept: Path, where: str) -> Iterator[Problem]:
    if not kept.is_file():
        yield Problem(where, "is missing", REBUILD)
    elif not fresh.is_file():
        yield Problem(where, "is not made by the town file", "delete it")
    elif fresh.read_bytes() != kept.read_bytes():
        if fresh.suffix in ALIKE and _difference_of_pixels(fresh, kept) <= ALIKE[fresh.suffix]:
            yield Problem(where, "has different bytes but the same pixels", "no fix is needed", warning=True)
        else:
            yield Problem(where, "differs from what the town file makes", REBUILD)


def _difference_of_pixels(one: Path, other: Path) -> float:
    """Return how much two pictures differ on average, of 255."""
    first, second = load(one).pixels, load(other).pixels
    return float(np.abs(first.astype(int) - second).mean()) if first.shape == second.shape else float("inf")
