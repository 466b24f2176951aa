"""What the town stands on: grass, and every kind of ground that may lie over it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from town_builder.art.autotile import Neighbourhood, Outline, OutlineStyle, outline_of
from town_builder.art.canvas import Canvas
from town_builder.art.paving import paint_cobble, paint_deck, paint_path, paint_plaza, paint_sand
from town_builder.art.vegetation import paint_forest, paint_meadow, paint_soil
from town_builder.art.water import paint_water

Cell = tuple[int, int]
Painter = Callable[[Outline, int], Canvas]
"""(outline, variant) → a tile, clear where there is no ground."""

VARIANTS = 4
"""Every ground's pattern is two by two tiles large; a variant is one of the four."""


@dataclass(frozen=True)
class TerrainKind:
    """A kind of ground that is laid over grass, tile by tile."""

    name: str
    paint: Painter
    style: OutlineStyle
    solid: bool = False
    """Nobody walks on it."""
    over: frozenset[str] = frozenset()
    """Kinds that run on beneath its edge where they meet it; otherwise grass shows between the two."""

    def tile(self, mask: int, variant: int = 0) -> Canvas:
        """One of the 47 tiles of `MASKS` (a canonical mask), with square inner corners: for painting by hand."""
        return self.paint(outline_of(Neighbourhood(mask, smooth=False), self.style), variant % VARIANTS)

    def smooth(self, neighbours: int, variant: int = 0) -> Canvas:
        """A tile of this ground for `neighbours_of` its place: inner corners are curves, see `tip`."""
        return self.paint(outline_of(Neighbourhood(neighbours), self.style), variant % VARIANTS)

    def tip(self, neighbours: int, variant: int = 0) -> Canvas | None:
        """What a tile that is not of this ground shows of its neighbours' inner corners; None if nothing."""
        if not any(neighbours & bits == bits for bits in _ANGLES):
            return None
        return self.paint(outline_of(Neighbourhood(neighbours, member=False), self.style), variant % VARIANTS)


_ANGLES = (0b00000111, 0b00011100, 0b01110000, 0b11000001)
"""Two sides and the diagonal between them: north to east, east to south, south to west, west to north."""
_ROUND = OutlineStyle()
_KERB = OutlineStyle(wave=0.6)
_BED = OutlineStyle(inset=2, arc=5, wide=5, hollow=6, wave=0.8)
_LAWN = OutlineStyle(wave=1.8, seed=5)
_SQUARE = OutlineStyle(inset=2, arc=3, wide=3, hollow=3, wave=0)

TERRAINS: dict[str, TerrainKind] = {
    terrain.name: terrain
    for terrain in (
        TerrainKind("meadow", paint_meadow, _LAWN),
        TerrainKind("forest", paint_forest, _LAWN),
        TerrainKind("soil", paint_soil, _BED),
        TerrainKind("sand", paint_sand, _ROUND),
        TerrainKind("path", paint_path, _ROUND, over=frozenset({"sand"})),
        TerrainKind("cobble", paint_cobble, _KERB, over=frozenset({"sand", "path"})),
        TerrainKind("plaza", paint_plaza, _KERB, over=frozenset({"sand", "path", "cobble"})),
        TerrainKind("water", paint_water, _ROUND, solid=True, over=frozenset({"sand"})),
        TerrainKind("deck", paint_deck, _SQUARE, over=frozenset({"sand", "path", "cobble", "plaza", "water"})),
    )
}
"""Every kind by name, in drawing order: later kinds over earlier ones."""


def variant_at(x: int, y: int) -> int:
    """The variant that fits a map tile, so that a pattern runs on from tile to tile."""
    return x % 2 + 2 * (y % 2)


def spread(name: str, cells: Mapping[str, Collection[Cell]]) -> set[Cell]:
    """Where a ground must be painted: its own cells, and those beside them of the kinds that lie over it."""
    own = set(cells.get(name, ()))
    above = {cell for kind, members in cells.items() if name in TERRAINS[kind].over for cell in members}
    near = {(x + right, y + down) for x, y in own for right in (-1, 0, 1) for down in (-1, 0, 1)}
    return own | above & near
