"""The examples run from their first cell to their last."""

import json
import os
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
MACHINE = re.compile(r"(?:/home|/Users|/root|/tmp|/work|/var|[A-Z]:\\\\)[/\\][\w./\\-]*")
"""Paths of somebody's machine."""
PATIENCE = 1200
"""Seconds for one cell, on a machine that has others to serve."""


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_shows_what_its_cells_give(notebook):
    """All of them, executed from the first to the last, on a machine that nobody recognizes."""
    cells = [cell for cell in nbformat.read(notebook, 4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    shown = json.dumps([cell.outputs for cell in cells])
    assert MACHINE.findall(shown) == []
    assert '"output_type": "error"' not in shown


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs(notebook, tmp_path, monkeypatch):
    """In a storage folder of its own, offline; a fault in a cell is a fault here."""
    shutil.copytree(
        ROOT / "environment/frontend_server/storage",
        tmp_path / "storage",
        ignore=lambda folder, names: [name for name in names if Path(folder).name == "storage" and "base_" not in name],
    )
    monkeypatch.setenv("VILLE_FS_STORAGE", str(tmp_path / "storage"))
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    client = NotebookClient(nbformat.read(notebook, 4), timeout=PATIENCE, resources={"metadata": {"path": tmp_path}})
    client.execute(env=dict(os.environ))
