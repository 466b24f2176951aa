"""Whole runs, started as a user starts them: as processes of their own, on simulations in a temporary folder."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

HOUSE = Path(__file__).resolve().parents[2]
BACKEND = HOUSE / "reverie" / "backend_server"
FRONTEND = HOUSE / "environment" / "frontend_server"
DAY = 8640
"""Steps of ten seconds."""
PATIENCE = 1500
"""Seconds for a process, on a machine that has others to serve."""


class Finished(NamedTuple):
    """What a process left."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Storage:
    """Where processes find and leave simulations."""

    root: Path
    settings: dict[str, str] = field(default_factory=dict)
    backend: Path = BACKEND
    """Where the shells are."""

    @property
    def environment(self) -> dict[str, str]:
        places = {"FS_STORAGE": "storage", "FS_TEMP_STORAGE": "temp", "ASSETS": "assets"}
        paths = {f"VILLE_{name}": str(self.root / place) for name, place in places.items()}
        return {**os.environ, "PYTHONUTF8": "1", **paths, **self.settings}

    def folder(self, name: str) -> Path:
        return self.root / "storage" / name

    def files(self, name: str) -> dict[str, bytes]:
        """Everything of a simulation but its meta file, which names what it was forked from."""
        paths = [path for path in self.folder(name).rglob("*") if path.is_file() and path.name != "meta.json"]
        return {path.relative_to(self.folder(name)).as_posix(): path.read_bytes() for path in paths}

    def start(self, shell: str, *arguments: object) -> "subprocess.Popen[str]":
        command = [sys.executable, self.backend / f"{shell}.py", *map(str, arguments)]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, cwd=self.backend, env=self.environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True
        )

    def run(self, shell: str, *arguments: object, typed: str = "") -> tuple[int, str]:
        """Exit code and everything that was written."""
        ended = self.finish(shell, *arguments, typed=typed)
        return ended.code, ended.out + ended.err

    def finish(self, shell: str, *arguments: object, typed: str = "") -> Finished:
        process = self.start(shell, *arguments)
        out, err = process.communicate(typed, timeout=PATIENCE)
        return Finished(process.returncode, out, err)


@pytest.fixture
def storage(small_town) -> Storage:
    """The small town."""
    return Storage(small_town.root, {"VILLE_SEED": "1"})


@pytest.fixture
def ville(tmp_path) -> Storage:
    """The Ville with its base simulations."""
    return settle(tmp_path)


@pytest.fixture(scope="session")
def two_days(tmp_path_factory) -> Iterator[Storage]:
    """The Ville with `two_days` of its 25 people, who have heard their histories; lived once for all who ask."""
    ville = settle(tmp_path_factory.mktemp("ville"))
    choices = ["-o", "base_the_ville_n25", "-t", "two_days", "-s", 2 * DAY, "--seed", 1]
    code, out = ville.run("reverie_offline", *choices, "--load-history", "the_ville/agent_history_init_n25.csv")
    assert code == 0, out
    yield ville
    shutil.rmtree(ville.folder("two_days"))


def settle(root: Path) -> Storage:
    """A copy of the Ville's map and of its base simulations below a folder."""
    matrix = FRONTEND / "static_dirs/assets/the_ville/matrix"
    bases = sorted((FRONTEND / "storage").glob("base_*"))
    if not bases or not matrix.exists():
        pytest.skip(f"the Ville is not built: {matrix} and the base simulations beside it are needed")
    shutil.copytree(matrix.parent, root / "assets/the_ville", ignore=shutil.ignore_patterns("visuals"))
    for base in bases:
        shutil.copytree(base, root / "storage" / base.name)
    return Storage(root)
