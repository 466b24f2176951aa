"""Whose Python runs a shell."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]
BACKEND = HOUSE / "reverie/backend_server"
SHELLS = [
    *(HOUSE / "reverie" / name for name in ("compress_sim_storage.py", "ledger.py", "measure.py")),
    *(BACKEND / name for name in ("reverie.py", "reverie_offline.py")),
    *(HOUSE / "environment" / name for name in ("build_town.py", "build_people.py")),
]
OUTSIDE = ("start.py", "validate_setup.py", "environment/frontend_server/manage.py")
BEFORE_PACKAGES = [*SHELLS, *(HOUSE / name for name in OUTSIDE)]
PARSED = [*BEFORE_PACKAGES, BACKEND / "handover.py", HOUSE / "environment/check_python.py"]


def _interpreter(version):
    """Where a Python of a version is, if there is one that runs: a shim of pyenv may only say that it does not."""
    places = (Path.home() / ".pyenv/versions").glob(f"{version}.*/bin/python{version}")
    for python in filter(None, (*map(str, places), shutil.which(f"python{version}"))):
        if subprocess.run([python, "-c", ""], check=False, capture_output=True).returncode == 0:
            return python
    return None


OLD = [python for version in ("3.8", "3.9", "3.10") if (python := _interpreter(version))]
"""Interpreters on this machine that are too old."""


@pytest.fixture
def shell(tmp_path):
    """Runs a shell with a Python that has no packages; in a house of its own, which may have a .venv."""
    room = tmp_path / "reverie/backend_server"
    room.mkdir(parents=True)
    shutil.copyfile(HOUSE / "reverie/backend_server/handover.py", room / "handover.py")
    (room / "shell.py").write_text("import sys\nimport handover\nimport numpy\nprint(*sys.argv[1:])\n", "utf-8")

    def run():
        command = [sys.executable, "-S", "shell.py", "a b", "ц"]
        return subprocess.run(command, cwd=room, capture_output=True, encoding="utf-8", check=False)

    return run


@pytest.mark.skipif(os.name == "nt", reason="the other Python is a script of a Unix shell")
def test_the_python_of_the_house_takes_over(shell, tmp_path):
    """With the same words after it; nobody has to know where the packages are."""
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', "utf-8")
    python.chmod(0o755)
    outcome = shell()
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "a b ц\n", "")


def test_without_one_a_line_says_what_to_do(shell):
    """Which packages, and both ways to get them."""
    outcome = shell()
    assert outcome.returncode == 1
    assert len(outcome.stderr.splitlines()) == 1
    assert "numpy" in outcome.stderr
    assert "start.py" in outcome.stderr


@pytest.mark.parametrize("path", SHELLS, ids=lambda path: path.name)
def test_every_shell_begins_with_it(path):
    """Before anything of ours is imported, for that may need a package."""
    text = path.read_text("utf-8")
    known = "handover|check_python|archive|assembly|errors|measures|settings|town_builder"
    ours = re.findall(rf"^(?:from|import) ({known})", text, re.MULTILINE)
    assert ours[0] in {"handover", "check_python"}


@pytest.mark.parametrize("path", PARSED, ids=lambda path: path.name)
def test_an_older_python_can_read_every_shell(path):
    """Otherwise it stops at the first word it does not know, instead of at the line that says what is needed."""
    ast.parse(path.read_text("utf-8"), feature_version=(3, 8))


@pytest.mark.skipif(not OLD, reason="there is no Python older than 3.11 on this machine")
@pytest.mark.parametrize("python", OLD)
def test_an_older_python_says_what_it_needs(tmp_path, python):
    """One line with both versions, in a folder without .venv; with one, the Python in it takes over."""
    for path in PARSED:
        copy = tmp_path / path.relative_to(HOUSE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    for path in BEFORE_PACKAGES:
        command = [python, str(tmp_path / path.relative_to(HOUSE))]
        outcome = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        said = (outcome.stdout + outcome.stderr).splitlines()
        assert (outcome.returncode, len(said)) == (1, 1), (path.name, said)
        assert re.search(r"3\.(8|9|10).* needs 3\.11 or newer", said[0]), path.name


def test_what_was_typed_at_python_itself_is_not_run_again(tmp_path):
    """There is no file to run again, so one line says what is missing."""
    command = [sys.executable, "-S", "-c", "import handover"]
    house = {**os.environ, "PYTHONPATH": str(BACKEND)}
    outcome = subprocess.run(command, cwd=tmp_path, env=house, capture_output=True, encoding="utf-8", check=False)
    assert outcome.returncode == 1
    assert re.fullmatch(r".*numpy.* missing: run start.py.*\n", outcome.stderr)
