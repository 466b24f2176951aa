"""Everything that checks the house: linters, layers, and every group of tests, one line each.

Run by `python start.py test`, with the environment that it has set up.
"""

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

HOUSE = Path(__file__).resolve().parents[1]
REPORTS = HOUSE / "artefacts" / "tests"
MAY_BE_SKIPPED = "test_third_party"
"""The file whose tests need a server of others, which takes minutes to build; any other skip is a failure in CI."""
SOURCES = ("environment", "environment/frontend_server")

CHECKS = {
    "ruff check": ["-m", "ruff", "check", "."],
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "mypy": ["-m", "mypy"],
    "layers": ["-c", "from importlinter.cli import lint_imports_command as c; c()"],
}


def main() -> int:
    """0 only if all pass (and, where CI is set, none was skipped that matters)."""
    counts = Counter(failed=sum(not check(name, command) for name, command in CHECKS.items()))
    for folder in sorted(path for path in (HOUSE / "tests").iterdir() if any(path.rglob("test_*.py"))):
        counts += run_group(folder)
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**{"skipped": 0, "failed": 0, **counts}))
    strict = bool(os.environ.get("CI") and counts["skipped"] > counts["tolerated"])
    if strict:
        print("Skipped tests count as failures here: install what they name.")
    return int(counts["failed"] > 0 or strict)


def check(name: str, command: list[str]) -> bool:
    """Run one linter; its output is shown only when it has something to say."""
    started = time.monotonic()
    result = run_python(command)
    report(name, "ok" if result.returncode == 0 else "FAILED", started)
    if result.returncode:
        print(result.stdout)
    return result.returncode == 0


def run_group(folder: Path) -> Counter[str]:
    """Run the tests of one folder in parallel and count their outcomes; failures and skips are printed whole."""
    started = time.monotonic()
    REPORTS.mkdir(parents=True, exist_ok=True)
    xml = REPORTS / f"{folder.name}.xml"
    xml.unlink(missing_ok=True)
    result = run_python(["-m", "pytest", str(folder), "-n", "auto", "-rs", f"--junitxml={xml}"])
    counts = outcomes(xml) if xml.exists() else Counter(failed=1)
    words = [f"{counts[outcome]} {outcome}" for outcome in ("passed", "failed", "skipped") if counts[outcome]]
    report(f"tests/{folder.name}", ", ".join(words), started)
    if counts["failed"] or result.returncode:
        print(result.stdout)
    elif counts["skipped"]:
        print("\n".join(line for line in result.stdout.splitlines() if line.startswith("SKIPPED")))
    if result.returncode and not counts["failed"]:
        counts["failed"] = 1
    return counts


def outcomes(xml: Path) -> Counter[str]:
    """How many passed, failed and were skipped, and how many of the last may be; only what there is."""
    suite = ET.parse(xml).getroot().find("testsuite")  # noqa: S314 - pytest wrote this file a moment ago
    if suite is None:
        return Counter()
    number = {key: int(suite.get(key, 0)) for key in ("tests", "failures", "errors", "skipped")}
    failed = number["failures"] + number["errors"]
    tolerated = sum(
        MAY_BE_SKIPPED in case.get("classname", "")
        for case in suite.iter("testcase")
        if case.find("skipped") is not None
    )
    return +Counter(
        passed=number["tests"] - failed - number["skipped"],
        failed=failed,
        skipped=number["skipped"],
        tolerated=tolerated,
    )


def run_python(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(str(HOUSE / place) for place in SOURCES)
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=HOUSE,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONUTF8": "1"},
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
