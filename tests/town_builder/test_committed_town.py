"""The committed map equals a build of the committed town file."""

from pathlib import Path

import pytest

from town_builder.compare_build import compare_with_build
from town_builder.tiled.preview import OVERVIEW_BYTES

ENVIRONMENT = Path(__file__).resolve().parents[2] / "environment"
ASSETS = ENVIRONMENT / "frontend_server/static_dirs/assets"


LARGEST = {
    "preview.png": 2_000_000,
    "overview.webp": OVERVIEW_BYTES,
    "front.webp": 350_000,
    "front_large.webp": 500_000,
}
"""In bytes. At 4 Mbit/s, those of the front page arrive within a second."""


@pytest.mark.slow
def test_the_committed_map_is_built_from_the_committed_file():
    """Building the Ville again changes no pixel and no other file, and the pictures stay small."""
    if not (ASSETS / "the_ville/visuals").exists():
        pytest.skip("the Ville has not been built: python environment/build_town.py build .../towns/the_ville.yaml")
    assert not [name for name, most in LARGEST.items() if (ASSETS / "the_ville/visuals" / name).stat().st_size > most]
    problems = compare_with_build(ENVIRONMENT / "town_builder/towns/the_ville.yaml", ASSETS)
    assert not [str(problem) for problem in problems if not problem.warning]
