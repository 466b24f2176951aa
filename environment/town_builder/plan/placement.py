"""Place every stamp of a town on its tile: things as written, plants on their plots, scatter by its seed.

Compiling and composing both use this placement, so what is impassable is also what is drawn.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from town_builder.art.canvas import noise
from town_builder.art.palette import RAMPS
from town_builder.plan.shapes import Tile, Tiles
from town_builder.plan.town_plan import PLANTABLE, Plan, Plant, Plot, Scatter, Thing
from town_builder.problems import Problem, TownError
from town_builder.stamps import OVER, Stamp

VARIANTS = 1000
PLANT_CLEAR = 1
"""Free tiles around a solid plant, so that a plot cannot enclose people."""


@dataclass(frozen=True)
class PlacedStamp:
    """One stamp on its place on the map."""

    stamp: Stamp
    at: Tile
    """Map tile of the top left corner of the footprint; trees at the border may be partly outside."""
    colour: str | None
    line: int
    thing: Thing | None = None
    """The thing of the town file; None for plants and scatter."""

    @property
    def variant(self) -> int:
        """Return the variant named in the file, or a number below 1,000 that depends on the place only."""
        if self.thing and self.thing.variant:
            return self.stamp.variants.index(self.thing.variant)
        return int(noise("variant", self.at) * VARIANTS)

    @property
    def baseline(self) -> int:
        """The lowest row it covers; stamps with a greater baseline are drawn later."""
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
    def ground_tiles(self) -> Tiles:
        """Return the footprint without the tiles that are drawn over people."""
        return self.footprint - self.tiles(self.stamp.over)


@dataclass(frozen=True)
class Placement:
    """All placed stamps of a town."""

    stamps: tuple[PlacedStamp, ...]
    """Things in file order, then plants, then scatter."""
    forest: Tiles
    """Impassable ground between scattered trees."""


def place_stamps(plan: Plan, stamps: Mapping[str, Stamp]) -> Placement:
    """Place every stamp of the plan. Raises TownError for stamps, colours or variants that do not exist."""
    problems = [*_unknown_names(plan, stamps)]
    if problems:
        raise TownError(problems)
    placed = [
        PlacedStamp(stamps[thing.stamp], at, thing.colour, thing.line, thing)
        for thing in plan.all_things
        if thing.stamp
        for at in thing.places
    ]
    ground = _FreeGround(plan, placed)
    for area in plan.areas:
        for plot in area.plots:
            placed.extend(ground.plants_on(plot, stamps))
    forest: set[Tile] = set()
    for scatter in plan.scatter:
        placed.extend(ground.scatter_stamps(scatter, stamps))
        forest |= ground.free(scatter.tiles) if scatter.solid else set()
    return Placement(tuple(placed), frozenset(forest))


def _unknown_names(plan: Plan, stamps: Mapping[str, Stamp]) -> Iterator[Problem]:
    """Yield a problem for every stamp, colour or variant that does not exist."""
    plant_lists = [
        *(plot.plants for area in plan.areas for plot in area.plots),
        *(scatter.stamps for scatter in plan.scatter),
    ]
    users: list[Thing | Plant] = [*plan.all_things, *(plant for plants in plant_lists for plant in plants)]
    for one in users:
        yield from _unknown_name(plan.where(one.line), "stamp", one.stamp, stamps)
        yield from _unknown_name(plan.where(one.line), "colour", one.colour, RAMPS)
    for thing in plan.all_things:
        if thing.stamp and thing.stamp in stamps:
            kind, known = f"variant of {thing.stamp}", stamps[thing.stamp].variants
            yield from _unknown_name(plan.where(thing.line), kind, thing.variant, known)


def _unknown_name(where: str, kind: str, name: str | None, known: Collection[str]) -> Iterator[Problem]:
    if name and name not in known:
        near = get_close_matches(name, known, 1)
        fix = f"did you mean {near[0]!r}?" if near else f"docs/towns.md lists every {kind}"
        yield Problem(where, f"no {kind} is called {name!r}", fix)


class _FreeGround:
    """Tracks the free tiles while plants and scatter are placed."""

    def __init__(self, plan: Plan, placed: Iterable[PlacedStamp]) -> None:
        self.plan = plan
        inner = {tile for building in plan.buildings for tile in building.tiles}
        areas = {tile for area in plan.areas for tile in area.tiles}
        terrain = {tile for tile, ground in plan.ground.items() if ground.solid or ground.kind not in PLANTABLE}
        used = {tile for one in placed for tile in one.ground_tiles}
        self.blocked = inner | {tile for tile, ground in plan.ground.items() if ground.solid}
        """Tiles that are impassable or indoors; plants keep a distance from them."""
        self.blocked |= {tile for one in placed for tile in one.solid}
        self.taken = inner | areas | terrain | used
        """Tiles on which nothing may be scattered."""
        self.visible = inner | areas | {tile for one in placed for tile in one.footprint}
        """Tiles that scattered tree crowns must not hide."""

    def free(self, tiles: Tiles) -> set[Tile]:
        return {tile for tile in tiles - self.taken if self.plan.inside(tile)}

    def plants_on(self, plot: Plot, stamps: Mapping[str, Stamp]) -> Iterator[PlacedStamp]:
        """Yield the plants of a plot, each inside the plot and away from everything solid."""
        chosen = _random_plants(plot.tiles, plot.plants, plot.name, plot.density)
        for tile, plant in _plants_in_rows(plot) if plot.in_rows else chosen:
            one = _stamp_on(stamps[plant.stamp], tile, plant.colour, plot.line)
            near = _within(one.solid, PLANT_CLEAR)
            if one.ground_tiles <= plot.tiles - self.blocked and not near & self.blocked:
                self.blocked |= one.solid
                self.taken |= one.footprint
                yield one

    def scatter_stamps(self, scatter: Scatter, stamps: Mapping[str, Stamp]) -> Iterator[PlacedStamp]:
        trees: set[Tile] = set()
        names = tuple(plant.stamp for plant in scatter.stamps)
        for tile, plant in _random_plants(scatter.tiles, scatter.stamps, f"{scatter.seed} {names}", scatter.density):
            one = _stamp_on(stamps[plant.stamp], tile, plant.colour, scatter.line)
            near = _within(one.solid, scatter.clear)
            if self._may_stand(one, near, scatter) and not near & trees:
                trees |= one.solid
                self.taken |= one.ground_tiles if not scatter.solid else set()
                yield one
        self.taken |= trees
        self.blocked |= trees

    def _may_stand(self, one: PlacedStamp, near: Tiles, scatter: Scatter) -> bool:
        base = one.solid or one.ground_tiles
        if not base <= scatter.tiles or one.ground_tiles & self.taken or near & self.taken:
            return False
        if one.tiles(one.stamp.tiles(OVER)) & self.visible:
            return False
        return scatter.solid or all(self.plan.inside(tile) for tile in near)


def _random_plants(tiles: Tiles, plants: tuple[Plant, ...], seed: str, density: float) -> Iterator[tuple[Tile, Plant]]:
    """Yield a random plant for each tile, with the given probability per tile, from north to south."""
    for x, y in sorted(tiles, key=lambda tile: tile[::-1]) if plants else ():
        if noise(seed, x, y) < density:
            yield (x, y), plants[int(noise(seed, "which", x, y) * len(plants))]


def _plants_in_rows(plot: Plot) -> Iterator[tuple[Tile, Plant]]:
    """Yield a plant for every tile: one kind per row of the plot, from north to south."""
    rows = sorted({y for _, y in plot.tiles})
    for x, y in sorted(plot.tiles, key=lambda tile: tile[::-1]) if plot.plants else ():
        yield (x, y), plot.plants[rows.index(y) % len(plot.plants)]


def _stamp_on(stamp: Stamp, tile: Tile, colour: str | None, line: int) -> PlacedStamp:
    """Return the stamp with the middle of its lowest row on the tile."""
    return PlacedStamp(stamp, (tile[0] - stamp.width // 2, tile[1] - stamp.height + 1), colour, line)


def _within(tiles: Tiles, distance: int) -> Tiles:
    """Return the tiles and all tiles within this distance of them."""
    reach = range(-distance, distance + 1)
    return frozenset((x + i, y + j) for x, y in tiles for j in reach for i in reach)
