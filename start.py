"""The front door. `python start.py test` sets up a virtual environment and runs everything that checks the house.

Only the standard library is used here: this file runs before anything is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import time
import venv
from pathlib import Path
from xml.etree import ElementTree as ET

HOUSE = Path(__file__).resolve().parent
VENV = HOUSE / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
REPORTS = HOUSE / "artefacts" / "tests"
OLDEST_PYTHON = (3, 11)
SOURCES = ("environment", "environment/frontend_server", "reverie/backend_server", "reverie")

CHECKS = {
    "ruff check": ["-m", "ruff", "check", "."],
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "mypy": ["-m", "mypy"],
    "layers": ["-c", "from importlinter.cli import lint_imports_command as c; c()"],
}


class SetupError(Exception):
    """Something on this machine has to be mended first; the message says what and how."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["test"], help="test: linters, layers and every test, one line a group")
    parser.parse_args()
    try:
        return test()
    except SetupError as fault:
        print(fault, file=sys.stderr)
        return 1


def test() -> int:
    """Every check and every group of tests; 0 only if all pass (and, where CI is set, none was skipped)."""
    prepare("requirements-dev.txt")
    failed = [name for name, command in CHECKS.items() if not check(name, command)]
    counts = {"passed": 0, "failed": len(failed), "skipped": 0}
    for folder in sorted(path for path in (HOUSE / "tests").iterdir() if any(path.rglob("test_*.py"))):
        for outcome, number in run_group(folder).items():
            counts[outcome] += number
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    if os.environ.get("CI") and counts["skipped"]:
        print("Skipped tests count as failures here: install what they name.")
    return int(counts["failed"] > 0 or bool(os.environ.get("CI") and counts["skipped"]))


def prepare(requirements: str) -> None:
    """A virtual environment in .venv that holds what `requirements` pins; seconds when nothing has changed."""
    if sys.version_info < OLDEST_PYTHON:
        have, need = (".".join(map(str, version[:2])) for version in (sys.version_info, OLDEST_PYTHON))
        raise SetupError(f"This is Python {have}; the Ville needs {need} or newer. Run start.py with a newer one.")
    wanted = hashlib.sha256(b"".join((HOUSE / name).read_bytes() for name in ("requirements.txt", requirements)))
    stamp = VENV / f"{requirements}.sha256"
    if stamp.exists() and stamp.read_text("utf-8") == wanted.hexdigest():
        return
    print(f"Installing {requirements} into .venv ...", flush=True)
    if not PYTHON.exists():
        venv.create(VENV, with_pip=True)
    command = [
        str(PYTHON),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "-r",
        str(HOUSE / requirements),
    ]
    if subprocess.run(command, check=False).returncode:
        raise SetupError(f"pip could not install {requirements}: see its message above (is the network there?).")
    stamp.write_text(wanted.hexdigest(), "utf-8")


def check(name: str, command: list[str]) -> bool:
    """Run one linter; its output is shown only when it has something to say."""
    started = time.monotonic()
    result = run_python(command)
    report(name, "ok" if result.returncode == 0 else "FAILED", started)
    if result.returncode:
        print(result.stdout)
    return result.returncode == 0


def run_group(folder: Path) -> dict[str, int]:
    """Run the tests of one folder in parallel and count their outcomes; failures and skips are printed whole."""
    started = time.monotonic()
    REPORTS.mkdir(parents=True, exist_ok=True)
    xml = REPORTS / f"{folder.name}.xml"
    xml.unlink(missing_ok=True)
    result = run_python(["-m", "pytest", str(folder), "-n", "auto", "-rs", f"--junitxml={xml}"])
    counts = outcomes(xml) if xml.exists() else {"passed": 0, "failed": 1, "skipped": 0}
    words = ", ".join(f"{number} {outcome}" for outcome, number in counts.items() if number)
    report(f"tests/{folder.name}", words or "no tests", started)
    if counts["failed"] or result.returncode:
        print(result.stdout)
    elif counts["skipped"]:
        print("\n".join(line for line in result.stdout.splitlines() if line.startswith("SKIPPED")))
    if result.returncode and not counts["failed"]:
        counts["failed"] = 1
    return counts


def outcomes(xml: Path) -> dict[str, int]:
    suite = ET.parse(xml).getroot().find("testsuite")  # noqa: S314 - pytest wrote this file a moment ago
    number = (
        {key: int(suite.get(key, 0)) for key in ("tests", "failures", "errors", "skipped")} if suite is not None else {}
    )
    failed = number.get("failures", 0) + number.get("errors", 0)
    skipped = number.get("skipped", 0)
    return {"passed": number.get("tests", 0) - failed - skipped, "failed": failed, "skipped": skipped}


def run_python(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(str(HOUSE / place) for place in SOURCES)
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONUTF8": "1"}
    return subprocess.run(
        [PYTHON, *arguments],
        cwd=HOUSE,
        env=environment,
        check=False,
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def report(name: str, outcome: str, started: float) -> None:
    print(f"{name:<24} {outcome:<40} {time.monotonic() - started:6.1f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
