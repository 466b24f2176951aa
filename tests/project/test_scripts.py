"""The scripts of pages are held to the laws of the rest: their types are checked, and so is their style."""

import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from filelock import FileLock
from repository import ROOT, tracked

PAGES = ROOT / "environment" / "frontend_server"
CACHE = Path(sys.prefix) / "checks-of-scripts"
BULK = ("dist", "src", "plugins")
"""Folders of Phaser that its types do not need: most of what is installed."""
sys.path.insert(0, str(PAGES))

import vendor  # noqa: E402 - a script beside the packages


@pytest.fixture(scope="session")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is missing: install Node.js 20 or newer")
    return found


@pytest.fixture(scope="session")
def tools() -> Path:
    """Folder of the pinned tsc and eslint. They are installed once for each lock file; skips if there is no network."""
    folder = CACHE / sha256(vendor.LOCK.read_bytes()).hexdigest()[:16]
    CACHE.mkdir(exist_ok=True)
    with FileLock(CACHE / "lock"):
        if not folder.exists():
            _install(folder)
    return folder


def _install(folder: Path) -> None:
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    for file in (PAGES / "package.json", vendor.LOCK):
        shutil.copyfile(file, partial / file.name)
    try:
        vendor.run([*vendor.npm(), *(word for word in vendor.INSTALL if word != "--omit=dev")], partial)
    except (vendor.FetchError, OSError) as fault:
        pytest.skip(f"tsc and eslint could not be installed: {fault}")
    for name in BULK:
        shutil.rmtree(partial / "node_modules" / "phaser" / name, ignore_errors=True)
    partial.rename(folder)


def test_types_of_scripts_resolve_and_fit(node: str, tools: Path) -> None:
    """JSDoc types of the scripts of pages fit all callers: `tsc --checkJs` finds nothing."""
    modules = tools / "node_modules"
    command = [node, modules / "typescript/bin/tsc", "--project", PAGES, "--typeRoots", modules]
    _finds_nothing(command)


def test_scripts_keep_to_the_rules_of_eslint(node: str, tools: Path) -> None:
    """No unused name, no loose comparison, no long function."""
    settings = shutil.copyfile(PAGES / "eslint.config.js", tools / "eslint.config.js")  # beside what it imports
    remembered = ["--cache", "--cache-strategy", "content", "--cache-location", tools / "seen"]
    _finds_nothing(
        [node, tools / "node_modules/eslint/bin/eslint.js", "--config", settings, *remembered, "static_dirs/js"]
    )


def test_a_name_of_a_script_is_given_once() -> None:
    """Whoever hears of `places.js` finds one."""
    scripts = [Path(name).name for name in tracked("environment/frontend_server/static_dirs/js/*.js")]
    assert sorted(scripts) == sorted(set(scripts))


def _finds_nothing(command: list[str | Path]) -> None:
    found = subprocess.run(command, cwd=PAGES, check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
