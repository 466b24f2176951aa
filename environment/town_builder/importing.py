"""Import maps from the Tiled editor: our own maps after editing, and maps of others."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copyfile

from town_builder.check.validate import TownCounts, validate_grids
from town_builder.files import write_text
from town_builder.grid.grids import Grids
from town_builder.grid.ids import Ids, read_ids
from town_builder.grid.matrix import (
    BLOCKS,
    COLLISION,
    LABELS,
    Block,
    Matrix,
    block_keys,
    grids_from_matrix,
    matrix_files,
    matrix_from_grids,
    read_blocks,
)
from town_builder.problems import Problem, TownError, town_error
from town_builder.tiled.layers import LAYERS
from town_builder.tiled.map_file import Tileset
from town_builder.tiled.reading import LoadedMap, read_map, require_layer
from town_builder.tiled.zones import grids_from_zones

LAYER = {layer.marker: layer.name.strip() for layer in LAYERS if layer.marker}
"""Matrix name → name of the layer its numbers are read from."""
PARTS = {"world": 1, "sector": 2, "arena": 3, "game_object": 3, "spawning_location": 4}
"""Number of address parts of each kind of marker; `<all>` replaces the arena of an object."""
WORLD_PROPERTY = "world"
IDS = "ids.json"
"""File with the numbers of a map whose places are named shapes."""

Blocks = dict[str, tuple[Block, ...]]


@dataclass(frozen=True)
class Imported:
    """Matrices and labels read from a map."""

    matrix: Matrix
    grids: Grids
    ids: Ids | None
    """Numbers assigned to named shapes; None if the map has numbers of its own."""
    notes: tuple[Problem, ...]
    """Warnings about markers that were left out."""


def import_map(path: Path, name: str, special_blocks: Path | None = None, ids: Ids | None = None) -> Imported:
    """Return the matrices of a map, under the name of its maze.

    Labels come from the shapes of an object layer `Addresses` if there is one (`ids` keeps their numbers stable),
    else from the folder `special_blocks` if given, else from the properties of the marker tiles. Raises TownError for
    a map that cannot be read or has no labels.
    """
    reading = read_map(path)
    if reading.zones:
        return _from_zones(reading, name, ids or Ids({}))
    blocks = read_blocks(special_blocks) if special_blocks else _labelled_tiles(reading)
    matrix, notes = _from_markers(reading, blocks)
    return Imported(matrix, replace(grids_from_matrix(matrix, name), source=reading.source), None, notes)


def _collisions(reading: LoadedMap) -> tuple[int, ...]:
    """Return the collision matrix: any tile in the layer is impassable, whatever its picture."""
    return tuple(COLLISION if number else 0 for number in require_layer(reading, LAYER["collision"]))


def _from_zones(reading: LoadedMap, name: str, ids: Ids) -> Imported:
    width = reading.map.width
    solid = frozenset((place % width, place // width) for place, number in enumerate(_collisions(reading)) if number)
    empty = Grids(
        maze_name=name,
        world=reading.map.properties.get(WORLD_PROPERTY, name.replace("_", " ")),
        width=width,
        height=reading.map.height,
        solid=solid,
        sectors={},
        arenas={},
        objects={},
        spawns={},
        source=reading.source,
    )
    grids = grids_from_zones(reading.zones, empty)
    extended = ids.extended(block_keys(grids))
    return Imported(matrix_from_grids(grids, extended), grids, extended, ())


def _labelled_tiles(reading: LoadedMap) -> Blocks:
    """Return the blocks named by the properties `kind` and `address` of marker tiles."""
    found: dict[str, list[Block]] = {kind: [] for kind in BLOCKS}
    for tileset in reading.map.tilesets:
        for tile, label in sorted(tileset.labels.items()):
            kind = label.get("kind", "")
            if kind in found and "address" in label:
                found[kind].append(_block(reading.source, tileset.first + tile, kind, label["address"]))
    if not found["world"] or not found["sector"]:
        message = "has no marker tiles with `kind` and `address`, and no object layer Addresses"
        fix = "add one of them, or give --special-blocks for a map whose labels are in CSV files"
        raise town_error(reading.source, message, fix)
    return {kind: tuple(blocks) for kind, blocks in found.items()}


def _block(source: str, number: int, kind: str, address: str) -> Block:
    parts = tuple(part.strip() for part in address.split(":"))
    if len(parts) != PARTS[kind]:
        message = f"the marker {number} of kind {kind} has the address {address!r}"
        raise town_error(source, message, f"give it {PARTS[kind]} parts separated by colons, starting with the world")
    return Block(number, parts)


def _from_markers(reading: LoadedMap, blocks: Blocks) -> tuple[Matrix, tuple[Problem, ...]]:
    """Return the numbers of the marker layers, and a warning for each number without a block."""
    mazes, notes = {"collision": _collisions(reading)}, []
    for kind in LABELS:
        known = {block.number for block in blocks[kind]}
        numbers = require_layer(reading, LAYER[kind])
        for number, count in sorted(Counter(numbers).items()):
            if number and number not in known:
                where = f"{reading.source}, layer {LAYER[kind]!r}"
                message = f"marker {number} on {count} tiles has no name and was left out"
                notes.append(Problem(where, message, "name it, or paint over it", warning=True))
        mazes[kind] = tuple(number if number in known else 0 for number in numbers)
    world = blocks["world"][0].names[-1]
    return Matrix(world.lower(), reading.map.width, reading.map.height, mazes, blocks), tuple(notes)


@dataclass(frozen=True)
class Installed:
    """Counts and warnings of a finished import."""

    counts: TownCounts
    warnings: tuple[Problem, ...]


def install(path: Path, folder: Path, *, special_blocks: Path | None = None, force: bool = False) -> Installed:
    """Import a map into a maze folder: matrices, map file and tilesets.

    Raises TownError, before anything is written, if the map has errors, or if the maze exists (unless `force`).
    """
    matrix_folder = folder / "matrix"
    if matrix_folder.exists() and not force:
        raise town_error(str(matrix_folder), "already exists", "choose another --name, or overwrite it with --force")
    ids = folder / IDS
    imported = import_map(path, folder.name, special_blocks, read_ids(ids))
    found = validate_grids(imported.grids)
    problems = (*imported.notes, *found.problems, *_sheet_problems(path))
    if errors := [one for one in problems if not one.warning]:
        raise TownError(errors)
    for name, text in matrix_files(imported.matrix).items():
        write_text(matrix_folder / name, text)
    if imported.ids:
        write_text(ids, imported.ids.text())
    _copy_map(path, folder / "visuals" / f"{folder.name}.json")
    return Installed(found.counts, problems)


def _copy_map(source: Path, target: Path) -> None:
    """Copy a map, and its tileset pictures from the same folder or below, unless the map is already in place."""
    if target.exists() and target.samefile(source):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    copyfile(source, target)
    beside = source.parent.resolve()
    for tileset in read_map(source).map.tilesets:
        if image := _image(tileset, beside):
            sheet = target.parent / image.relative_to(beside)
            sheet.parent.mkdir(parents=True, exist_ok=True)
            copyfile(image, sheet)


def _image(tileset: Tileset, beside: Path) -> Path | None:
    """Return the path of a tileset picture if it lies in the folder of the map or below."""
    image = (beside / tileset.image).resolve()
    return image if tileset.image and image.is_file() and image.is_relative_to(beside) else None


def _sheet_problems(path: Path) -> Iterator[Problem]:
    """Yield a warning for every tileset picture that cannot be copied: browsers would not show its tiles."""
    for tileset in read_map(path).map.tilesets:
        if not tileset.image:
            fix = "embed the tileset in the map (in Tiled: Map > Embed Tileset)"
            yield Problem(str(path), f"the tileset {tileset.name!r} is stored in a separate file", fix, warning=True)
        elif not _image(tileset, path.parent.resolve()):
            message = f"the picture {tileset.image!r} of the tileset {tileset.name!r} is not in or below its folder"
            yield Problem(str(path), message, "put it there and import again", warning=True)
