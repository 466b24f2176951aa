"""Run the checks of the project: linters, types, layers and tests.

  python start.py test                        linters, types, layers, and all tests but the slow ones
  python start.py test --all                  the slow ones, too, before a release
  python start.py test --quick                linters, types, layers and the fast tests of the package, for every edit
  python start.py test tests/pages -k replay  only these tests; all arguments of pytest are understood

Long trials are not tests: see benchmarks/.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parents[1]
REPORT = ROOT / "artefacts" / "tests.xml"
VENDOR = ROOT / "environment" / "frontend_server" / "vendor.py"
SMALL_MODEL = ROOT / "tests" / "servers" / "small_model.py"
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder with a random name is made there
ROOM = 4 << 30
"""Free bytes of a disk in memory from which on tests write there."""
SOURCES = ("environment", "environment/frontend_server")
OPTIONAL = ("test_third_party", "test_ray", "test_ray_districts", "test_inspect_task")
"""Modules whose tests need a model server that takes minutes to build, Ray, or Inspect AI; in CI, every other skip is a
failure.
"""
QUICK = ("tests/ville", "tests/contract")
"""Tests that --quick runs if none are selected."""
FAST_ONLY = ("-m", "not slow")

CHECKS = {
    "ruff check": ["-m", "ruff", "check", "."],
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "mypy": ["-m", "mypy"],
    "layers": ["-c", "from importlinter.cli import lint_imports_command as c; c()"],
}


def main() -> int:
    """Return 0 if everything passes and, where CI is set, no test was skipped except the optional ones."""
    parser = argparse.ArgumentParser(
        prog="start.py test", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument("--quick", action="store_true", help="only what takes less than 90 seconds")
    extent.add_argument("--all", action="store_true", help="also tests that take more than five seconds")
    choice, selection = parser.parse_known_args()
    passed = bool(selection) or run_checks()
    chosen = selection or (QUICK if choice.quick else ())
    if choice.quick or not (choice.all or selection):
        chosen = [*chosen, *FAST_ONLY]
    if not choice.quick:
        for download in (VENDOR, SMALL_MODEL):  # once, before tests copy or need it
            subprocess.run([sys.executable, download], check=False, stdout=subprocess.DEVNULL)
    return int(not run_tests(*chosen) or not passed)


def run_checks() -> bool:
    """Run all linters at once; return whether none has a complaint."""
    with ThreadPoolExecutor() as pool:
        return all(list(pool.map(run_check, CHECKS, CHECKS.values())))


def run_check(name: str, command: list[str]) -> bool:
    """Run one linter; print its name, the outcome, and its output if it fails."""
    started = time.monotonic()
    result = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment(),
        check=False,
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    passed = result.returncode == 0
    line = row(name, "ok" if passed else "FAILED", time.monotonic() - started)
    print(line if passed else f"{line}\n{result.stdout}", flush=True)
    return passed


def run_tests(*selection: str) -> bool:
    """Run tests in parallel, print one line for each group, and return whether all passed."""
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-n", "auto", "-rs", f"--junitxml={REPORT}", *selection]
    with writing_place() as folder:
        code = subprocess.run(command, cwd=ROOT, env=environment() | {"TMPDIR": folder}, check=False).returncode
    cases = list(ET.parse(REPORT).iter("testcase")) if REPORT.exists() else []  # noqa: S314 - pytest has written it
    return print_groups(cases) and code == 0


def writing_place() -> TemporaryDirectory[str]:
    """Return the folder of the thousands of small files of tests: in memory, if there is room. It goes away with them;
    `--basetemp` names one that stays.
    """
    in_memory = sys.platform == "linux" and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ROOM
    runs_programs = in_memory and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    return TemporaryDirectory(prefix="tests-", dir=MEMORY if runs_programs else None)


def print_groups(cases: list[ET.Element]) -> bool:
    """Print outcomes and seconds by group; return False if CI is set and a test that matters was skipped."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seconds: defaultdict[str, float] = defaultdict(float)
    for case in cases:
        group = "/".join(case.get("classname", "").split(".")[:2])
        counts[group][outcome(case)] += 1
        seconds[group] += float(case.get("time", 0))
    for group in sorted(counts):
        print(row(group, ", ".join(f"{count} {word}" for word, count in counts[group].items()), seconds[group]))
    missed = [case for case in cases if outcome(case) == "skipped" and not module_of(case).endswith(OPTIONAL)]
    if missed and os.environ.get("CI"):
        print("Skipped tests count as failures here: install what they name.")
        return False
    return True


def module_of(case: ET.Element) -> str:
    """Return the module of a test; a module that is skipped as a whole stands in the place of its test."""
    return case.get("classname", "") or case.get("name", "")


def outcome(case: ET.Element) -> str:
    return next((word for word in ("failure", "error", "skipped") if case.find(word) is not None), "passed")


def row(name: str, text: str, seconds: float) -> str:
    return f"{name:<24} {text:<40} {seconds:6.1f} s"


def environment() -> dict[str, str]:
    """Variables of linters and tests. Compiled files are kept: each of many processes would compile all it imports."""
    paths = os.pathsep.join(str(ROOT / place) for place in SOURCES)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": paths, "PYTHONUTF8": "1"}


if __name__ == "__main__":
    sys.exit(main())
