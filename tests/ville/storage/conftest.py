"""A small simulation on disk."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ville import storage as archive

DYING = Path(__file__).with_name("dying.py")
ROSTER = ["Ada Stone", "Ben Reed"]
STREAM = "bootstrap_memory/associative_memory"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def write_simulation(root: Path, step: int = 0) -> Path:
    """A base simulation spaced as by hand, at some step."""
    meta = {
        "fork_sim_code": root.name,
        "start_date": "February 13, 2023",
        "curr_time": f"February 13, 2023, 00:{step * 10 // 60:02}:{step * 10 % 60:02}",
        "sec_per_step": 10,
        "maze_name": "the_town",
        "persona_names": ROSTER,
        "step": step,
    }
    write(root / "reverie/meta.json", json.dumps(meta, indent=4) + "\n\n")
    places = {name: {"maze": "the_town", "x": 1, "y": 2 + row} for row, name in enumerate(ROSTER)}
    write(root / f"environment/{step}.json", json.dumps(places) + "\n")
    for name in ROSTER:
        memory = root / "personas" / name
        write(memory / "bootstrap_memory/scratch.json", f'{{"vision_r": 8, \n  "name": "{name}"}}\n')
        write(memory / "bootstrap_memory/spatial_memory.json", '{\n  "the Town": {}\n}')
        write(memory / STREAM / "nodes.json", "{}")
        write(memory / STREAM / "embeddings.json", '{"a": [0.5, 1]}')
        write(memory / STREAM / "kw_strength.json", '{"kw_strength_event": {},\n "kw_strength_thought": {}}')
    return root


def tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder and its bytes."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def storage(tmp_path):
    """A storage folder that holds the simulation `base`."""
    write_simulation(tmp_path / "storage" / "base")
    return tmp_path / "storage"


@pytest.fixture(scope="session")
def dying():
    """The script that dies, as a module."""
    spec = importlib.util.spec_from_file_location("dying", DYING)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def killed():
    """Return a function that does something in a process that dies before the file operation after so many, and says
    whether it did die: `killed("save", folder, 7)`.
    """
    environment = {**os.environ, "PYTHONPATH": str(Path(archive.__file__).parents[2])}
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, DYING], env=environment, stdin=pipe, stdout=pipe, text=True) as forking:

        def attempt(deed: str, root: Path, operations: int) -> bool:
            forking.stdin.write(f"{json.dumps([deed, str(root), operations])}\n")
            forking.stdin.flush()
            code = int(forking.stdout.readline())
            assert code in {0, 9}
            return code == 9

        yield attempt


@pytest.fixture(scope="session")
def build():
    """Return the function that writes a base simulation to a folder, and returns the folder."""
    return write_simulation


@pytest.fixture(scope="session")
def files_below():
    return tree


@pytest.fixture(scope="session")
def put():
    return write
