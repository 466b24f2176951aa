"""The twelve positions a person is drawn in."""

from enum import Enum
from typing import NamedTuple

FRAME = 32
"""Pixels of a frame's side."""


class View(Enum):
    """From where we see the person. The side looks left; looking right is its mirror image."""

    FRONT = "front"
    SIDE = "side"
    BACK = "back"


class Pose(NamedTuple):
    """A view and a stride: -1 the first step, 0 standing, 1 the second step."""

    view: View
    stride: int

    @property
    def dip(self) -> int:
        """How many pixels the trunk sinks while a foot is forward."""
        return abs(self.stride)


STRIDES = (-1, 0, 1)
"""The columns of a sheet, left to right."""
