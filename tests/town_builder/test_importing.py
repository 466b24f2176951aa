"""Imports of maps from the editor."""

import json
import os
from pathlib import Path

import pytest

from town_builder.grid.matrix import COLLISION, matrix_files
from town_builder.importing import import_map, install
from town_builder.problems import TownError

MARKERS = ("Collisions", "Arena Blocks", "Sector Blocks", "Object Interaction Blocks", "Spawning Blocks")


def texts(folder):
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("*.*")}


@pytest.fixture
def edit(built, tmp_path):
    """Return a function that saves a changed copy of the built map and returns its path."""

    def edit(change):
        found = json.loads((built / "visuals/cottage.json").read_text(encoding="utf-8"))
        change(found, {layer["name"].strip(): layer for layer in found["layers"]})
        path = tmp_path / "edited.json"
        path.write_text(json.dumps(found), encoding="utf-8")
        return path

    return edit


def imported(path, **more):
    return matrix_files(import_map(path, "cottage", **more).matrix)


def test_our_own_map_comes_back_byte_for_byte(built):
    """Building and importing gives the same eleven files."""
    assert imported(built / "visuals/cottage.json") == texts(built / "matrix")


def test_flip_bits_do_not_matter(built, edit):
    """Flip bits in any marker layer change nothing."""

    def flip(_, layers):
        for name in MARKERS:
            layers[name]["data"] = [tile | 0xA0000000 if tile else 0 for tile in layers[name]["data"]]

    assert imported(edit(flip)) == texts(built / "matrix")


def test_any_tile_in_collisions_is_a_wall(built, edit):
    """Any tile in the Collisions layer becomes 32125 in the matrix."""

    def repaint(_, layers):
        layers["Collisions"]["data"] = [
            3 + place % 9 if tile else 0 for place, tile in enumerate(layers["Collisions"]["data"])
        ]

    assert imported(edit(repaint)) == texts(built / "matrix")


def test_blanks_and_order_of_layers_do_not_matter(built, edit):
    """Layers are found by name in any order, with spaces at the ends of their names."""

    def shuffle(found, layers):
        for name in MARKERS:
            layers[name]["name"] = f" {name} "
        found["layers"].reverse()

    assert imported(edit(shuffle)) == texts(built / "matrix")


def test_unnamed_markers_are_left_out_and_reported(built, edit):
    """A marker without a name becomes 0, and the import reports its number and count."""

    def stray(_, layers):
        layers["Arena Blocks"]["data"][0:3] = [32200, 32200, 0]

    found = import_map(edit(stray), "cottage")
    assert matrix_files(found.matrix) == texts(built / "matrix")
    assert [note.message for note in found.notes] == ["marker 32200 on 2 tiles has no name and was left out"]


def test_a_missing_layer_is_named(edit):
    """A map without a marker layer is refused with the names of its layers."""
    path = edit(lambda found, layers: found["layers"].remove(layers["Sector Blocks"]))
    with pytest.raises(TownError, match="has no layer 'Sector Blocks'"):
        import_map(path, "cottage")


def test_a_map_without_names_asks_for_them(edit, built):
    """Markers without properties require --special-blocks, with which the import is complete."""
    path = edit(lambda found, _: found["tilesets"][-1].pop("tiles"))
    with pytest.raises(TownError, match="--special-blocks"):
        import_map(path, "cottage")
    assert imported(path, special_blocks=built / "matrix/special_blocks") == texts(built / "matrix")


def rectangle(name, x, y, width, height):
    return {"id": 1, "name": name, "x": 32 * x, "y": 32 * y, "width": 32 * width, "height": 32 * height}


def test_named_shapes_are_as_good_as_markers(built, edit):
    """An object layer Addresses gives the same town; later shapes win, and solid tiles stay solid."""
    triangle = {"id": 2, "name": "Ann Lee's house:bathroom:toilet", "x": 320, "y": 128, "polygon": [
        {"x": 0, "y": 0}, {"x": 32, "y": 0}, {"x": 32, "y": 32}, {"x": -8, "y": 16}]}  # fmt: skip
    shapes = [
        rectangle("Ann Lee's house", 3, 2, 11, 7), rectangle("Ann Lee's house", 5, 9, 2, 1),
        rectangle("Ann Lee's house:main room", 4, 3, 5, 5), rectangle("Ann Lee's house:bathroom", 10, 3, 3, 5),
        rectangle("Ann Lee's house:main room:bed:sp-A", 4, 4, 1, 1),
        rectangle("Ann Lee's house:main room:bed:sp-B", 5, 4, 1, 1),
        rectangle("Ann Lee's house:main room:closet", 8, 5, 1, 1), triangle,
        rectangle("Ann Lee's house:bathroom:bathroom sink", 12, 5, 1, 1),
        rectangle("the Green:green", 14, 4, 4, 4), rectangle("the Green:green:flower bed", 15, 5, 2, 2),
    ]  # fmt: skip

    def name(found, _):
        found["layers"].append({"type": "objectgroup", "name": "Addresses", "objects": shapes})

    found = import_map(edit(name), "cottage").grids
    ours = import_map(built / "visuals/cottage.json", "cottage").grids
    for part in ("world", "solid", "sectors", "arenas", "objects", "spawns"):
        assert getattr(found, part) == getattr(ours, part), part


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (rectangle("the Valley:Ann Lee's house", 3, 2, 11, 7), "starts with the world; start with the sector"),
        (rectangle("Inn:bar:bed:corner", 14, 4, 1, 1), "has a fourth part 'corner'; name spawn tiles `sp-A`"),
        (rectangle("Inn:bar", 99, 4, 1, 1), "does not contain the middle of any tile; make it larger"),
        (rectangle("Inn:bar", 3, 4, 0.2, 0.2), "does not contain the middle of any tile; make it larger"),
        (rectangle("Inn:the\nbar", 14, 4, 1, 1), "invisible character; remove it"),
    ],
    ids=["world first", "no spawn", "off the map", "too small", "two lines"],
)
def test_invalid_shapes_are_refused(edit, tmp_path, shape, expected):
    """A shape that would be lost or misread is refused with its name."""

    def name(found, _):
        found["layers"].append({"type": "objectgroup", "name": "Addresses", "objects": [shape]})

    with pytest.raises(TownError, match=expected):
        install(edit(name), tmp_path / "assets/inn")


@pytest.mark.parametrize("address", ["", "green", "the Green:green"])
def test_incomplete_marker_addresses_are_refused(edit, address):
    """A marker with too few or too many address parts is refused with its number."""

    def rename(found, _):
        markers = found["tilesets"][-1]["tiles"]
        arena = next(
            one for one in markers if {"name": "kind", "type": "string", "value": "arena"} in one["properties"]
        )
        arena["properties"] = [{"name": "kind", "value": "arena"}, {"name": "address", "value": address}]

    with pytest.raises(TownError, match="give it 3 parts separated by colons, starting with the world"):
        import_map(edit(rename), "cottage")


def test_missing_pictures_are_reported(edit, tmp_path):
    """Importing a map without its sheets gives a warning for each sheet."""

    def one_outside(found, _):
        found["tilesets"][0] = {"firstgid": 1, "source": "grass.tsx"}

    warnings = install(edit(one_outside), tmp_path / "assets/bare").warnings
    assert all(one.warning for one in warnings)
    assert "'grass.tsx' is stored in a separate file" in warnings[0].message
    assert sum("is not in or below its folder" in one.message for one in warnings) == 15


def test_a_foreign_map_becomes_a_maze(tmp_path, built, read_matrix):
    """An import writes matrices and map under the new name, and the result can be read."""
    install(built / "visuals/cottage.json", tmp_path / "assets/elsewhere")
    assert read_matrix(tmp_path / "assets/elsewhere/matrix") == read_matrix(built / "matrix")
    copied = tmp_path / "assets/elsewhere/visuals"
    assert (copied / "elsewhere.json").read_bytes() == (built / "visuals/cottage.json").read_bytes()
    names = {path.name for path in (built / "visuals/tilesets").iterdir()}
    assert {path.name for path in (copied / "tilesets").iterdir()} == names


def test_nothing_is_overwritten_without_force(edit, tmp_path):
    """An existing maze is kept unless forced."""

    def open_a_wall(_, layers):
        layers["Collisions"]["data"][3 * 20] = 0

    path, folder = edit(open_a_wall), tmp_path / "assets/cottage"
    install(path, folder)
    before = texts(folder / "matrix")
    edit(lambda *_: None)
    with pytest.raises(TownError, match="--force"):
        install(path, folder)
    assert texts(folder / "matrix") == before
    install(path, folder, force=True)
    assert texts(folder / "matrix") != before


def test_a_map_with_errors_is_not_installed(edit, tmp_path):
    """An import is validated like a town file; with errors, nothing is written."""

    def wall_the_bed_in(_, layers):
        for tile in (3, 4, 5, 6, 7):
            layers["Collisions"]["data"][4 * 20 + tile] = COLLISION

    with pytest.raises(TownError, match="the use tile of 'bed' is solid"):
        install(edit(wall_the_bed_in), tmp_path / "assets/cottage")
    assert not (tmp_path / "assets").exists()


def test_named_shapes_keep_their_numbers(edit, tmp_path):
    """Importing again with one more shape changes no existing number."""
    shapes = [rectangle("Inn", 14, 4, 4, 4), rectangle("Inn:bar", 14, 4, 4, 4), rectangle("Inn:bar:tap", 15, 5, 1, 1)]

    def name(found, _):
        found["layers"].append({"type": "objectgroup", "name": "Addresses", "objects": list(shapes)})

    folder = tmp_path / "assets/inn"
    install(edit(name), folder)
    before = json.loads((folder / "ids.json").read_text("utf-8"))
    shapes.insert(0, rectangle("Barn:hay", 1, 4, 1, 1))
    install(edit(name), folder, force=True)
    after = json.loads((folder / "ids.json").read_text("utf-8"))
    assert {key: after[key] for key in before} == before
    assert set(after) - set(before) == {"sector:Barn", "arena:Barn:hay"}


@pytest.mark.reference
def test_classic_markers_with_classic_names(tmp_path, read_matrix):
    """The classic matrices as layers of a map, with their special blocks, give the same matrices."""
    if "REFERENCE_DATA" not in os.environ:
        pytest.skip("REFERENCE_DATA is not set: a classic map was NOT imported")
    matrix = read_matrix(Path(os.environ["REFERENCE_DATA"]) / "matrix")
    names = dict(zip(("collision", "arena", "sector", "game_object", "spawning_location"), MARKERS, strict=True))
    layers = [{"type": "tilelayer", "name": names[kind], "data": list(data)} for kind, data in matrix.mazes.items()]
    path = tmp_path / "classic.json"
    found = {"width": matrix.width, "height": matrix.height, "layers": layers, "tilesets": []}
    path.write_text(json.dumps(found), encoding="utf-8")
    blocks = Path(os.environ["REFERENCE_DATA"]) / "matrix/special_blocks"
    assert import_map(path, "the_ville", blocks).matrix == matrix
