"""Whose Python runs a shell."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]
SHELLS = [
    *(HOUSE / "reverie" / name for name in ("compress_sim_storage.py", "ledger.py", "measure.py")),
    *(HOUSE / "reverie/backend_server" / name for name in ("reverie.py", "reverie_offline.py")),
]


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
    ours = re.findall(r"^(?:from|import) (handover|archive|assembly|errors|measures|settings)", text, re.MULTILINE)
    assert ours[0] == "handover"
