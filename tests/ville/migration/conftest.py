"""A project of 2023 with a small town, and ours, in which other simulations and another map have the same names."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from new_home import new_home

from ville import home
from ville.api.town_session import TownSession
from ville.cli import migrate_command
from ville.storage.compressed.compression import compress

STEPS = 12
DEATH = 9
PAGES = "environment/frontend_server"
UTILS = "reverie/backend_server/utils.py"
KEY = "sk-of-the-old-project"
ADA = 1536
"""Length of the vectors of the original."""


@dataclass(frozen=True)
class Projects:
    """Where the old project and ours lie, and the command that brings one to the other."""

    old: Path
    ours: Path
    capsys: pytest.CaptureFixture[str]

    @property
    def pages(self) -> Path:
        return self.old / PAGES

    def migrate(self, *words: str, of: Path | None = None) -> tuple[int, str]:
        """Type the command. Return its exit code, and all that it wrote."""
        self.capsys.readouterr()
        code = migrate_command.main([str(of or self.old), *words])
        said = self.capsys.readouterr()
        return code, said.out + said.err

    def put_old(self, name: str, content: object) -> None:
        """Write a file of the old project, below what its pages have."""
        path = self.pages / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")


def files_of(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture(scope="session")
def contents():
    """Return the function that returns the content of all files of a folder."""
    return files_of


@pytest.fixture(scope="session")
def classic(tmp_path_factory, write_small_town):
    """The old project: a base, a simulation with vectors of the original, its replay, a map, a history, settings."""
    root = tmp_path_factory.mktemp("classic")
    town = write_small_town(root / "made")
    storage = town.root / "storage"
    settings = replace(town.settings, provider="offline", embedder="hashing", checkpoints=0)
    with TownSession(settings, "base", "run") as session:
        session.run(STEPS)
    for path in (storage / "run/reverie").iterdir():
        if path.name != "meta.json":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    stream = storage / "run/personas/Ada Stone/bootstrap_memory/associative_memory"
    node = {
        "node_count": 1, "type_count": 1, "type": "thought", "depth": 1, "created": "2023-02-12 08:00:00",
        "expiration": None, "subject": "Ada Stone", "predicate": "likes", "object": "tea", "poignancy": 3,
        "description": "Ada likes tea", "embedding_key": "Ada likes tea", "keywords": ["tea"], "filling": None,
    }  # fmt: skip
    (stream / "nodes.json").write_text(json.dumps({"node_1": node}), "utf-8")
    (stream / "embeddings.json").write_text(json.dumps({"Ada likes tea": [1.0] * ADA}), "utf-8")
    (stream / "vectors.f32").unlink(missing_ok=True)
    compress(storage / "run", root / PAGES / "compressed_storage/run")
    shutil.copytree(storage, root / PAGES / "storage", ignore=shutil.ignore_patterns(".*"))
    shutil.copytree(town.root / "assets/small", root / PAGES / "static_dirs/assets/small")
    (root / PAGES / "static_dirs/assets/small/past.csv").write_text('Name,Whisper\nAda Stone,"You like tea"\n', "utf-8")
    (root / UTILS).parent.mkdir(parents=True)
    (root / UTILS).write_text(f'openai_api_key = "{KEY}"\ndebug = True\nfs_storage = "../elsewhere"\n', "utf-8")
    (root / UTILS).with_name("reverie.py").touch()
    shutil.rmtree(root / "made")
    return root


@pytest.fixture
def projects(classic, tmp_path, write_small_town, monkeypatch, capsys):
    """Both. Ours has a base of the same name with other people, and a map of the same name with walls elsewhere."""
    shutil.copytree(classic, tmp_path / "old")
    town = write_small_town(tmp_path / "ours")
    scratch = town.root / "storage/base/personas/Ada Stone/bootstrap_memory/scratch.json"
    scratch.write_text(scratch.read_text("utf-8").replace("kind, curious", "proud, quick"), "utf-8")
    walls = town.root / "assets/small/matrix/maze/collision_maze.csv"
    cells = walls.read_text("utf-8").split(", ")
    walls.write_text(", ".join(cells[-1:] + cells[:-1]), "utf-8")
    places = {
        "FS_STORAGE": "storage",
        "FS_TEMP_STORAGE": "temp",
        "ASSETS": "assets",
        "FS_COMPRESSED_STORAGE": "replays",
    }
    for name, place in places.items():
        monkeypatch.setenv(f"VILLE_{name}", str(town.root / place))
    monkeypatch.setattr(home, "HOME", new_home(town.root))
    return Projects(tmp_path / "old", town.root, capsys)


CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir"}
EVERY = 13
"""Operations from one death to the next: prime, so that all kinds of operations are met."""


class DyingMigration:
    """Migrates in a child process that is gone before one more file operation."""

    def numbers(self, projects: Projects, start: Path) -> Iterator[int]:
        """Yield numbers of operations after which it is killed, as long as there is something left to do."""
        operations = 0
        while self.dies(projects, start, operations):
            yield operations
            operations += EVERY

    def dies(self, projects: Projects, start: Path, operations: int) -> bool:
        """Migrate into a fresh copy of our folder. Return whether it was killed."""
        shutil.rmtree(projects.ours)
        shutil.copytree(start, projects.ours)
        if (child := os.fork()) == 0:
            self._die_after(operations, projects.ours)
            projects.migrate("--yes")
            os._exit(0)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == DEATH

    def _die_after(self, operations: int, below: Path) -> None:
        done = 0

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal done
            writes = event in CHANGES or (event == "open" and arguments[1] not in {"r", "rb", None})
            if writes and str(arguments[0]).startswith(str(below)):
                done += 1
                if done > operations:
                    os._exit(DEATH)

        sys.addaudithook(hook)


@pytest.fixture
def dying_migration():
    return DyingMigration()
