"""A copy of the package in which one file is changed, as by somebody who adds something."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ville.home import MARK

PACKAGE = Path(__file__).resolve().parents[2] / "reverie" / "backend_server" / "ville"


@dataclass(frozen=True)
class ChangedCopy:
    """The copy, in a folder of its own."""

    root: Path

    @classmethod
    def of_package(cls, root: Path, file: str, old: str, new: str) -> "ChangedCopy":
        """Copy the package into a home of its own, and replace a text that a file has once."""
        shutil.copytree(PACKAGE, root / "ville", ignore=shutil.ignore_patterns("__pycache__"))
        text = (root / "ville" / file).read_text("utf-8")
        assert text.count(old) == 1
        (root / MARK).mkdir()
        (root / "ville" / file).write_text(text.replace(old, new), "utf-8")
        return cls(root)

    def tells(self, program: str, *arguments: str, **variables: str) -> Any:
        """Return what a program prints as JSON, which imports the copy."""
        environment = {**os.environ, **variables, "PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", program, *arguments]
        ended = subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
        )
        assert ended.returncode == 0, ended.stderr
        return json.loads(ended.stdout)
