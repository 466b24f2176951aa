"""Every command line, with standard streams that are closed, full, without a reader, or limited to few characters."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from scripts import run_to_end

from ville.llm.accounting.ledger import Ledger

HOUSE = Path(__file__).resolve().parents[2]
TOWN = "environment/town_builder/towns/the_ville.yaml"
SHELLS = {
    "reverie/backend_server/reverie.py": ("--origin", "base", "--name", "{new}"),
    "reverie/backend_server/reverie_offline.py": ("-o", "base", "-t", "{new}", "-s", "3"),
    "reverie/compress_sim_storage.py": ("lived", "--out", "{new}"),
    "reverie/ledger.py": ("lived",),
    "reverie/measure.py": ("lived",),
    "validate_setup.py": (),
    "start.py": ("--help",),
    "environment/build_town.py": ("sketch", TOWN, "--window", "0", "0", "9", "9"),
    "environment/build_people.py": ("check",),
}
ASCII = {"PYTHONIOENCODING": "ascii"}
WINDOWS = {"PYTHONIOENCODING": "cp1252"}
OLD_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
FULL = Path("/dev/full")


class Finished(NamedTuple):
    code: int
    err: str


@pytest.fixture
def shell(small_town):
    """Run a command line with a redirection, on a small town in a folder with a long name."""
    root = small_town.root / "Straße ☕"
    root.mkdir()
    for folder in ("storage", "assets"):
        (small_town.root / folder).rename(root / folder)
    places = {"FS_STORAGE": "storage", "FS_TEMP_STORAGE": "temp", "ASSETS": "assets"}
    settings = {f"VILLE_{name}": str(root / place) for name, place in places.items()}
    taken = iter(range(100))

    def run(name: str, redirection: str = "", environment: Mapping[str, str] | None = None) -> Finished:
        words = [word.format(new=f"new_{next(taken)}") for word in SHELLS[name]]
        command = ["bash", "-c", f'set -o pipefail; "$@" {redirection}', "bash", sys.executable, name, *words]
        outcome = subprocess.run(
            command,
            cwd=HOUSE,
            env=os.environ | settings | (environment or {"PYTHONUTF8": "1"}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        return Finished(outcome.returncode, outcome.stderr.decode(errors="replace"))

    lived = [sys.executable, "reverie_offline.py", "-o", "base", "-t", "lived", "-s", "3"]
    backend = HOUSE / "reverie/backend_server"
    assert run_to_end(lived, backend, os.environ | settings).code == 0
    Ledger.open(root / "storage/lived/reverie").close()
    return run


@pytest.mark.slow
@pytest.mark.skipif(not FULL.exists(), reason="a full device needs Linux")
def test_every_shell_survives_broken_streams(shell):
    """Without input and errors, with a reader who leaves, it ends well; with a full device it ends in one line."""
    for name in SHELLS:
        assert shell(name, "<&- 2>&- | head -1", OLD_LOCALE).code == 0, name
        full = shell(name, f"> {FULL}")
        assert (full.code, full.err.count("\n")) == (1, 1), name
        assert "Standard output cannot be written (No space left on device)" in full.err, name


@pytest.mark.parametrize(
    ("redirection", "environment"), [("", None), ("<&-", ASCII), ("| head -1", WINDOWS), (">&-", None)]
)
def test_no_stream_makes_a_shell_complain(shell, redirection, environment):
    """It ends as it always does, and in silence."""
    assert shell("reverie/compress_sim_storage.py", redirection, environment) == (0, "")
