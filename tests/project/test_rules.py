"""The house rules that no linter knows: sizes, where files are opened, what must never be committed."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]
LONGEST_FUNCTION = 50
LONGEST_FILE = 400
P90_FUNCTION = 25
PLAIN_ARGUMENTS = 3
SHELLS = (
    "start.py",
    "environment/build_town.py",
    "environment/build_people.py",
    "environment/frontend_server/vendor.py",
    "reverie/backend_server/ville/cli/",
)
"""Where a name begins so, printing is allowed."""


def tracked(*patterns: str) -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    return subprocess.run(command, cwd=HOUSE, check=True, capture_output=True, text=True).stdout.splitlines()


SOURCES = [
    name for name in tracked("*.py") if not name.startswith(("tests/", "benchmarks/")) and (HOUSE / name).exists()
]
TREES = {name: ast.parse((HOUSE / name).read_text("utf-8")) for name in SOURCES}


def functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    return [
        (name, node)
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_function_is_longer_than_the_eye() -> None:
    """No function has more than fifty lines, and nine of ten have at most twenty-five."""
    lengths = sorted(length(node) for _, node in functions())
    long = [f"{name}:{node.lineno} {node.name}" for name, node in functions() if length(node) > LONGEST_FUNCTION]
    assert not long
    assert lengths[int(len(lengths) * 0.9)] <= P90_FUNCTION


def test_no_file_is_crowded() -> None:
    """No source file has more than four hundred lines."""
    crowded = {name: len((HOUSE / name).read_text("utf-8").splitlines()) for name in SOURCES}
    assert not {name: lines for name, lines in crowded.items() if lines > LONGEST_FILE}


def test_many_arguments_are_named() -> None:
    """A function that takes more than three arguments takes the rest by keyword (pictures' coordinates apart)."""
    many = [
        f"{name}:{node.lineno} {node.name}"
        for name, node in functions()
        if "/art/" not in name
        and len([a for a in node.args.args if a.arg not in {"self", "cls"}]) > PLAIN_ARGUMENTS + 1
    ]
    assert not many


def test_only_shells_print() -> None:
    """`print` belongs to the shells: everything else returns or raises."""
    prints = {
        f"{name}:{node.lineno}"
        for name, tree in TREES.items()
        if not name.startswith(SHELLS)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"
    }
    assert not prints


def test_nothing_swallows_every_exception() -> None:
    """No bare except, no `except Exception`."""
    broad = {
        f"{name}:{node.lineno}"
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in {"Exception", "BaseException"})
    }
    assert not broad


def test_no_code_is_dead() -> None:
    """Everything is used outside of tests, or listed in pyproject.toml with who uses it."""
    command = [sys.executable, "-m", "vulture", *(set(SOURCES) - {"utils.example.py"}), *tracked("benchmarks/*.py")]
    found = subprocess.run(command, cwd=HOUSE, check=False, capture_output=True, text=True)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_the_package_needs_what_is_pinned() -> None:
    """pyproject.toml names the packages that requirements.txt pins; both install the package itself."""
    lines = (HOUSE / "requirements.txt").read_text("utf-8").splitlines()
    pinned = {line.partition("==")[0].lower() for line in lines if "==" in line}
    needed = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert {re.sub(r"[-_.]+", "-", name).lower() for name in needed} == {
        re.sub(r"[-_.]+", "-", name) for name in pinned
    }
    assert "-e ." in lines


FORBIDDEN = {
    "a path of somebody's machine": re.compile(r"/(?:work|home|root|Users)/\w"),
    "something that looks like a key": re.compile(r"\b(?:sk|or|AIza)-?[A-Za-z0-9_-]{24,}\b"),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_trace_of_machine_or_key(what: str) -> None:
    """No committed text file tells where it was written or holds a key."""
    texts = [name for name in tracked() if not name.endswith((".png", ".csv", ".ico"))]
    found = [
        name
        for name in texts
        if (HOUSE / name).is_file()
        and name != "tests/project/test_rules.py"
        and FORBIDDEN[what].search((HOUSE / name).read_text("utf-8", errors="replace"))
    ]
    assert not found
