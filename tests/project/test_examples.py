"""The examples run from their first cell to their last."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from scripts import run_to_end

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
MINDS = sorted((ROOT / "examples" / "minds").glob("*.py"))
MACHINE = re.compile(r"(?:/home|/Users|/root|/tmp|/work|/var|[A-Z]:\\\\)[/\\][\w./\\-]*")
"""Paths of a developer's machine."""
PATIENCE = 1200
"""Seconds for one cell, on a machine that has others to serve."""


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_shows_what_its_cells_give(notebook):
    """All of them, executed from the first to the last, with no trace of the machine."""
    cells = [cell for cell in nbformat.read(notebook, 4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    shown = json.dumps([cell.outputs for cell in cells])
    assert MACHINE.findall(shown) == []
    assert '"output_type": "error"' not in shown


@pytest.mark.parametrize("file", MINDS, ids=lambda path: path.stem)
def test_an_example_of_a_mind_is_short_and_runs(file, tmp_path):
    """The first minutes of a run with it; the run says that it thinks with it."""
    assert len(file.read_text("utf-8").splitlines()) < 60
    base = "base_the_ville_isabella_maria_klaus"
    shutil.copytree(ROOT / "environment/frontend_server/storage" / base, tmp_path / base)
    environment = {**os.environ, "VILLE_FS_STORAGE": str(tmp_path), "PYTHONUTF8": "1"}
    command = [sys.executable, str(file), "--until", "00:05"]
    ended = run_to_end(command, tmp_path, environment, seconds=PATIENCE)
    assert ended.code == 0, ended
    assert f'"class": "{file.stem}:' in (tmp_path / file.stem / "reverie/run.json").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs(notebook, tmp_path, monkeypatch):
    """In a storage folder of its own, offline; a fault in a cell is a fault here. What is kept of it as a picture or a
    table is one again.
    """
    shutil.copytree(
        ROOT / "environment/frontend_server/storage",
        tmp_path / "storage",
        ignore=lambda folder, names: [name for name in names if Path(folder).name == "storage" and "base_" not in name],
    )
    monkeypatch.setenv("VILLE_FS_STORAGE", str(tmp_path / "storage"))
    monkeypatch.setenv("VILLE_FS_COMPRESSED_STORAGE", str(ROOT / "environment/frontend_server/compressed_storage"))
    monkeypatch.delenv("MPLBACKEND", raising=False)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    kept, again = (nbformat.read(notebook, 4) for _ in range(2))
    client = NotebookClient(again, timeout=PATIENCE, resources={"metadata": {"path": tmp_path}})
    client.execute(env=dict(os.environ))
    assert _forms(again) == _forms(kept)


def _forms(notebook):
    """Return in which forms each cell shows what it does not print, for example as a picture."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [[sorted(each.data) for each in cell.outputs if "data" in each] for cell in cells]
