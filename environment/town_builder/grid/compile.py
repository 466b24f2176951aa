"""A plan becomes grids: what is solid, and which sector, arena, object and spawn each tile belongs to.

Things lie in the order of the file and the later one wins a tile; everything that cannot be meant is a fault.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase

from town_builder.faults import Fault, TownError
from town_builder.grid.grids import Grids, Path
from town_builder.plan.scatter import Placed, Placement, place_all
from town_builder.plan.shapes import Tile
from town_builder.plan.town_plan import DOORWAY, FACADE, OUTSIDE, WALL, Area, Building, Plan, Thing
from town_builder.stamps import Stamp


@dataclass(frozen=True)
class Compiled:
    """Grids, and what was noticed on the way."""

    grids: Grids
    placement: Placement
    faults: tuple[Fault, ...]


@dataclass
class _Site:
    """The town while it is being put together."""

    plan: Plan
    solid: dict[Tile, str] = field(default_factory=dict)
    """Tile → what stands there."""
    sectors: dict[Tile, str] = field(default_factory=dict)
    arenas: dict[Tile, str] = field(default_factory=dict)
    objects: dict[Tile, str] = field(default_factory=dict)
    spawns: dict[Tile, str] = field(default_factory=dict)
    doorways: set[Tile] = field(default_factory=set)
    lines: dict[Path, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    letters: Counter[tuple[str, str]] = field(default_factory=Counter)

    def fault(self, line: int, wrong: str, mend: str) -> None:
        self.faults.append(Fault(self.plan.where(line), wrong, mend))

    def warn(self, line: int, wrong: str, mend: str) -> None:
        self.faults.append(Fault(self.plan.where(line), wrong, mend, warning=True))

    def block(self, tile: Tile, what: str) -> None:
        if self.plan.inside(tile):
            self.solid[tile] = what


def compile_plan(plan: Plan, stamps: Mapping[str, Stamp]) -> Compiled:
    """The grids of a plan and every fault on the way. Raises TownError only for stamps that do not exist."""
    placement = place_all(plan, stamps)
    site = _Site(plan)
    for tile, terrain in plan.ground.items():
        if terrain.solid:
            site.block(tile, terrain.kind)
    for building in plan.buildings:
        _lay_building(site, building)
    for area in plan.areas:
        _lay_area(site, area)
    _stand(site, placement)
    for thing in plan.all_things:
        for place in thing.places:
            _label(site, thing, place, stamps)
    _label_plots(site)
    grids = Grids(
        maze_name=plan.maze_name,
        world=plan.world,
        width=plan.width,
        height=plan.height,
        solid=frozenset(site.solid),
        sectors=site.sectors,
        arenas=site.arenas,
        objects=site.objects,
        spawns=site.spawns,
        lines=site.lines,
        source=plan.file,
    )
    return Compiled(grids, placement, tuple(site.faults))


def grids_of(compiled: Compiled) -> Grids:
    """The grids, if nothing was wrong. Raises TownError with the errors, warnings left out."""
    if errors := [fault for fault in compiled.faults if not fault.warning]:
        raise TownError(errors)
    return compiled.grids


def _claim(site: _Site, tile: Tile, sector: str, line: int) -> bool:
    """Whether the tile may belong to this sector: on the map and nobody else's."""
    if not site.plan.inside(tile):
        site.fault(line, f"{sector} reaches {tile[0]},{tile[1]}, outside the map", "move it or enlarge `size`")
    elif tile in site.sectors:
        wrong = f"{sector} and {site.sectors[tile]} both cover {tile[0]},{tile[1]}"
        site.fault(line, wrong, "move one of them")
    else:
        return True
    return False


def _lay_building(site: _Site, building: Building) -> None:
    site.lines.setdefault((building.sector,), site.plan.where(building.line))
    for room in building.rooms.values():
        site.lines.setdefault((building.sector, room.arena), site.plan.where(room.line))
    for tile, character in building.tiles.items():
        line = building.rows_line + tile[1] - building.at[1]
        if not _claim(site, tile, building.sector, line):
            return
        if site.solid.pop(tile, None):
            site.fault(line, f"{building.sector} stands on impassable ground", "move it, or end the ground before it")
        if is_wall(building, tile):
            site.block(tile, f"a wall of {building.sector}")
        _own(site, building, tile, character)


def is_wall(building: Building, tile: Tile) -> bool:
    """Whether the tile is impassable by the plan alone: a wall, its face below it, or the facade."""
    here, above = building.character(*tile), building.character(tile[0], tile[1] - 1)
    return here in {WALL, FACADE} or (above == WALL and here not in {DOORWAY, OUTSIDE})


def _own(site: _Site, building: Building, tile: Tile, character: str) -> None:
    if character != FACADE:
        site.sectors[tile] = building.sector
    if character == DOORWAY:
        site.doorways.add(tile)
    if character in building.rooms:
        site.arenas[tile] = building.rooms[character].arena


def _lay_area(site: _Site, area: Area) -> None:
    site.lines.setdefault((area.sector,), site.plan.where(area.line))
    site.lines.setdefault((area.sector, area.arena), site.plan.where(area.line))
    for tile in sorted(area.tiles):
        if not _claim(site, tile, area.sector, area.line):
            return
        site.sectors[tile] = area.sector
        site.arenas[tile] = area.arena


def _stand(site: _Site, placement: Placement) -> None:
    """Make solid what stamps make solid."""
    owners: dict[Tile, Placed] = {}
    for one in placement.stamps:
        if one.thing and not one.standing <= frozenset(filter(site.plan.inside, one.standing)):
            site.fault(one.line, f"{one.stamp.name} stands outside the map", "move it")
        for tile in sorted(one.solid):
            if tile in site.doorways:
                site.fault(one.line, f"{one.stamp.name} stands in the doorway {tile[0]},{tile[1]}", "move it")
            if tile in owners:
                wrong = f"{one.stamp.name} and the {owners[tile].stamp.name} of line {owners[tile].line} both stand"
                site.warn(one.line, f"{wrong} on {tile[0]},{tile[1]}", "move one of them")
            owners[tile] = one
            site.block(tile, one.stamp.name)
    for tile in placement.forest:
        site.block(tile, "forest")


def _uses(thing: Thing, place: Tile, stamps: Mapping[str, Stamp]) -> Iterator[tuple[str, list[Tile]]]:
    """Object name → map tiles where one uses it."""
    of_stamp = stamps[thing.stamp].use if thing.stamp else ()
    for name, offsets in thing.objects.items():
        yield name, [(place[0] + x, place[1] + y) for x, y in (of_stamp if offsets is None else offsets)]


def _label(site: _Site, thing: Thing, place: Tile, stamps: Mapping[str, Stamp]) -> None:
    if thing.spawn and not thing.objects:
        site.fault(thing.line, "spawn without an object", "add `obj: bed`")
    for name, tiles in _uses(thing, place, stamps):
        if not tiles:
            site.fault(thing.line, f"nobody can use {name}: no use tiles", "add `use: [[x, y], ...]`")
        elif _usable(site, thing, name, tiles):
            _write(site, thing, name, tiles)


def _usable(site: _Site, thing: Thing, name: str, tiles: list[Tile]) -> bool:
    """Whether all use tiles are walkable and inside one arena; says of the first that is not what is wrong."""
    home = {(site.sectors.get(tile), site.arenas.get(tile)) for tile in tiles}
    for tile in tiles:
        if tile not in site.arenas:
            wrong = f"{name} is used at {tile[0]},{tile[1]}, outside every arena"
            site.fault(thing.line, wrong, "move it inside a room or an area")
            return False
        if tile in site.solid:
            wrong = f"{name} is used at {tile[0]},{tile[1]}, where {site.solid[tile]} is in the way"
            site.fault(thing.line, wrong, "move one of the two, or give other `use` tiles")
            return False
    if len(home) > 1:
        arenas = " and ".join(sorted(str(arena) for _, arena in home))
        site.fault(thing.line, f"{name} is used from two arenas, {arenas}", "move it into one of them")
        return False
    return True


def _write(site: _Site, thing: Thing, name: str, tiles: list[Tile]) -> None:
    for tile in tiles:
        other = site.objects.get(tile, name)
        if other != name:
            wrong = f"{name} and {other} share the use tile {tile[0]},{tile[1]}; the last one, {name}, has it"
            site.warn(thing.line, wrong, "move one of them, or name its `use` tiles")
        sector, arena = site.sectors[tile], site.arenas[tile]
        site.objects[tile] = name
        site.lines.setdefault((sector, arena, name), site.plan.where(thing.line))
        if thing.spawn:
            if site.letters[sector, arena] == len(ascii_uppercase):
                site.fault(thing.line, f"{arena} has more than 26 spawn tiles", "leave some without `spawn: true`")
                return
            site.spawns[tile] = f"sp-{ascii_uppercase[site.letters[sector, arena]]}"
            site.letters[sector, arena] += 1


def _label_plots(site: _Site) -> None:
    """A plot's object is used from every walkable tile of it that no thing uses."""
    for area in site.plan.areas:
        for plot in area.plots:
            path = (area.sector, area.arena, plot.name)
            site.lines.setdefault(path, site.plan.where(plot.line))
            if stray := sorted(tile for tile in plot.tiles if site.arenas.get(tile) != area.arena):
                wrong = f"{plot.name} reaches {stray[0][0]},{stray[0][1]}, outside {area.arena}"
                site.fault(plot.line, wrong, "keep its tiles inside those of the area")
                continue
            free = [tile for tile in sorted(plot.tiles) if tile not in site.solid]
            if not free:
                site.fault(plot.line, f"{plot.name} has no walkable tile", "make it larger or take plants away")
            for tile in free:
                site.objects.setdefault(tile, plot.name)
