"""Kinds of ground that may lie over grass."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from town_builder.art.canvas import Canvas
from town_builder.art.ground.autotile import Neighbourhood, Outline, OutlineStyle, outline_of
from town_builder.art.ground.paving import paint_cobble, paint_deck, paint_path, paint_plaza, paint_sand
from town_builder.art.ground.vegetation import paint_forest, paint_meadow, paint_soil
from town_builder.art.ground.water import paint_water

Cell = tuple[int, int]
Painter = Callable[[Outline, int], Canvas]
"""(outline, variant) → a tile, transparent where there is no ground."""

VARIANTS = 4
"""Every pattern is two by two tiles large; a variant is one of these four tiles."""


@dataclass(frozen=True)
class TerrainKind:
    """A kind of ground that is laid over grass, tile by tile."""

    name: str
    paint: Painter
    style: OutlineStyle
    solid: bool = False
    """Whether it is impassable."""
    over: frozenset[str] = frozenset()
    """Kinds that continue beneath its edge where they meet; otherwise grass shows between the two."""

    def tile(self, mask: int, variant: int = 0) -> Canvas:
        """Return one of the 47 tiles of MASKS (by canonical mask), with square inner corners, for painting by hand."""
        return self.paint(outline_of(Neighbourhood(mask, smooth=False), self.style), variant % VARIANTS)

    def smooth(self, neighbours: int, variant: int = 0) -> Canvas:
        """Return the tile for `neighbours_of` its place, with curved inner corners; see `tip`."""
        return self.paint(outline_of(Neighbourhood(neighbours), self.style), variant % VARIANTS)

    def tip(self, neighbours: int, variant: int = 0) -> Canvas | None:
        """Return the part of a neighbour's inner corner on a tile without this ground; None if there is none."""
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
"""All kinds by name, in drawing order: later ones cover earlier ones."""


def variant_at(x: int, y: int) -> int:
    """Return the variant for a map tile, so that patterns continue from tile to tile."""
    return x % 2 + 2 * (y % 2)


def spread(name: str, cells: Mapping[str, Collection[Cell]]) -> set[Cell]:
    """Return where a ground must be painted: its own cells, and adjacent cells of the kinds above it."""
    own = set(cells.get(name, ()))
    above = {cell for kind, members in cells.items() if name in TERRAINS[kind].over for cell in members}
    near = {(x + right, y + down) for x, y in own for right in (-1, 0, 1) for down in (-1, 0, 1)}
    return own | above & near
