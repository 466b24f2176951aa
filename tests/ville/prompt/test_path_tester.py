"""The path tester."""

import pytest

from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.prompt.path_tester import learn


@pytest.fixture
def maze(opened):
    return opened("new").town.maze


def test_only_the_room_of_the_camera_is_seen(maze):
    """The tile is one below that of the camera."""
    places = SpatialMemory()
    assert learn(places, maze, {"maze": "small", "x": 1.5 * 32, "y": 0.5 * 32})
    assert places.tree == {"the Town": {"Ada's flat": {"main room": ["bed", "closet"]}}}


@pytest.mark.parametrize("camera", [{"x": -100, "y": 0}, {"x": 1e6, "y": 3}, {"x": "1", "y": 1}, {}])
def test_a_camera_off_the_map_sees_nothing(maze, camera):
    """The same for a malformed position."""
    places = SpatialMemory()
    assert not learn(places, maze, camera)
    assert places.tree == {}
