"""Read a town file: YAML in, a Plan out, or all problems with their lines."""

import hashlib
from pathlib import Path

from town_builder.art.ground.ground import TERRAINS
from town_builder.plan.places import read_area, read_building, read_maze_name, read_name, read_plants, read_thing
from town_builder.plan.shapes import SHAPE_KEYS, read_shape
from town_builder.plan.town_plan import Plan, Scatter, TerrainPatch
from town_builder.problems import Problem, TownError
from town_builder.yaml_reader import YamlEntry, read_each, read_yaml

FORMAT = "town/1"
LARGEST = 1000
"""Maximum width and height in tiles: enough for a city of 2,000 people."""
WIDEST_CLEAR = 20
"""Maximum of `clear`, in tiles."""
KEYS = ("format", "maze_name", "world", "size", "terrain", "scatter", "buildings", "areas", "things")


def load_plan(path: Path) -> Plan:
    """Return the plan of a town file. Raises TownError with every problem that can be found without compiling."""
    entry = read_yaml(path)
    entry.checked_fields(*KEYS)
    problems: list[Problem] = []
    width, height = _size(entry.require("size"))
    plan = Plan(
        file=str(path),
        fingerprint=hashlib.sha256(path.read_bytes()).hexdigest(),
        maze_name=_maze_name(entry),
        world=read_name(entry.require("world")),
        width=width,
        height=height,
        terrain=read_each(entry.get("terrain"), _terrain, problems),
        scatter=read_each(entry.get("scatter"), _scatter, problems),
        buildings=read_each(entry.get("buildings"), read_building, problems),
        areas=read_each(entry.get("areas"), read_area, problems),
        things=read_each(entry.get("things"), read_thing, problems),
    )
    if problems:
        raise TownError(problems)
    return plan


def _maze_name(entry: YamlEntry) -> str:
    """Return the maze name; check the format first, because other formats may differ in anything else."""
    version = entry.require("format")
    if version.text() != FORMAT:
        version.fail(f"format {version.text()!r} is not known", f"this builder reads `format: {FORMAT}`")
    return read_maze_name(entry.require("maze_name"))


def _size(entry: YamlEntry) -> tuple[int, int]:
    width, height = entry.pair("width, height")
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        entry.fail(f"the town has a size of {width} by {height} tiles", f"choose sides of 1 to {LARGEST} tiles")
    return width, height


def _terrain(entry: YamlEntry) -> TerrainPatch:
    found = entry.checked_fields("kind", "solid", *SHAPE_KEYS)
    kind = entry.require("kind").one_of(TERRAINS)
    solid = found["solid"].boolean() if "solid" in found else TERRAINS[kind].solid
    return TerrainPatch(kind, read_shape(entry), solid, entry.line)


def _clear(entry: YamlEntry) -> int:
    tiles = entry.tiles()
    if not 0 <= tiles <= WIDEST_CLEAR:
        entry.fail(f"{entry.name} is {tiles} tiles", f"choose 0 to {WIDEST_CLEAR}")
    return tiles


def _scatter(entry: YamlEntry) -> Scatter:
    found = entry.checked_fields("stamps", "density", "clear", "solid", *SHAPE_KEYS)
    return Scatter(
        stamps=read_plants(entry.require("stamps")),
        tiles=read_shape(entry),
        density=entry.require("density").fraction(),
        seed=found["seed"].integer() if "seed" in found else 0,
        clear=_clear(found["clear"]) if "clear" in found else 1,
        solid="solid" in found and found["solid"].boolean(),
        line=entry.line,
    )
