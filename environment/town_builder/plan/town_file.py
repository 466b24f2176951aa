"""Reading a town file: YAML in, a Plan out, or every fault with its line."""

import hashlib
from pathlib import Path

from town_builder.art.ground import TERRAINS
from town_builder.entries import Entry, each, read_entry
from town_builder.faults import Fault, TownError
from town_builder.plan.places import read_area, read_building, read_maze_name, read_name, read_plants, read_thing
from town_builder.plan.shapes import SHAPE_KEYS, read_shape
from town_builder.plan.town_plan import Plan, Scatter, Terrain

FORMAT = "town/1"
LARGEST = 500
"""Tiles on a side; a bigger map would not fit into what draws it."""
WIDEST_CLEAR = 20
"""Tiles that scatter may keep free round what is solid."""
KEYS = ("format", "maze_name", "world", "size", "terrain", "scatter", "buildings", "areas", "things")


def load_plan(path: Path) -> Plan:
    """The plan that a town file describes. Raises TownError with every fault that reading alone can find."""
    entry = read_entry(path)
    entry.known(*KEYS)
    faults: list[Fault] = []
    width, height = _size(entry.need("size"))
    plan = Plan(
        file=str(path),
        fingerprint=hashlib.sha256(path.read_bytes()).hexdigest(),
        maze_name=_maze_name(entry),
        world=read_name(entry.need("world")),
        width=width,
        height=height,
        terrain=each(entry.get("terrain"), _terrain, faults),
        scatter=each(entry.get("scatter"), _scatter, faults),
        buildings=each(entry.get("buildings"), read_building, faults),
        areas=each(entry.get("areas"), read_area, faults),
        things=each(entry.get("things"), read_thing, faults),
    )
    if faults:
        raise TownError(faults)
    return plan


def _maze_name(entry: Entry) -> str:
    """The folder's name; looks at the format first, since an older or newer file may differ in anything else."""
    version = entry.need("format")
    if version.text() != FORMAT:
        version.refuse(f"format {version.text()!r} is not known", f"this builder reads `format: {FORMAT}`")
    return read_maze_name(entry.need("maze_name"))


def _size(entry: Entry) -> tuple[int, int]:
    width, height = entry.pair("width, height")
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        entry.refuse(f"a town of {width} by {height} tiles", f"choose sides of 1 to {LARGEST} tiles")
    return width, height


def _terrain(entry: Entry) -> Terrain:
    found = entry.known("kind", "solid", *SHAPE_KEYS)
    kind = entry.need("kind").one_of(TERRAINS)
    solid = found["solid"].truth() if "solid" in found else TERRAINS[kind].solid
    return Terrain(kind, read_shape(entry), solid, entry.line)


def _clear(entry: Entry) -> int:
    tiles = entry.tiles()
    if not 0 <= tiles <= WIDEST_CLEAR:
        entry.refuse(f"{entry.name} is {tiles} tiles", f"choose 0 to {WIDEST_CLEAR}")
    return tiles


def _scatter(entry: Entry) -> Scatter:
    found = entry.known("stamps", "density", "clear", "solid", *SHAPE_KEYS)
    return Scatter(
        stamps=read_plants(entry.need("stamps")),
        tiles=read_shape(entry),
        density=entry.need("density").share(),
        seed=found["seed"].whole() if "seed" in found else 0,
        clear=_clear(found["clear"]) if "clear" in found else 1,
        solid="solid" in found and found["solid"].truth(),
        line=entry.line,
    )
