"""The parts of the pages' scripts that need no browser, tested in Node."""

import shutil
import subprocess
from pathlib import Path

import pytest

LAWS = sorted((Path(__file__).parent / "js").glob("*.test.js"))


@pytest.mark.parametrize("laws", LAWS, ids=lambda path: path.name)
def test_laws_written_in_javascript(laws):
    """Each file states laws of its own; Node tells which one is broken."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is missing: install Node.js 18 or newer")
    told = subprocess.run([node, "--test", laws], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout
