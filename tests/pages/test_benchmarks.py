"""The benchmarks that need a browser come to their end."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
DAY, NIGHT = 3000, 1000
"""Steps of the recording."""


@pytest.mark.slow
@pytest.mark.usefixtures("chromium")
def test_frames_are_counted_in_every_view(gallery):
    """In both renderers, by day and by night."""
    moments = ("--day", DAY, "--night", NIGHT, "--seconds", 0.5)
    lines = run("pages.py", "recorded", f"http://127.0.0.1:{gallery.port}", *moments).splitlines()
    assert len([line for line in lines if line.startswith("  ")]) == 1 + 2 * 2 * 3


@pytest.mark.slow
@pytest.mark.usefixtures("chromium")
def test_the_first_picture_is_measured():
    """On a server of its own."""
    assert run("first_picture.py", "--times", 1)


def run(program, *arguments):
    """Return what a program prints."""
    command = [sys.executable, str(BENCHMARKS / program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done
    return done.stdout
