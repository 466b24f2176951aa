"""The classic matrices: reading and writing preserves meaning and bytes."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from town_builder.check.validate import validate_grids
from town_builder.grid.grids import Grids
from town_builder.grid.ids import WORLD, Ids
from town_builder.grid.matrix import (
    COLLISION,
    LABELS,
    block_keys,
    grids_from_matrix,
    matrix_files,
    matrix_from_grids,
    read_blocks,
)
from town_builder.problems import TownError

WIDTH, HEIGHT = 6, 4
NAME = st.sampled_from(["Inn", "Pub", "Ann Lee's house", "bar", "bed", "garden", "Café"])
TILES = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]


@st.composite
def towns(draw):
    """Generate small towns with nested labels: some tiles have a sector, some an arena, some an object."""
    sectors = draw(st.dictionaries(st.sampled_from(TILES), NAME))
    arenas = {tile: draw(NAME) for tile in sectors if draw(st.booleans())}
    objects = {tile: draw(NAME) for tile in arenas if draw(st.booleans())}
    spawns = {tile: draw(st.sampled_from(["sp-A", "sp-B"])) for tile in objects if draw(st.booleans())}
    solid = frozenset(draw(st.sets(st.sampled_from(TILES))))
    return Grids("maze", "the World", WIDTH, HEIGHT, solid, sectors, arenas, objects, spawns, source="maze")


def numbered(grids):
    return matrix_from_grids(grids, Ids({}).extended(block_keys(grids)))


def write(matrix, folder):
    for name, text in matrix_files(matrix).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())


@given(towns())
def test_grids_survive_the_round_trip(grids):
    """Converting grids to numbers and back preserves all labels."""
    assert grids_from_matrix(numbered(grids), "maze") == grids


@given(grids=towns())
def test_files_are_read_as_they_were_written(tmp_path_factory, read_matrix, grids):
    """Writing matrices to files and reading them preserves them."""
    folder = tmp_path_factory.mktemp("matrix")
    write(numbered(grids), folder)
    assert read_matrix(folder) == numbered(grids)


@given(towns(), towns())
def test_numbers_stay_when_a_town_grows(before, after):
    """When a town changes, every name keeps its number."""
    ids = Ids({}).extended(block_keys(before))
    old, new = matrix_from_grids(before, ids), matrix_from_grids(after, ids.extended(block_keys(after)))
    numbers = {kind: {block.parts: block.number for block in rows} for kind, rows in old.blocks.items()}
    for kind, rows in new.blocks.items():
        assert all(numbers[kind].get(block.parts, block.number) == block.number for block in rows)


def test_the_layout_of_the_files(town):
    """Mazes are one line of W × H numbers separated by `, `, without newline; blocks have number, world and names."""
    files = matrix_files(numbered(town.compiled().grids))
    for name in ("collision", *LABELS):
        text = files[f"maze/{name}_maze.csv"]
        assert "\n" not in text
        assert len(text.split(", ")) == 20 * 16
    assert set(files["maze/collision_maze.csv"].split(", ")) == {"0", str(COLLISION)}
    assert files["special_blocks/world_blocks.csv"] == f"{WORLD}, the Valley"
    assert files["special_blocks/sector_blocks.csv"].splitlines()[0] == f"{WORLD + 1}, the Valley, Ann Lee's house"
    assert ", the Valley, <all>, toilet\n" in files["special_blocks/game_object_blocks.csv"]
    assert files["special_blocks/spawning_location_blocks.csv"].endswith(", Ann Lee's house, main room, sp-B")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("arena_blocks.csv", "32135, the Valley, x\nroom", "arena_blocks.csv:2: 'room' is not"),
        ("arena_blocks.csv", None, "cannot be read"),
    ],
    ids=["no row", "no file"],
)
def test_broken_blocks_are_refused(town, tmp_path, name, text, expected):
    """The error names the file, and the line if there is one."""
    write(numbered(town.compiled().grids), tmp_path)
    file = tmp_path / "special_blocks" / name
    file.unlink() if text is None else file.write_text(text, encoding="utf-8")
    with pytest.raises(TownError, match=expected):
        read_blocks(file.parent)


@pytest.fixture
def reference():
    if "REFERENCE_DATA" not in os.environ:
        pytest.skip("REFERENCE_DATA is not set: the classic matrices were NOT compared")
    return Path(os.environ["REFERENCE_DATA"]) / "matrix"


@pytest.mark.reference
def test_the_classic_files_come_back_byte_for_byte(reference, read_matrix):
    """Reading and writing the classic matrices gives the same eleven files."""
    files = matrix_files(read_matrix(reference))
    assert {name: text.encode() for name, text in files.items()} == {
        str(path.relative_to(reference)): path.read_bytes() for path in reference.rglob("*.*")
    }


@pytest.mark.reference
def test_the_classic_town_is_counted_correctly(reference, read_matrix):
    """The published counts of the classic town are found, without an error."""
    found = validate_grids(grids_from_matrix(read_matrix(reference), "the_ville"))
    counts = found.counts
    assert (counts.sectors, counts.arenas, counts.object_types, counts.spawns) == (19, 63, 46, 40)
    assert (counts.objects, counts.walkable, len(counts.components)) == (222, 11_936, 17)
    assert not [problem for problem in found.problems if not problem.warning]


@pytest.mark.reference
def test_blanks_at_the_end_of_a_name_do_not_matter(reference, read_matrix):
    """The classic sector with a trailing space keeps it in its file, but not in its name."""
    matrix = read_matrix(reference)
    assert "Ryan Park's apartment " in {block.parts[-1] for block in matrix.blocks["sector"]}
    assert "Ryan Park's apartment" in grids_from_matrix(matrix, "the_ville").sectors.values()
