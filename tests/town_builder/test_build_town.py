"""Laws of the shell: what it prints, and 1 where something is wrong."""

import pytest

from build_town import main


def test_validate_counts_and_is_content(town, capsys):
    """A faultless town is counted on one line and ends with 0."""
    assert main(["validate", str(town.path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "2 sectors, 3 arenas, 5 objects of 5 types, 2 spawns; 129 walkable tiles in 1 components",
        "0 errors, 0 warnings",
    ]


def test_errors_end_with_one(town, capsys):
    """Each fault is a line `file:line: what; how to mend it`."""
    town.change("stamp: wardrobe", "stamp: wardrob")
    assert main(["validate", str(town.path)]) == 1
    line = town.line_of("wardrob")
    expected = f"{town.path}:{line}: no stamp is called 'wardrob'; did you mean 'wardrobe'?"
    assert capsys.readouterr().out.splitlines() == [expected, "1 error, 0 warnings"]


def test_warnings_end_with_nought(town, capsys):
    """A habit that somebody may have does not stop anything."""
    town.change(", spawn: true", "")
    assert main(["validate", str(town.path)]) == 0
    assert "warning: nobody wakes up in Ann Lee's house:main room" in capsys.readouterr().out


def test_maps_are_validated_too(built, capsys):
    """A map file is counted like the town file it came from."""
    assert main(["validate", str(built / "visuals/cottage.json")]) == 0
    assert capsys.readouterr().out.startswith("2 sectors, 3 arenas, 5 objects of 5 types, 2 spawns; 129 walkable")


def test_sketch_shows_the_town(town, capsys):
    """Walls, doors, beds and streets are letters; a window shows a part."""
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


def test_build_check_and_import(town, tmp_path, capsys):
    """From the town file to a map and back, with the words a person would type."""
    out = ["--out", str(tmp_path / "assets")]
    assert main(["build", str(town.path), *out]) == 0
    assert main(["build", str(town.path), *out, "--check"]) == 0
    map_path = tmp_path / "assets/cottage/visuals/cottage.json"
    assert main(["import", str(map_path), "--name", "copy", *out]) == 0
    assert main(["import", str(map_path), "--name", "copy", *out]) == 1
    assert "overwrite it with --force" in capsys.readouterr().out
    assert main(["import", str(map_path), "--name", "copy", *out, "--force"]) == 0


@pytest.mark.parametrize("name", ["nowhere.yaml", "nowhere.json"])
def test_a_file_that_is_not_there_is_told(tmp_path, capsys, name):
    """No stack of calls: one line with the path."""
    assert main(["validate", str(tmp_path / name)]) == 1
    assert "cannot be read (No such file or directory)" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["", "../cottage", "My Town"])
def test_a_maze_is_named_like_a_folder(built, tmp_path, capsys, name):
    """An import under a name that leads elsewhere is refused before anything is written."""
    out = tmp_path / "assets"
    assert main(["import", str(built / "visuals/cottage.json"), "--name", name, "--out", str(out)]) == 1
    assert "cannot name a folder; use small letters" in capsys.readouterr().out
    assert not out.exists()


@pytest.mark.parametrize("command", [["build"], ["import", "--name", "copy"]], ids=["build", "import"])
def test_a_folder_that_cannot_be_written_is_told(town, built, tmp_path, capsys, command):
    """Where there is no room for files, one line says so."""
    (tmp_path / "taken").write_text("a file, not a folder", encoding="utf-8")
    source = town.path if command == ["build"] else built / "visuals/cottage.json"
    assert main([command[0], str(source), *command[1:], "--out", str(tmp_path / "taken")]) == 1
    assert "cannot be written (Not a directory); choose another --out" in capsys.readouterr().out


def test_a_fault_is_told_once(town, capsys):
    """A house that stands in a pond with all its tiles is one line for each row of its plan, not one for each tile."""
    town.change("  - {kind: path, rect: [5, 10, 2, 1]}", "  - {kind: water, rect: [3, 2, 11, 8]}")
    assert main(["validate", str(town.path)]) == 1
    told = [line for line in capsys.readouterr().out.splitlines() if "impassable ground" in line]
    assert len(told) == len(set(told)) == 8
