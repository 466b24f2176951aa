"""Read the places of a town file: buildings, open areas and the things in them."""

from dataclasses import replace

import yaml

from town_builder.art.buildings.facades import FACADES
from town_builder.art.buildings.floors import FLOORS
from town_builder.art.buildings.wallpapers import WALLPAPERS
from town_builder.art.ground.ground import TERRAINS
from town_builder.plan.names import maze_name_error, name_error
from town_builder.plan.shapes import SHAPE_KEYS, Tile, read_shape
from town_builder.plan.shapes import line as tiles_along
from town_builder.plan.town_plan import DOORWAY, FACADE, OUTSIDE, WALL, Area, Building, Plant, Plot, Room, Thing
from town_builder.problems import Problem, TownError
from town_builder.yaml_reader import YamlEntry, read_each

THING_KEYS = ("stamp", "obj", "at", "line", "use", "objects", "colour", "variant", "spawn")
PLANT_DENSITY = 0.6

Offsets = tuple[Tile, ...]


def read_name(entry: YamlEntry) -> str:
    """Return one part of an address."""
    name = entry.text()
    if error := name_error(name):
        entry.fail(*error)
    return name


def read_maze_name(entry: YamlEntry) -> str:
    """Return the name of a maze folder."""
    name = entry.text()
    if error := maze_name_error(name):
        entry.fail(*error)
    return name


def _moved(things: tuple[Thing, ...], corner: Tile) -> tuple[Thing, ...]:
    right, down = corner
    return tuple(replace(thing, places=tuple((x + right, y + down) for x, y in thing.places)) for thing in things)


def read_thing(entry: YamlEntry) -> Thing:
    """Return a thing, placed relative to the corner of its building, area or map."""
    found = entry.checked_fields(*THING_KEYS)
    objects = _objects(entry)
    if not objects and "stamp" not in found:
        entry.fail("the thing has neither a stamp nor an object", "add `stamp: ...` or `obj: ...` and `use: ...`")
    if "variant" in found and "stamp" not in found:
        entry.fail("`variant` needs a stamp", "add `stamp: ...` or remove `variant`")
    return Thing(
        places=_places(entry),
        line=entry.line,
        stamp=found["stamp"].text() if "stamp" in found else None,
        objects=objects,
        colour=found["colour"].text() if "colour" in found else None,
        variant=found["variant"].text() if "variant" in found else None,
        spawn="spawn" in found and found["spawn"].boolean(),
    )


def _places(entry: YamlEntry) -> tuple[Tile, ...]:
    """Return where the copies of a thing are: the tiles of `at`, or every tile of `line`."""
    at, along = entry.get("at"), entry.get("line")
    if at and along:
        entry.fail("`line` and `at` exclude each other", "keep one of them")
    return tuple(sorted(tiles_along(along.pairs(), 1))) if along else entry.require("at").pairs()


def _objects(entry: YamlEntry) -> dict[str, Offsets | None]:
    objects, obj, use = entry.get("objects"), entry.get("obj"), entry.get("use")
    if objects:
        if obj or use:
            objects.fail("`objects` excludes `obj` and `use`", "keep one of them")
        _names(objects)
        return {name: tiles.pairs() for name, tiles in objects.fields().items()}
    if not obj:
        if use:
            use.fail("`use` needs an object", "add `obj: ...`")
        return {}
    return {read_name(obj): use.pairs() if use else None}


def _names(mapping: YamlEntry) -> None:
    """Check that every key of the mapping is a valid part of an address."""
    if isinstance(mapping.node, yaml.MappingNode):
        for key, _ in mapping.node.value:
            read_name(YamlEntry(mapping.file, key))


def _room(letter: str, entry: YamlEntry) -> Room:
    if len(letter) != 1 or letter in {WALL, DOORWAY, FACADE, OUTSIDE, " "}:
        entry.fail(f"{letter!r} cannot stand for a room", "use one letter")
    entry.checked_fields("arena", "floor", "wall")
    arena = read_name(entry.require("arena"))
    return Room(
        letter, arena, entry.require("floor").one_of(FLOORS), entry.require("wall").one_of(WALLPAPERS), entry.line
    )


def read_building(entry: YamlEntry) -> Building:
    """Return a building with its things in map tiles. Raises TownError with all problems of its plan and things."""
    entry.checked_fields("sector", "at", "facade", "windows", "rooms", "plan", "things")
    plan = entry.require("plan")
    # The text of a `|` block starts on the next line.
    first = plan.line + (1 if isinstance(plan.node, yaml.ScalarNode) and plan.node.style in {"|", ">"} else 0)
    rooms = {letter: _room(letter, room) for letter, room in entry.require("rooms").fields().items()}
    rows = tuple(plan.text().rstrip("\n").split("\n"))
    problems = [*_row_problems(plan.file, first, rows, rooms)]
    at = entry.require("at").pair()
    things = read_each(entry.get("things"), read_thing, problems)
    if problems:
        raise TownError(problems)
    sector, facade = read_name(entry.require("sector")), entry.require("facade").one_of(FACADES)
    return Building(
        sector=sector,
        at=at,
        facade=facade,
        rooms=rooms,
        rows=rows,
        rows_line=first,
        things=_moved(things, at),
        line=entry.line,
        windows=windows.boolean() if (windows := entry.get("windows")) else True,
    )


def _row_problems(file: str, first: int, rows: tuple[str, ...], rooms: dict[str, Room]) -> list[Problem]:
    known = {WALL, DOORWAY, FACADE, OUTSIDE, *rooms}
    problems = []
    for line, row in enumerate(rows, first):
        if len(row) != len(rows[0]):
            message = f"this row of the plan has {len(row)} characters, the first has {len(rows[0])}"
            problems.append(
                Problem(f"{file}:{line}", message, f"make all rows equally long; {OUTSIDE!r} means outside")
            )
        if strange := sorted(set(row) - known):
            message = f"{strange[0]!r} in the plan is not a room of this building"
            problems.append(Problem(f"{file}:{line}", message, "add it to `rooms` or use another letter"))
    for letter, room in rooms.items():
        if not any(letter in row for row in rows):
            fix = "draw it, or remove it from `rooms`"
            problems.append(Problem(f"{file}:{room.line}", f"room {letter} is not in the plan", fix))
    return problems


def read_area(entry: YamlEntry) -> Area:
    """Return an open area with its things in map tiles. Raises TownError with all problems of its things."""
    entry.checked_fields("sector", "arena", "objects", "things", *SHAPE_KEYS)
    problems: list[Problem] = []
    tiles = read_shape(entry)
    objects = entry.get("objects")
    if objects:
        _names(objects)
    things = read_each(entry.get("things"), read_thing, problems)
    plots = tuple(_plot(name, plot) for name, plot in (objects.fields() if objects else {}).items())
    if problems:
        raise TownError(problems)
    corner = min(x for x, _ in tiles), min(y for _, y in tiles)
    sector, arena = read_name(entry.require("sector")), read_name(entry.require("arena"))
    return Area(sector, arena, tiles, plots, things=_moved(things, corner), line=entry.line)


def read_plants(entry: YamlEntry) -> tuple[Plant, ...]:
    """Return a list of plants, each given by stamp name or as `{stamp: ..., colour: ...}`."""
    return tuple(_plant(part) for part in entry.items())


def _plant(entry: YamlEntry) -> Plant:
    if isinstance(entry.node, yaml.ScalarNode):
        return Plant(entry.text(), None, entry.line)
    entry.checked_fields("stamp", "colour")
    colour = entry.get("colour")
    return Plant(entry.require("stamp").text(), colour.text() if colour else None, entry.line)


def _plot(name: str, entry: YamlEntry) -> Plot:
    found = entry.checked_fields("ground", "plants", "density", "in_rows", *SHAPE_KEYS)
    in_rows = "in_rows" in found and found["in_rows"].boolean()
    if in_rows and "density" in found:
        found["density"].fail("`density` and `in_rows` exclude each other", "keep one of them: rows fill every tile")
    return Plot(
        name=name,
        tiles=read_shape(entry),
        ground=found["ground"].one_of(TERRAINS) if "ground" in found else None,
        plants=read_plants(found["plants"]) if "plants" in found else (),
        density=found["density"].fraction() if "density" in found else 1 if in_rows else PLANT_DENSITY,
        in_rows=in_rows,
        line=entry.line,
    )
