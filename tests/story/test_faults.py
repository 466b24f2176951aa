"""Whatever is wrong: one clear line, exit code 1, and everything on disk as it was."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from scripts import Finished
from step_texts import has_step

from ville.cli import offline_command

ADA = "storage/base/personas/Ada Stone"
MEMORY = f"{ADA}/bootstrap_memory"
STREAM = f"{MEMORY}/associative_memory"
MATRIX = "assets/small/matrix"
FILES = {
    "meta": "storage/base/reverie/meta.json",
    "environment": "storage/base/environment/0.json",
    "scratch": f"{MEMORY}/scratch.json",
    "spatial memory": f"{MEMORY}/spatial_memory.json",
    "nodes": f"{STREAM}/nodes.json",
    "embeddings": f"{STREAM}/embeddings.json",
    "keyword strengths": f"{STREAM}/kw_strength.json",
    "last accessed": "storage/base/reverie/last_accessed/Ada Stone.json",
    "run": "storage/base/reverie/run.json",
    "map's size": f"{MATRIX}/maze_meta_info.json",
}
NEEDED = ("environment", "scratch", "nodes", "map's size")


def tree(root):
    """Every file and folder below a folder, with what is in it."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None for path in root.rglob("*")
    }


@pytest.fixture
def refused(storage, monkeypatch, capsys):
    """Starts a run that must not begin, with arguments or at the prompt; returns the line that says why.

    At the prompt or in another house in a process, else in this one.
    """

    def here(*arguments):
        for name, value in storage.environment.items():
            monkeypatch.setenv(name, value)
        capsys.readouterr()
        code = offline_command.main([str(argument) for argument in arguments])
        return Finished(code, *capsys.readouterr())

    def start(*arguments, typed="", house=None):
        before = tree(storage.root)
        if typed or house:
            ended = (house or storage).finish("reverie" if typed else "reverie_offline", *arguments, typed=typed)
        else:
            ended = here(*arguments)
        assert ended.code == 1, ended
        assert len(ended.err.splitlines()) == 1, ended.err
        assert tree(storage.root) == before
        return ended.err

    return start


@pytest.fixture
def spoil(storage):
    """Changes a file: `spoil("a/b.json", key=value)`, or its whole text."""

    def change(file, text=None, **values):
        path = storage.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            text = json.dumps(json.loads(path.read_text("utf-8")) | values)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    return change


NEW = ("-o", "base", "-t", "new", "-s", 5)


@pytest.mark.parametrize(
    ("origin", "name", "fix"),
    [
        ("nowhere", "new", "There are: base"),
        ("base", "taken", "give 'taken' twice"),
        ("base", "a/b", "Use letters, digits"),
        ("base", "..", "Use letters, digits"),
    ],
)
def test_names(refused, storage, origin, name, fix):
    """An unknown fork, a taken name and an impossible one, at the prompt and without it."""
    shutil.copytree(storage.folder("base"), storage.folder("taken"))
    assert fix in refused("-o", origin, "-t", name, "-s", 5)
    assert fix in refused(typed=f"{origin}\n{name}\nrun 5\nfin\n")


@pytest.mark.parametrize("text", ["{", "", "[]", "7", b"\xff\xfe{}"])
@pytest.mark.parametrize("what", FILES)
def test_a_file_that_says_nothing_sensible(refused, spoil, what, text):
    """The line names it, or whose it is; the others are left in peace."""
    spoil(FILES[what], text)
    line = refused(*NEW)
    assert Path(FILES[what]).name in line or "Ada Stone" in line


@pytest.mark.parametrize("what", ["meta", "environment", "scratch", "spatial memory", "nodes", "map's size"])
def test_a_file_that_says_something_else(refused, spoil, what):
    """JSON it is, but not of this kind."""
    spoil(FILES[what], '{"node_1": 3, "Ada Stone": "?"}')
    line = refused(*NEW)
    assert Path(FILES[what]).name in line or "Ada Stone" in line


@pytest.mark.parametrize("what", NEEDED)
def test_a_file_that_is_missing(refused, storage, what):
    """Where it cannot be done without."""
    (storage.root / FILES[what]).unlink()
    assert f"{Path(FILES[what]).name} is missing" in refused(*NEW)


@pytest.mark.parametrize("key", ["name", "learned", "living_area"])
def test_a_scratch_that_lacks_a_key(refused, storage, spoil, key):
    """The line names person and key."""
    scratch = json.loads((storage.root / FILES["scratch"]).read_text("utf-8"))
    del scratch[key]
    spoil(FILES["scratch"], json.dumps(scratch))
    line = refused(*NEW)
    assert "Ada Stone" in line
    assert key in line


SHELLS = {
    "fork": ("reverie_offline", "-o", "base", "-t", "new", "-s", 5),
    "resume": ("reverie_offline", "-o", "base", "-t", "base", "-s", 5),
    "replay": ("reverie_offline", "--replay", "base", "-t", "new"),
    "compress": ("../compress_sim_storage", "base"),
    "ledger": ("../ledger", "base"),
}
INSIDE = {**FILES, "movement": "storage/base/movement/0.json", "ledger": "storage/base/reverie/ledger.sqlite3"}
del INSIDE["map's size"]


def linked(path, elsewhere):
    """The file or folder as it is, but elsewhere."""
    if path.exists():
        path.rename(elsewhere)
    else:
        elsewhere.write_text("{}", "utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(elsewhere)


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of a Unix")
@pytest.mark.parametrize(
    ("make", "kind"),
    [(linked, "a link"), (lambda path, _: path.unlink(missing_ok=True) or os.mkfifo(path), "a device or a pipe")],
)
@pytest.mark.parametrize("what", ["scratch", "movement", "ledger", "environment"])
def test_what_is_not_a_plain_file_is_refused(storage, tmp_path_factory, *, what, make, kind):
    """A link to a good file, and a pipe without a writer: by every shell, in a line that names it."""
    path = storage.root / INSIDE[what]
    path.parent.mkdir(parents=True, exist_ok=True)
    make(path, tmp_path_factory.mktemp("elsewhere") / path.name)
    before = tree(storage.root)
    for arguments in SHELLS.values():
        ended = storage.finish(*arguments)
        assert (ended.code, len(ended.err.splitlines())) == (1, 1), ended
        assert f"{path.name} is {kind}" in ended.err
    assert tree(storage.root) == before


@pytest.mark.skipif(os.name == "nt", reason="links of a Unix")
@pytest.mark.parametrize("folder", ["movement", "personas", "personas/Ada Stone/bootstrap_memory", ".save"])
def test_a_folder_that_is_a_link_is_refused(refused, storage, tmp_path_factory, folder):
    """Nothing outside is read, and above all nothing written."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    path = storage.folder("base") / folder
    (elsewhere / "keep").write_text("{}", "utf-8")
    if path.exists():
        shutil.copytree(path, elsewhere, dirs_exist_ok=True)
        shutil.rmtree(path)
    path.symlink_to(elsewhere, target_is_directory=True)
    outside = tree(elsewhere)
    assert f"{path.name} is a link" in refused("-o", "base", "-t", "base", "-s", 5)
    assert tree(elsewhere) == outside


@pytest.mark.skipif(os.name == "nt", reason="links of a Unix")
def test_the_folder_with_all_simulations_may_be_a_link(storage, tmp_path_factory):
    """Many keep it on another disk."""
    elsewhere = tmp_path_factory.mktemp("disk") / "storage"
    (storage.root / "storage").rename(elsewhere)
    (storage.root / "storage").symlink_to(elsewhere, target_is_directory=True)
    assert storage.run("reverie_offline", *NEW)[0] == 0
    assert has_step(elsewhere / "new", 4)()


def test_people_and_folders_are_the_same(refused, storage, spoil):
    """A folder without an entry in meta.json, and an entry without a folder."""
    shutil.copytree(storage.root / ADA, storage.root / "storage/base/personas/Eve Adams")
    assert "Eve Adams is not in persona_names" in refused(*NEW)
    spoil(FILES["meta"], persona_names=["Ada Stone", "Ben Reed", "Cleo Adams Moor", "Eve Adams", "Adam Eves"])
    assert "Adam Eves is missing" in refused(*NEW)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"living_area": "the Town:Ada's flat:cellar"}, "(living_area of Ada Stone)"),
        ({"name": "Ada Sand"}, "Ada Stone"),
    ],
)
def test_a_person_that_does_not_fit_the_town(refused, spoil, values, words):
    """A home that the map does not have; another name than the folder's."""
    spoil(FILES["scratch"], **values)
    assert words in refused(*NEW)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"maze_name": "atlantis"}, "atlantis"),
        ({"sec_per_step": 0}, "sec_per_step"),
        ({"sec_per_step": "10"}, "sec_per_step"),
        ({"curr_time": "13 February 2023"}, "13 February 2023"),
        ({"start_date": None}, "start_date"),
        ({"step": -1}, "step"),
        ({"step": True}, "step"),
        ({"persona_names": []}, "persona_names"),
        ({"persona_names": ["../../up"]}, "persona_names"),
        ({"maze_name": "../assets/small"}, "maze_name"),
    ],
)
def test_a_meta_file_that_cannot_be(refused, spoil, values, words):
    """The line names the key or the value."""
    spoil(FILES["meta"], **values)
    assert words in refused(*NEW)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("maze/collision_maze.csv", "0, 0, 0"),
        ("maze/sector_maze.csv", None),
        ("special_blocks/arena_blocks.csv", None),
        ("special_blocks/sector_blocks.csv", "99, the Town, Nowhere"),
        ("special_blocks/world_blocks.csv", ""),
        ("maze_meta_info.json", '{"maze_width": 0, "maze_height": 12, "sq_tile_size": 32}'),
    ],
)
def test_a_map_that_is_none(refused, storage, spoil, file, text):
    """A layer of another size, a missing one, one whose ids have no names: the line names the layer."""
    if text is None:
        (storage.root / MATRIX / file).unlink()
    else:
        spoil(f"{MATRIX}/{file}", text)
    assert Path(file).stem.partition("_")[0] in refused(*NEW)


@pytest.mark.parametrize("place", [{"x": 99, "y": 1}, {"x": "1", "y": 1}, {"x": -1, "y": 1}, {}, None])
def test_somebody_off_the_map(refused, spoil, place):
    """Or nowhere: the line names them."""
    spoil(FILES["environment"], **{"Ada Stone": place})
    assert "Ada Stone" in refused(*NEW)


@pytest.mark.parametrize(
    ("text", "words"),
    [(None, "is missing"), (b"Name,Whisper\n\xff\xff", "UTF-8"), ("Name,Whisper\nAda Stone\n", "has no whispers"),
     ("Name,Whisper\nNobody,Sing\n", "names no persona of new"), ("", "names no persona of new")],
)  # fmt: skip
def test_a_history_that_cannot_be_told(refused, spoil, text, words):
    """No half-told simulation is left."""
    if text is not None:
        spoil("assets/history.csv", text)
    assert words in refused(*NEW, "--load-history", "history.csv")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("debug = = True", "utils.py:1"),
        ("debug = 'perhaps'", "debug"),
        (b"\xff", "utils.py"),
    ],
)
def test_a_wrong_utils_file(refused, storage, tmp_path_factory, text, words):
    """Beside the engine, as the classic wanted it: the line names the file and what is wrong with it."""
    clone = tmp_path_factory.mktemp("house")
    (clone / "environment/frontend_server").mkdir(parents=True)
    backend = clone / "reverie/backend_server"
    shutil.copytree(storage.backend, backend, ignore=shutil.ignore_patterns("__pycache__", "utils.py"))
    (backend / "utils.py").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert words in refused(*NEW, house=replace(storage, backend=backend))


@pytest.mark.parametrize(
    ("arguments", "settings", "words"),
    [
        (["-s", "5", "--seed", "x"], {}, "seed"),
        (["-s", "-5"], {}, "-s"),
        ([], {}, "-s"),
        (["--until", "noon"], {}, "noon"),
        (["-s", "5"], {"VILLE_MAX_CONCURRENCY": "many"}, "max_concurrency"),
        (["-s", "5"], {"VILLE_RETRIEVAL": "guess"}, "retrieval"),
    ],
)
def test_a_wrong_setting(refused, storage, arguments, settings, words):
    """On the command line or in the environment."""
    house = replace(storage, settings=storage.settings | settings)
    assert words in refused("-o", "base", "-t", "new", *arguments, house=house)


@contextmanager
def disk(folder, size):
    """A folder that is a small disk of its own."""
    if os.geteuid() or sys.platform != "linux":
        pytest.skip("a full disk needs root and Linux, to mount a small one")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", folder], check=False)
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.fixture
def crowded(storage, tmp_path_factory):
    """The same town on a disk of so many KiB."""

    @contextmanager
    def move(size):
        root = tmp_path_factory.mktemp("disk")
        with disk(root, size):
            shutil.copytree(storage.root, root, ignore=shutil.ignore_patterns("whole"), dirs_exist_ok=True)
            yield replace(storage, root=root)

    return move


def test_a_full_disk_before_the_first_step(refused, crowded):
    """There is no room for a fork: there is none."""
    with crowded(150) as house:
        assert "Make room" in refused(*NEW, house=house)


@pytest.mark.slow
def test_a_disk_that_fills_up(storage, crowded):
    """The run ends with one line; what was saved stands, and with room again it ends in the files of a run without."""
    assert storage.run("reverie_offline", "-o", "base", "-t", "whole", "-s", 300, "--autosave", 20)[0] == 0
    for size in (480, 540, 600):
        _fill_up(storage, crowded, size, steps=300)


def _fill_up(storage, crowded, size, *, steps):
    with crowded(size) as house:
        assert house.finish("reverie_offline", "-o", "base", "-t", "new", "-s", 0).code == 0
        ended = house.finish("reverie_offline", "-o", "new", "-t", "new", "-s", steps, "--autosave", 20)
        assert (ended.code, len(ended.err.splitlines())) == (1, 1), ended
        assert "Make room" in ended.err
        assert not [name for name in tree(house.root) if name.endswith((".tmp", ".partial"))]
        meta = json.loads((house.folder("new") / "reverie/meta.json").read_text("utf-8"))
        shutil.copytree(house.folder("new"), storage.folder("new"))
    rest = steps - meta["step"]
    assert storage.run("reverie_offline", "-o", "new", "-t", "new", "-s", rest)[0] == 0
    assert storage.files("new") == storage.files("whole")
    shutil.rmtree(storage.folder("new"))
