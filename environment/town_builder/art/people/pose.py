"""The twelve poses in which a person is drawn."""

from enum import Enum
from typing import NamedTuple

FRAME = 32
"""Side length of a frame in pixels."""


class View(Enum):
    """Direction from which the person is seen. SIDE looks left; looking right is its mirror image."""

    FRONT = "front"
    SIDE = "side"
    BACK = "back"


class Pose(NamedTuple):
    """A view and a stride: -1 first step, 0 standing, 1 second step."""

    view: View
    stride: int

    @property
    def dip(self) -> int:
        """Pixels by which the torso moves down during a step."""
        return abs(self.stride)


STRIDES = (-1, 0, 1)
"""The columns of a sprite sheet, left to right."""
