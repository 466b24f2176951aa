"""Build the map of a town from its town file: matrices, Tiled map, tilesets and pictures of the whole."""

from dataclasses import dataclass, replace
from pathlib import Path

from town_builder.check.validate import TownCounts, validate_grids
from town_builder.compose import compose
from town_builder.files import write_text
from town_builder.grid.compile import Compiled, compile_plan
from town_builder.grid.ids import WORLD, read_ids
from town_builder.grid.matrix import COLLISION, Matrix, block_keys, matrix_files, matrix_from_grids
from town_builder.plan.town_file import load_plan
from town_builder.plan.town_plan import Plan
from town_builder.problems import Problem, TownError, town_error
from town_builder.stamps import load_stamps
from town_builder.tiled.layers import LAYERS
from town_builder.tiled.map_file import BUILT_FROM, CONTENT, FIRST_BLOCK, Gids, TiledMap, Tileset, fingerprint, map_text
from town_builder.tiled.packing import FOLDER, pack
from town_builder.tiled.preview import composed, render, save_front, save_overview, save_small
from town_builder.tiled.reading import read_map
from town_builder.tiled.sheets import Sheet, catalogue
from town_builder.tiled.swatches import swatches

PREVIEW, OVERVIEW = "preview.png", "overview.webp"
FRONT = {"front.webp": 1760, "front_large.webp": 2240}
"""Pictures for the front page, for screens of one and of several pixels a point; their widths in pixels."""


@dataclass(frozen=True)
class BuildResult:
    """Counts, warnings and folder of a finished build."""

    counts: TownCounts
    warnings: tuple[Problem, ...]
    folder: Path


def read_town(path: Path) -> tuple[Plan, Compiled]:
    """Read and compile a town file. Raises TownError if it cannot be compiled at all."""
    plan = load_plan(path)
    return plan, compile_plan(plan, load_stamps())


def ids_path(town: Path, plan: Plan) -> Path:
    """Return the path of the file that keeps the block numbers of a town."""
    return town.with_name(f"{plan.maze_name}.ids.json")


def build(town: Path, assets: Path, *, ids_to: Path | None = None, force: bool = False) -> BuildResult:
    """Build a town file into `assets/<maze_name>/` and update its block numbers (in `ids_to`, if given).

    Raises TownError, before anything is written, if the town has errors, or if the map was edited since it was built
    (unless `force`).
    """
    plan, compiled = read_town(town)
    counts, warnings = check_sound(compiled)
    folder = assets / plan.maze_name
    map_path = folder / "visuals" / f"{plan.maze_name}.json"
    if not force:
        check_unedited(map_path)
    ids = read_ids(ids_path(town, plan)).extended(block_keys(compiled.grids))
    write_text(ids_to or ids_path(town, plan), ids.text())
    matrix = matrix_from_grids(compiled.grids, ids)
    for name, text in matrix_files(matrix).items():
        write_text(folder / "matrix" / name, text)
    _write_map(map_path, plan, compiled, matrix=matrix, last=max(ids.numbers.values(), default=WORLD))
    picture = render(map_path)
    save_small(picture, map_path.with_name(PREVIEW))
    save_overview(picture, map_path.with_name(OVERVIEW))
    for name, width in FRONT.items():
        save_front(picture, map_path.with_name(name), width)
    return BuildResult(counts, warnings, folder)


def draw(town: Path, picture: Path) -> None:
    """Draw a town file as it would be built. Raises TownError if it has errors; the picture stays as it was then."""
    plan, compiled = read_town(town)
    check_sound(compiled)
    save_front(composed(compose(plan, compiled.placement), plan.width, plan.height), picture, max(FRONT.values()))


def check_sound(compiled: Compiled) -> tuple[TownCounts, tuple[Problem, ...]]:
    """Return the counts and warnings of a town. Raises TownError if it has errors."""
    found = validate_grids(compiled.grids)
    problems = (*compiled.problems, *found.problems)
    if errors := [one for one in problems if not one.warning]:
        raise TownError(errors)
    return found.counts, problems


def check_unedited(map_path: Path) -> None:
    """Raise TownError if the map exists and differs from the one that was built."""
    if map_path.exists():
        reading = read_map(map_path)
        if reading.zones or reading.map.properties.get(CONTENT) != fingerprint(reading.map):
            message = "was edited since it was built, and a build would overwrite the changes"
            raise town_error(str(map_path), message, "keep them with `import`, or overwrite them with --force")


def _write_map(map_path: Path, plan: Plan, compiled: Compiled, *, matrix: Matrix, last: int) -> None:
    """Write the map and its tilesets. `last` is the highest block number ever used."""
    grids = compiled.grids
    packing, layers = pack(compose(plan, compiled.placement), grids.width, grids.height, catalogue())
    markers = swatches(matrix.blocks, last)
    layers |= _marker_layers(matrix, markers)
    folder = map_path.parent / FOLDER
    for old in folder.glob("*.png"):
        old.unlink()
    for _, sheet in packing.sheets:
        sheet.picture.save(folder / f"{sheet.name}.png")
    markers.picture.save(folder / f"{markers.name}.png")
    tilesets = (*packing.tilesets(), _marker_tileset(matrix, markers))
    tiled = TiledMap(grids.width, grids.height, layers, tilesets)
    properties = {BUILT_FROM: plan.fingerprint, CONTENT: fingerprint(tiled), "world": grids.world}
    write_text(map_path, map_text(replace(tiled, properties=properties)))


def _marker_tileset(matrix: Matrix, sheet: Sheet) -> Tileset:
    labels = {0: {"kind": "collision"}}
    for kind, blocks in matrix.blocks.items():
        for block in blocks:
            labels[block.number - COLLISION] = {"kind": kind, "address": ":".join(block.parts)}
    return Tileset(sheet.name, FIRST_BLOCK, sheet.columns, sheet.places, f"{FOLDER}/{sheet.name}.png", labels)


def _marker_layers(matrix: Matrix, sheet: Sheet) -> dict[str, Gids]:
    """Return the marker layers: matrix numbers, the world everywhere, and a registry in the lower left corner."""
    count = matrix.width * matrix.height
    numbers = {**matrix.mazes, "world": (matrix.blocks["world"][0].number,) * count}
    registry = [0] * count
    top = max(0, matrix.height - len(sheet.tiles) // sheet.columns)
    for place, tile in enumerate(sheet.tiles):
        row, column = top + place // sheet.columns, place % sheet.columns
        if tile and row < matrix.height and column < matrix.width:
            registry[row * matrix.width + column] = FIRST_BLOCK + place
    numbers["registry"] = tuple(registry)
    return {layer.name: numbers[layer.marker] for layer in LAYERS if layer.marker}
