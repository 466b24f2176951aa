"""The committed map equals a build of the committed town file."""

from pathlib import Path

import pytest

from town_builder.compare_build import compare_with_build
from town_builder.tiled.preview import OVERVIEW_BYTES

ENVIRONMENT = Path(__file__).resolve().parents[2] / "environment"
ASSETS = ENVIRONMENT / "frontend_server/static_dirs/assets"


LARGEST_PREVIEW = 2_000_000
"""In bytes."""


@pytest.mark.slow
def test_the_committed_map_is_built_from_the_committed_file():
    """Building the Ville again changes no pixel and no other file, and the preview stays small."""
    if not (ASSETS / "the_ville/visuals").exists():
        pytest.skip("the Ville has not been built: python environment/build_town.py build .../towns/the_ville.yaml")
    assert (ASSETS / "the_ville/visuals/preview.png").stat().st_size < LARGEST_PREVIEW
    assert (ASSETS / "the_ville/visuals/overview.webp").stat().st_size <= OVERVIEW_BYTES
    problems = compare_with_build(ENVIRONMENT / "town_builder/towns/the_ville.yaml", ASSETS)
    assert not [str(problem) for problem in problems if not problem.warning]
