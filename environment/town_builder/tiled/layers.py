"""Layers of a map, bottom to top, with the names and ids that every Smallville frontend expects."""

from collections.abc import Mapping
from dataclasses import dataclass

from town_builder.art.canvas import Canvas
from town_builder.plan.shapes import Tile

Pictures = Mapping[str, Mapping[Tile, Canvas]]
"""Layer name → map tile → picture of 32 × 32 pixels. Missing tiles stay transparent."""


@dataclass(frozen=True)
class Layer:
    """One layer of the Tiled map."""

    name: str
    number: int
    marker: str = ""
    """Meaning of its tiles for the engine: name of a matrix, `world` or `registry`; empty for picture layers."""
    visible: bool = True
    opacity: float = 1


GROUND, TERRAIN, LOW, HIGH = "Bottom Ground", "Exterior Ground", "Exterior Decoration L1", "Exterior Decoration L2"
FLOOR, WALL = "Interior Ground", "Wall"
# Frontends look the layer up by this name, including the trailing space.
FURNITURE, ITEMS = "Interior Furniture L1", "Interior Furniture L2 "
OVER, OVER_ALL = "Foreground L1", "Foreground L2"
"""Layers drawn over people."""

LAYERS = (
    Layer(GROUND, 1),
    Layer(TERRAIN, 4),
    Layer(LOW, 6),
    Layer(HIGH, 9),
    Layer(FLOOR, 5),
    Layer(WALL, 3),
    Layer(FURNITURE, 10),
    Layer(ITEMS, 11),
    Layer(OVER, 19),
    Layer(OVER_ALL, 20),
    Layer("Collisions", 12, marker="collision", opacity=0.4),
    Layer("Object Interaction Blocks", 14, marker="game_object", opacity=0.4),
    Layer("Arena Blocks", 13, marker="arena", visible=False, opacity=0.4),
    Layer("Sector Blocks", 16, marker="sector", visible=False, opacity=0.4),
    Layer("World Blocks", 17, marker="world", visible=False, opacity=0.4),
    Layer("Spawning Blocks", 15, marker="spawning_location", visible=False, opacity=0.68),
    Layer("Special Blocks Registry", 18, marker="registry", visible=False),
)
PICTURE_LAYERS = tuple(layer.name for layer in LAYERS if not layer.marker)
