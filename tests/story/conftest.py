"""Runs as a user starts them: as processes, on simulations in a temporary folder."""

import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from scripts import Finished, Started, run_new, run_to_end, start_script
from served import Served
from simulation_content import content_of

ROOT = Path(__file__).resolve().parents[2]
BACKEND = ROOT / "reverie" / "backend_server"
FRONTEND = ROOT / "environment" / "frontend_server"


@dataclass(frozen=True)
class Storage:
    """Where processes find and leave simulations."""

    root: Path
    settings: dict[str, str] = field(default_factory=dict)
    backend: Path = BACKEND
    """Folder of the scripts."""
    forked: bool = True
    """Whether scripts that run to their end may share one Python, started once."""

    @property
    def environment(self) -> dict[str, str]:
        places = {"FS_STORAGE": "storage", "FS_TEMP_STORAGE": "temp", "ASSETS": "assets"}
        paths = {f"VILLE_{name}": str(self.root / place) for name, place in places.items()}
        return {**os.environ, "PYTHONUTF8": "1", **paths, **self.settings}

    def folder(self, name: str) -> Path:
        return self.root / "storage" / name

    def files(self, name: str) -> dict[str, bytes]:
        """Everything of a simulation but what depends on its origin, and on when it was saved."""
        return content_of(self.folder(name))

    def command(self, shell: str, *arguments: object) -> list[str]:
        return [sys.executable, str(self.backend / f"{shell}.py"), *map(str, arguments)]

    def start(self, shell: str, *arguments: object) -> Started:
        return start_script(self.command(shell, *arguments), self.backend, self.environment)

    def run(self, shell: str, *arguments: object, typed: str = "") -> tuple[int, str]:
        """Exit code and everything that was written."""
        ended = self.finish(shell, *arguments, typed=typed)
        return ended.code, ended.out + ended.err

    def finish(self, shell: str, *arguments: object, typed: str = "") -> Finished:
        run = run_to_end if self.forked and self.backend == BACKEND else run_new
        return run(self.command(shell, *arguments), self.backend, self.environment, typed=typed)


@pytest.fixture
def storage(small_town) -> Storage:
    """The small town."""
    return Storage(small_town.root, {"VILLE_SEED": "1"})


@pytest.fixture(scope="session")
def whole_day(tmp_path_factory, write_small_town) -> dict[str, bytes]:
    """Return the files of a day of the small town."""
    town = Storage(write_small_town(tmp_path_factory.mktemp("whole")).root, {"VILLE_SEED": "1"})
    assert town.run("reverie_offline", "-o", "base", "-t", "whole", "-s", 1440)[0] == 0
    return town.files("whole")


@pytest.fixture
def ville(tmp_path) -> Storage:
    """The Ville with its base simulations."""
    return settle(tmp_path)


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


@pytest.fixture
def serve(storage):
    started = []

    def begin(*arguments):
        started.append(Served(storage, *arguments))
        return started[-1]

    yield begin
    for each in started:
        each.process.kill()
        each.process.communicate()
