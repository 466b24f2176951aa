"""Every stamp of a town at its concrete tile: things as placed, plants on their plots, scatter by its seed.

This is the one resolution: what `compile` makes impassable is what `dress` draws.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from town_builder.art.canvas import noise
from town_builder.art.palette import RAMPS
from town_builder.faults import Fault, TownError
from town_builder.plan.shapes import Tile, Tiles
from town_builder.plan.town_plan import SOFT, Plan, Plant, Plot, Scatter, Thing
from town_builder.stamps import OVER, Stamp

VARIANTS = 1000
PLANT_CLEAR = 1
"""Free tiles round a solid plant, so that no plot can wall anybody in."""


@dataclass(frozen=True)
class Placed:
    """One stamp at one place."""

    stamp: Stamp
    at: Tile
    """Map tile of the footprint's top left corner; trees at the map's edge may lie partly outside."""
    colour: str | None
    line: int
    thing: Thing | None = None
    """What the town file says of it; None for plants and scatter."""

    @property
    def variant(self) -> int:
        """The look that the file names, or a whole number below 1,000 that is always the same for this place."""
        if self.thing and self.thing.variant:
            return self.stamp.variants.index(self.thing.variant)
        return int(noise("variant", self.at) * VARIANTS)

    @property
    def baseline(self) -> int:
        """The lowest row it stands on: what has the greater one is drawn later."""
        return self.at[1] + self.stamp.height - 1

    def tiles(self, offsets: Iterable[Tile]) -> Tiles:
        return frozenset((self.at[0] + x, self.at[1] + y) for x, y in offsets)

    @property
    def solid(self) -> Tiles:
        return self.tiles(self.stamp.solid)

    @property
    def footprint(self) -> Tiles:
        return self.tiles((x, y) for y in range(self.stamp.height) for x in range(self.stamp.width))

    @property
    def standing(self) -> Tiles:
        """The footprint without what merely rises above people."""
        return self.footprint - self.tiles(self.stamp.over)


@dataclass(frozen=True)
class Placement:
    """Everything that stands in a town."""

    stamps: tuple[Placed, ...]
    """Things in the order of the file, then plants, then scatter."""
    forest: Tiles
    """Impassable ground between scattered trees."""


def place_all(plan: Plan, stamps: Mapping[str, Stamp]) -> Placement:
    """Every stamp of the plan. Raises TownError when it names what does not exist."""
    faults = [*_unknown(plan, stamps)]
    if faults:
        raise TownError(faults)
    placed = [
        Placed(stamps[thing.stamp], at, thing.colour, thing.line, thing)
        for thing in plan.all_things
        if thing.stamp
        for at in thing.places
    ]
    ground = _Ground(plan, placed)
    for area in plan.areas:
        for plot in area.plots:
            placed.extend(ground.grow(plot, stamps))
    forest: set[Tile] = set()
    for scatter in plan.scatter:
        placed.extend(ground.strew(scatter, stamps))
        forest |= ground.free(scatter.tiles) if scatter.solid else set()
    return Placement(tuple(placed), frozenset(forest))


def _unknown(plan: Plan, stamps: Mapping[str, Stamp]) -> Iterator[Fault]:
    """A fault for every name of a stamp, a colour or a variant that does not exist."""
    grown = [*(plot.plants for area in plan.areas for plot in area.plots), *(strewn.stamps for strewn in plan.scatter)]
    users: list[Thing | Plant] = [*plan.all_things, *(plant for plants in grown for plant in plants)]
    for one in users:
        yield from _misnamed(plan.where(one.line), "stamp", one.stamp, stamps)
        yield from _misnamed(plan.where(one.line), "colour", one.colour, RAMPS)
    for thing in plan.all_things:
        if thing.stamp and thing.stamp in stamps:
            kind, known = f"variant of {thing.stamp}", stamps[thing.stamp].variants
            yield from _misnamed(plan.where(thing.line), kind, thing.variant, known)


def _misnamed(where: str, kind: str, name: str | None, known: Collection[str]) -> Iterator[Fault]:
    if name and name not in known:
        near = get_close_matches(name, known, 1)
        mend = f"did you mean {near[0]!r}?" if near else f"docs/towns.md lists every {kind}"
        yield Fault(where, f"no {kind} is called {name!r}", mend)


class _Ground:
    """What is still free while plants and scatter are laid out."""

    def __init__(self, plan: Plan, placed: Iterable[Placed]) -> None:
        self.plan = plan
        inner = {tile for building in plan.buildings for tile in building.tiles}
        areas = {tile for area in plan.areas for tile in area.tiles}
        terrain = {tile for tile, ground in plan.ground.items() if ground.solid or ground.kind not in SOFT}
        used = {tile for one in placed for tile in one.standing}
        self.closed = inner | {tile for tile, ground in plan.ground.items() if ground.solid}
        """Where one cannot walk, or walks indoors: no plant may stand near it."""
        self.closed |= {tile for one in placed for tile in one.solid}
        self.taken = inner | areas | terrain | used
        """Where nothing may be scattered."""
        self.visible = inner | areas | {tile for one in placed for tile in one.footprint}
        """What no scattered crown may hide."""

    def free(self, tiles: Tiles) -> set[Tile]:
        return {tile for tile in tiles - self.taken if self.plan.inside(tile)}

    def grow(self, plot: Plot, stamps: Mapping[str, Stamp]) -> Iterator[Placed]:
        """The plants of a plot; each stands on the plot alone and apart from everything solid."""
        dice = _dice(plot.tiles, plot.plants, plot.name, plot.density)
        for tile, plant in _rows(plot) if plot.in_rows else dice:
            one = _rooted(stamps[plant.stamp], tile, plant.colour, plot.line)
            near = _round(one.solid, PLANT_CLEAR)
            if one.standing <= plot.tiles - self.closed and not near & self.closed:
                self.closed |= one.solid
                self.taken |= one.footprint
                yield one

    def strew(self, scatter: Scatter, stamps: Mapping[str, Stamp]) -> Iterator[Placed]:
        trees: set[Tile] = set()
        names = tuple(plant.stamp for plant in scatter.stamps)
        for tile, plant in _dice(scatter.tiles, scatter.stamps, f"{scatter.seed} {names}", scatter.density):
            one = _rooted(stamps[plant.stamp], tile, plant.colour, scatter.line)
            near = _round(one.solid, scatter.clear)
            if self._may_stand(one, near, scatter) and not near & trees:
                trees |= one.solid
                self.taken |= one.standing if not scatter.solid else set()
                yield one
        self.taken |= trees
        self.closed |= trees

    def _may_stand(self, one: Placed, near: Tiles, scatter: Scatter) -> bool:
        rooted = one.solid or one.standing
        if not rooted <= scatter.tiles or one.standing & self.taken or near & self.taken:
            return False
        if one.tiles(one.stamp.tiles(OVER)) & self.visible:
            return False
        return scatter.solid or all(self.plan.inside(tile) for tile in near)


def _dice(tiles: Tiles, plants: tuple[Plant, ...], seed: str, density: float) -> Iterator[tuple[Tile, Plant]]:
    """A plant for each tile that the dice choose, from north to south."""
    for x, y in sorted(tiles, key=lambda tile: tile[::-1]) if plants else ():
        if noise(seed, x, y) < density:
            yield (x, y), plants[int(noise(seed, "which", x, y) * len(plants))]


def _rows(plot: Plot) -> Iterator[tuple[Tile, Plant]]:
    """A plant for every tile: one sort for each row that the plot has, from north to south."""
    rows = sorted({y for _, y in plot.tiles})
    for x, y in sorted(plot.tiles, key=lambda tile: tile[::-1]) if plot.plants else ():
        yield (x, y), plot.plants[rows.index(y) % len(plot.plants)]


def _rooted(stamp: Stamp, tile: Tile, colour: str | None, line: int) -> Placed:
    """The stamp on a tile with the middle of its lowest row."""
    return Placed(stamp, (tile[0] - stamp.width // 2, tile[1] - stamp.height + 1), colour, line)


def _round(tiles: Tiles, distance: int) -> Tiles:
    """The tiles and everything within so many tiles of them."""
    reach = range(-distance, distance + 1)
    return frozenset((x + i, y + j) for x, y in tiles for j in reach for i in reach)
