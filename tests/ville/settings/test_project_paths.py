"""The project works in any folder, and paths in settings are read as they are written."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from new_home import new_home

from ville import home
from ville.errors import BadSetting
from ville.settings import load_settings

ROOT = Path(__file__).resolve().parents[3]
BASE = "base_the_ville_isabella_maria_klaus"
STORAGE = "environment/frontend_server/storage"
ASSETS = "environment/frontend_server/static_dirs/assets"
NAME = "blanks, Übung Вилль 小镇" + ("" if os.name == "nt" else " back\\slash 'n' \"quotes\" $HOME #1")
WINDOWS_PATHS = (
    r"C:\towns\new", r"D:\My towns (2)\n", r"\\server\share\towns", r"..\..\towns", "C:/towns/new", "C:\\towns\\",
)  # fmt: skip


@pytest.fixture
def clone(tmp_path):
    """The files of the project that a run needs, in a folder with an unusual name."""
    root = tmp_path / NAME
    for folder in ("reverie/backend_server", f"{STORAGE}/{BASE}", f"{ASSETS}/the_ville/matrix"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("utils.py"))
    return root


def run(clone, *command):
    """Return the output of a command that runs with the package of the clone, from another folder."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("VILLE_")}
    environment = outside | {"PYTHONPATH": str(clone / "reverie" / "backend_server"), "PYTHONUTF8": "1"}
    ended = subprocess.run(
        [sys.executable, *command], cwd=clone.parent, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_a_clone_runs_wherever_it_is(clone):
    """It reads its own .env and utils.py, and its simulations are in its own folders."""
    (clone / ".env").write_text("VILLE_PROVIDER=offline\nVILLE_SEED=5\n", "utf-8")
    (clone / "reverie/backend_server/utils.py").write_text("key_owner = 'Ådä'\nfs_storage = '../../dålé/$x'\n", "utf-8")
    shutil.move(clone / STORAGE, clone / "dålé/$x")
    run(clone, clone / "reverie/backend_server/reverie_offline.py", "-o", BASE, "-t", "new", "-s", "3")
    new = clone / "dålé/$x/new"
    assert json.loads((new / "reverie/meta.json").read_text("utf-8"))["step"] == 3
    assert sorted(path.name for path in (new / "movement").glob("*.json")) == ["0.json", "1.json", "2.json"]
    code = "from ville.settings import load_settings as s; print(s().seed, s().key_owner, s().assets, sep='\\n')"
    assert run(clone, "-c", code).splitlines() == ["5", "Ådä", str(clone / ASSETS)]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """An empty project."""
    monkeypatch.setattr(home, "HOME", new_home(tmp_path))
    return tmp_path


@pytest.mark.parametrize("quote", ["", '"', "'"])
@pytest.mark.parametrize("path", WINDOWS_PATHS)
def test_a_windows_path_is_read_as_it_is_written(project, path, quote):
    """With and without quotes in .env, and from the environment; its backslashes do not escape letters."""
    expected = Path(project, path).resolve()
    line = f"VILLE_FS_STORAGE={quote}{path}{quote} # mine"
    (project / ".env").write_text(f"VILLE_SEED=1\n{line}\nVILLE_DEBUG=1\n", "utf-8")
    found = load_settings(environment={})
    assert (found.fs_storage, found.seed, found.debug) == (expected, 1, True)
    assert load_settings(environment={"VILLE_FS_STORAGE": path}).fs_storage == expected


@pytest.mark.parametrize("path", WINDOWS_PATHS)
def test_a_windows_path_may_have_its_backslashes_doubled(project, path):
    """As double quotes in .env and texts in utils.py need it."""
    doubled, short = path.replace("\\", "\\\\"), path.rstrip("\\")
    (project / ".env").write_text(f'VILLE_FS_STORAGE="{doubled}"\n', "utf-8")
    (project / "utils.py").write_text(f'fs_temp_storage = "{doubled}"\nmaze_assets_loc = r"{short}"', "utf-8")
    found = load_settings(environment={})
    assert found.fs_storage == found.fs_temp_storage == Path(project, path).resolve()
    assert found.assets == Path(project, short).resolve()


def test_a_path_that_python_cannot_read_says_what_to_write(project):
    """Python takes a backslash and a U for an escape sequence."""
    (project / "utils.py").write_text('fs_storage = "C:\\Users\\ada"\n', "utf-8")
    with pytest.raises(BadSetting, match=r"utils\.py:1: .*write / instead of \\"):
        load_settings(environment={})
