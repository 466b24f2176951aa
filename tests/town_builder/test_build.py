"""Builds are reproducible and never overwrite edited maps."""

import json
import shutil

import pytest

from town_builder.build import build
from town_builder.compare_build import compare_with_build
from town_builder.problems import TownError


@pytest.fixture
def built_town(town, built):
    """A town that was built once; the files are copied, as a build takes long."""
    shutil.copytree(built.parent, town.path.parent / "assets")
    shutil.copy(built.parent.with_name("cottage.ids.json"), town.path.parent)
    return town


def folder_of(town):
    return town.path.parent / "assets/cottage"


def everything(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}


def build_town(town, **more):
    return build(town.path, town.path.parent / "assets", **more).folder


def test_the_same_town_makes_the_same_bytes(built, town):
    """Two builds in different folders have the same bytes in every file."""
    assert everything(build_town(town)) == everything(built)


@pytest.mark.slow
def test_numbers_are_kept_beside_the_town(built_town):
    """A build after adding a room changes no number; new names get new numbers."""
    town = built_town
    ids = town.path.with_name("cottage.ids.json")
    before = json.loads(ids.read_text(encoding="utf-8"))
    town.change("obj: closet", "obj: old closet").change("arena: bathroom", "arena: a bathroom")
    build_town(town)
    after = json.loads(ids.read_text(encoding="utf-8"))
    assert {key: after[key] for key in before} == before
    assert set(after) - set(before) == {"game_object:old closet", "arena:Ann Lee's house:a bathroom"}


def test_a_town_with_errors_is_not_built(town):
    """All errors are reported, and no file is written."""
    town.change("stamp: wardrobe", "stamp: wardrob")
    with pytest.raises(TownError, match="did you mean 'wardrobe'"):
        build_town(town)
    assert list(town.path.parent.iterdir()) == [town.path]


def paint(found):
    found["layers"][0]["data"][0] += 1


def name_a_shape(found):
    shape = {"id": 1, "name": "Inn:bar", "x": 0, "y": 0, "width": 32, "height": 32}
    found["layers"].append({"type": "objectgroup", "name": "Addresses", "objects": [shape]})


def name_a_marker(found):
    found["tilesets"][-1]["tiles"][-1]["properties"][0]["value"] = "the Valley:elsewhere"


@pytest.mark.slow
def test_an_edited_map_is_not_overwritten(built_town):
    """A map with any kind of edit is kept unless the build is forced."""
    path = folder_of(built_town) / "visuals/cottage.json"
    original = path.read_text(encoding="utf-8")
    for edit in (paint, name_a_shape, name_a_marker):
        found = json.loads(original)
        edit(found)
        path.write_text(json.dumps(found), encoding="utf-8")
        before = path.read_bytes()
        with pytest.raises(TownError, match="was edited since it was built"):
            build_town(built_town)
        assert path.read_bytes() == before, edit
    build_town(built_town, force=True)
    assert path.read_text(encoding="utf-8") == original


def test_saving_without_a_change_is_not_an_edit(built_town):
    """Only tiles count as an edit, not the JSON formatting of the editor."""
    path = folder_of(built_town) / "visuals/cottage.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")), indent=4), encoding="utf-8")
    build_town(built_town)


def test_obsolete_sheets_are_deleted(built_town):
    """A sheet that the map no longer uses is deleted from its folder."""
    folder = folder_of(built_town)
    (folder / "visuals/tilesets/old.png").write_bytes(b"")
    build_town(built_town)
    assert not (folder / "visuals/tilesets/old.png").exists()


def test_check_names_every_difference(built_town):
    """A changed, a missing and an extra file are three errors; the check changes nothing."""
    folder = folder_of(built_town)
    (folder / "matrix/maze/arena_maze.csv").write_text("0", encoding="utf-8")
    (folder / "visuals/tilesets/grass.png").unlink()
    (folder / "matrix/notes.txt").write_text("mine", encoding="utf-8")
    before = everything(folder)
    problems = {
        problem.where.rpartition("/")[2]: problem.message
        for problem in compare_with_build(built_town.path, built_town.path.parent / "assets")
    }
    assert problems == {
        "arena_maze.csv": "differs from what the town file makes",
        "grass.png": "is missing",
        "notes.txt": "is not made by the town file",
    }
    assert everything(folder) == before


def test_check_compares_pixels(built_town):
    """A picture with different bytes but the same pixels is a warning, and the only one after a build."""
    folder = folder_of(built_town)
    path = folder / "visuals/tilesets/grass.png"
    path.write_bytes(path.read_bytes() + b"\0")
    (problem,) = compare_with_build(built_town.path, built_town.path.parent / "assets")
    assert problem.warning
    assert "same pixels" in problem.message


def test_check_reports_outdated_files(built_town):
    """After a change of the town file, its numbers and its map are reported."""
    town = built_town
    town.change("arena: green", "arena: lawn")
    names = {problem.where.rpartition("/")[2] for problem in compare_with_build(town.path, town.path.parent / "assets")}
    assert {"cottage.ids.json", "arena_blocks.csv", "cottage.json"} <= names
