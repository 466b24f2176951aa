"""Compile a plan into grids: the solid tiles, and the sector, arena, object and spawn of each tile.

Things are processed in file order, and the later one wins a tile. Every contradiction becomes a problem.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase

from town_builder.grid.grids import AddressParts, Grids
from town_builder.plan.placement import PlacedStamp, Placement, place_stamps
from town_builder.plan.shapes import Tile
from town_builder.plan.town_plan import DOORWAY, FACADE, OUTSIDE, WALL, Area, Building, Plan, Thing
from town_builder.problems import Problem
from town_builder.stamps import Stamp


@dataclass(frozen=True)
class Compiled:
    """Grids and stamps of a town, with the problems found while compiling."""

    grids: Grids
    placement: Placement
    problems: tuple[Problem, ...]


@dataclass
class _Compilation:
    """State of a compilation in progress."""

    plan: Plan
    solid: dict[Tile, str] = field(default_factory=dict)
    """Tile → what makes it solid."""
    sectors: dict[Tile, str] = field(default_factory=dict)
    arenas: dict[Tile, str] = field(default_factory=dict)
    objects: dict[Tile, str] = field(default_factory=dict)
    spawns: dict[Tile, str] = field(default_factory=dict)
    doorways: set[Tile] = field(default_factory=set)
    lines: dict[AddressParts, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    letters: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add_error(self, line: int, message: str, fix: str) -> None:
        self.problems.append(Problem(self.plan.where(line), message, fix))

    def warn(self, line: int, message: str, fix: str) -> None:
        self.problems.append(Problem(self.plan.where(line), message, fix, warning=True))

    def block(self, tile: Tile, what: str) -> None:
        if self.plan.inside(tile):
            self.solid[tile] = what


def compile_plan(plan: Plan, stamps: Mapping[str, Stamp]) -> Compiled:
    """Return the grids of a plan with all problems. Raises TownError only for names that do not exist."""
    placement = place_stamps(plan, stamps)
    town = _Compilation(plan)
    for tile, terrain in plan.ground.items():
        if terrain.solid:
            town.block(tile, terrain.kind)
    for building in plan.buildings:
        _add_building(town, building)
    for area in plan.areas:
        _add_area(town, area)
    _add_solid_stamps(town, placement)
    for thing in plan.all_things:
        for place in thing.places:
            _add_objects(town, thing, place, stamps)
    _add_plots(town)
    grids = Grids(
        maze_name=plan.maze_name,
        world=plan.world,
        width=plan.width,
        height=plan.height,
        solid=frozenset(town.solid),
        sectors=town.sectors,
        arenas=town.arenas,
        objects=town.objects,
        spawns=town.spawns,
        lines=town.lines,
        source=plan.file,
    )
    return Compiled(grids, placement, tuple(town.problems))


def _can_claim(town: _Compilation, tile: Tile, sector: str, line: int) -> bool:
    """Return whether a tile may belong to this sector: it is on the map and has no sector yet. Report it otherwise."""
    if not town.plan.inside(tile):
        town.add_error(line, f"{sector} reaches {tile[0]},{tile[1]}, outside the map", "move it or enlarge `size`")
    elif tile in town.sectors:
        message = f"{sector} and {town.sectors[tile]} both cover {tile[0]},{tile[1]}"
        town.add_error(line, message, "move one of them")
    else:
        return True
    return False


def _add_building(town: _Compilation, building: Building) -> None:
    town.lines.setdefault((building.sector,), town.plan.where(building.line))
    for room in building.rooms.values():
        town.lines.setdefault((building.sector, room.arena), town.plan.where(room.line))
    for tile, character in building.tiles.items():
        line = building.rows_line + tile[1] - building.at[1]
        if not _can_claim(town, tile, building.sector, line):
            return
        if town.solid.pop(tile, None):
            town.add_error(
                line, f"{building.sector} stands on impassable ground", "move it, or change the ground under it"
            )
        if is_wall(building, tile):
            town.block(tile, f"a wall of {building.sector}")
        _label_building_tile(town, building, tile, character)


def is_wall(building: Building, tile: Tile) -> bool:
    """Return whether the plan makes the tile impassable: a wall, the wall face below it, or the facade."""
    here, above = building.character(*tile), building.character(tile[0], tile[1] - 1)
    return here in {WALL, FACADE} or (above == WALL and here not in {DOORWAY, OUTSIDE})


def _label_building_tile(town: _Compilation, building: Building, tile: Tile, character: str) -> None:
    if character != FACADE:
        town.sectors[tile] = building.sector
    if character == DOORWAY:
        town.doorways.add(tile)
    if character in building.rooms:
        town.arenas[tile] = building.rooms[character].arena


def _add_area(town: _Compilation, area: Area) -> None:
    town.lines.setdefault((area.sector,), town.plan.where(area.line))
    town.lines.setdefault((area.sector, area.arena), town.plan.where(area.line))
    for tile in sorted(area.tiles):
        if not _can_claim(town, tile, area.sector, area.line):
            return
        town.sectors[tile] = area.sector
        town.arenas[tile] = area.arena


def _add_solid_stamps(town: _Compilation, placement: Placement) -> None:
    """Make the solid tiles of all stamps impassable."""
    owners: dict[Tile, PlacedStamp] = {}
    for one in placement.stamps:
        if one.thing and not one.ground_tiles <= frozenset(filter(town.plan.inside, one.ground_tiles)):
            town.add_error(one.line, f"{one.stamp.name} stands outside the map", "move it")
        for tile in sorted(one.solid):
            if tile in town.doorways:
                town.add_error(one.line, f"{one.stamp.name} stands in the doorway {tile[0]},{tile[1]}", "move it")
            if tile in owners:
                message = f"{one.stamp.name} and the {owners[tile].stamp.name} of line {owners[tile].line} both stand"
                town.warn(one.line, f"{message} on {tile[0]},{tile[1]}", "move one of them")
            owners[tile] = one
            town.block(tile, one.stamp.name)
    for tile in placement.forest:
        town.block(tile, "forest")


def _use_tiles(thing: Thing, place: Tile, stamps: Mapping[str, Stamp]) -> Iterator[tuple[str, list[Tile]]]:
    """Yield each object of a thing with the map tiles from which it is used."""
    of_stamp = stamps[thing.stamp].use if thing.stamp else ()
    for name, offsets in thing.objects.items():
        yield name, [(place[0] + x, place[1] + y) for x, y in (of_stamp if offsets is None else offsets)]


def _add_objects(town: _Compilation, thing: Thing, place: Tile, stamps: Mapping[str, Stamp]) -> None:
    if thing.spawn and not thing.objects:
        town.add_error(thing.line, "`spawn` needs an object", "add `obj: bed`")
    for name, tiles in _use_tiles(thing, place, stamps):
        if not tiles:
            town.add_error(thing.line, f"{name} has no use tiles", "add `use: [[x, y], ...]`")
        elif _check_use_tiles(town, thing, name, tiles):
            _label_use_tiles(town, thing, name, tiles)


def _check_use_tiles(town: _Compilation, thing: Thing, name: str, tiles: list[Tile]) -> bool:
    """Return whether all use tiles are walkable and in one arena; report the first that is not."""
    home = {(town.sectors.get(tile), town.arenas.get(tile)) for tile in tiles}
    for tile in tiles:
        if tile not in town.arenas:
            message = f"{name} is used at {tile[0]},{tile[1]}, outside every arena"
            town.add_error(thing.line, message, "move it inside a room or an area")
            return False
        if tile in town.solid:
            message = f"{name} is used at {tile[0]},{tile[1]}, where {town.solid[tile]} is in the way"
            town.add_error(thing.line, message, "move one of the two, or change its `use` tiles")
            return False
    if len(home) > 1:
        arenas = " and ".join(sorted(str(arena) for _, arena in home))
        town.add_error(thing.line, f"{name} is used from two arenas, {arenas}", "move it into one of them")
        return False
    return True


def _label_use_tiles(town: _Compilation, thing: Thing, name: str, tiles: list[Tile]) -> None:
    for tile in tiles:
        other = town.objects.get(tile, name)
        if other != name:
            message = f"{name} and {other} share the use tile {tile[0]},{tile[1]}, and the later one, {name}, wins"
            town.warn(thing.line, message, "move one of them, or name its `use` tiles")
        sector, arena = town.sectors[tile], town.arenas[tile]
        town.objects[tile] = name
        town.lines.setdefault((sector, arena, name), town.plan.where(thing.line))
        if thing.spawn:
            if town.letters[sector, arena] == len(ascii_uppercase):
                town.add_error(thing.line, f"{arena} has more than 26 spawn tiles", "remove `spawn: true` from some")
                return
            town.spawns[tile] = f"sp-{ascii_uppercase[town.letters[sector, arena]]}"
            town.letters[sector, arena] += 1


def _add_plots(town: _Compilation) -> None:
    """Make every walkable tile of a plot that no thing uses a use tile of the plot's object."""
    for area in town.plan.areas:
        for plot in area.plots:
            path = (area.sector, area.arena, plot.name)
            town.lines.setdefault(path, town.plan.where(plot.line))
            if stray := sorted(tile for tile in plot.tiles if town.arenas.get(tile) != area.arena):
                message = f"{plot.name} reaches {stray[0][0]},{stray[0][1]}, outside {area.arena}"
                town.add_error(plot.line, message, "keep its tiles inside those of the area")
                continue
            free = [tile for tile in sorted(plot.tiles) if tile not in town.solid]
            if not free:
                town.add_error(plot.line, f"{plot.name} has no walkable tile", "enlarge it, or remove plants")
            for tile in free:
                town.objects.setdefault(tile, plot.name)
