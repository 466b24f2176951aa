"""The files that belong to the project."""

import ast
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@cache
def tracked(*patterns: str) -> list[str]:
    """Return the files that git tracks and that match its patterns; skip the tests where git does not know them."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", *patterns], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout
    except (OSError, subprocess.CalledProcessError) as fault:
        pytest.skip(f"Checks of the files of the project need git and a clone: {fault}", allow_module_level=True)
    return sorted(name for name in listed.splitlines() if (ROOT / name).is_file())


@cache
def tree_of(name: str) -> ast.Module:
    """Return the syntax tree of a file of the project."""
    return ast.parse((ROOT / name).read_text("utf-8"))
