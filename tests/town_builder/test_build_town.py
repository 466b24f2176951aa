"""The command build_town.py: output and exit codes."""

import re

import numpy as np
import pytest

from build_town import main
from town_builder.art.canvas import load


def test_validate_counts_a_valid_town(town, capsys):
    """A valid town is counted on one line, and the exit code is 0."""
    assert main(["validate", str(town.path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "2 sectors, 3 arenas, 5 objects of 5 types, 2 spawns; 129 walkable tiles in 1 components",
        "0 errors, 0 warnings",
    ]


def test_errors_exit_with_1(town, capsys):
    """Each problem is a line `file:line: message; fix`."""
    town.change("stamp: wardrobe", "stamp: wardrob")
    assert main(["validate", str(town.path)]) == 1
    line = town.line_of("wardrob")
    expected = f"{town.path}:{line}: no stamp is called 'wardrob'; did you mean 'wardrobe'?"
    assert capsys.readouterr().out.splitlines() == [expected, "1 error, 0 warnings"]


def test_warnings_exit_with_0(town, capsys):
    """Warnings alone do not fail the command."""
    town.change(", spawn: true", "")
    assert main(["validate", str(town.path)]) == 0
    assert "warning: Ann Lee's house:main room has a bed but no spawn tile" in capsys.readouterr().out


def test_maps_are_validated_too(built, capsys):
    """A map file has the same counts as the town file it was built from."""
    assert main(["validate", str(built / "visuals/cottage.json")]) == 0
    assert capsys.readouterr().out.startswith("2 sectors, 3 arenas, 5 objects of 5 types, 2 spawns; 129 walkable")


def test_sketch_shows_the_town(town, capsys):
    """Walls, doors, beds and streets are shown as characters; a window shows a part."""
    assert main(["sketch", str(town.path), "--window", "3", "2", "11", "8"]) == 0
    rows = [line.split(maxsplit=1)[1].rpartition(" ")[0] for line in capsys.readouterr().out.splitlines()[3:-1]]
    assert rows == [
        "###########",
        "###########",
        "#ss--%#o-%#",
        "#%%--o#--o#",
        "#-----+---#",
        "#-----#---#",
        "##++#######",
        "##++#######",
    ]


def test_preview_draws_what_would_be_built(town, built, tmp_path):
    """The picture is near that of the built map; of a town that is wrong there is a line, and the picture stays."""
    picture = tmp_path / "cottage.webp"
    assert main(["preview", str(town.path), "--out", str(picture)]) == 0
    drawn = load(picture)
    true = load(built / "visuals/preview.png")
    assert (drawn.width, drawn.height) == (true.width, true.height)
    assert np.abs(drawn.pixels.astype(int) - true.pixels).mean() < 12
    before = picture.read_bytes()
    town.change("stamp: wardrobe", "stamp: wardrob")
    with pytest.raises(SystemExit, match=rf"^{re.escape(str(town.path))}:{town.line_of('wardrob')}: no stamp"):
        main(["preview", str(town.path), "--out", str(picture)])
    assert picture.read_bytes() == before


def test_build_check_and_import(town, tmp_path, capsys):
    """Build, check and import work with the commands a user would type."""
    out = ["--out", str(tmp_path / "assets")]
    assert main(["build", str(town.path), *out]) == 0
    assert main(["build", str(town.path), *out, "--check"]) == 0
    map_path = tmp_path / "assets/cottage/visuals/cottage.json"
    assert main(["import", str(map_path), "--name", "copy", *out]) == 0
    assert main(["import", str(map_path), "--name", "copy", *out]) == 1
    assert "overwrite it with --force" in capsys.readouterr().out
    assert main(["import", str(map_path), "--name", "copy", *out, "--force"]) == 0


@pytest.mark.parametrize("name", ["nowhere.yaml", "nowhere.json"])
def test_a_file_that_is_not_there_is_reported(tmp_path, capsys, name):
    """A missing file gives one line with the path instead of a traceback."""
    assert main(["validate", str(tmp_path / name)]) == 1
    assert "cannot be read (No such file or directory)" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["", "../cottage", "My Town"])
def test_an_invalid_maze_name_is_refused(built, tmp_path, capsys, name):
    """An import with a name that is not a folder name is refused before anything is written."""
    out = tmp_path / "assets"
    assert main(["import", str(built / "visuals/cottage.json"), "--name", name, "--out", str(out)]) == 1
    assert "is not a maze name; use only lower-case letters" in capsys.readouterr().out
    assert not out.exists()


@pytest.mark.parametrize("command", [["build"], ["import", "--name", "copy"]], ids=["build", "import"])
def test_a_folder_that_cannot_be_written_is_reported(town, built, tmp_path, capsys, command):
    """A folder that cannot be written gives one line."""
    (tmp_path / "taken").write_text("a file, not a folder", encoding="utf-8")
    source = town.path if command == ["build"] else built / "visuals/cottage.json"
    assert main([command[0], str(source), *command[1:], "--out", str(tmp_path / "taken")]) == 1
    assert "cannot be written (Not a directory); choose another --out" in capsys.readouterr().out


def test_each_problem_is_reported_once(town, capsys):
    """A house in a pond gives one line for each row of its plan, not for each tile."""
    town.change("  - {kind: path, rect: [5, 10, 2, 1]}", "  - {kind: water, rect: [3, 2, 11, 8]}")
    assert main(["validate", str(town.path)]) == 1
    reported = [line for line in capsys.readouterr().out.splitlines() if "impassable ground" in line]
    assert len(reported) == len(set(reported)) == 8
