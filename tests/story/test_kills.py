"""Killed at any moment, a simulation goes on to the same files, and nothing is paid for twice."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(__file__).resolve().parents[2] / "benchmarks" / "kills.py"
KINDS = ("history", "start", "run", "save", "fork", "compress")


@pytest.mark.slow
def test_kills_change_nothing_and_cost_nothing():
    """Kill once at each kind of moment; the exit code is 1 if a file differs or a call was paid for twice."""
    command = [sys.executable, COMMAND, "--kills", "6", "--seed", "1", "--steps", "120"]
    outcome = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (outcome.returncode, outcome.stderr) == (0, ""), outcome
    for kind in KINDS:
        assert re.search(rf"^{kind} +1$", outcome.stdout, re.MULTILINE), outcome.stdout
    assert re.search(r"^files compared [\d,]+, different 0$", outcome.stdout, re.MULTILINE), outcome.stdout
