"""The house rules that no linter knows: sizes, where files are opened, what must never be committed."""

import ast
import re
import runpy
import subprocess
from collections import Counter
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]
LONGEST_FUNCTION = 50
LONGEST_FILE = 400
P90_FUNCTION = 25
PLAIN_ARGUMENTS = 3
SHELLS = {
    "start.py",
    "validate_setup.py",
    "environment/build_town.py",
    "environment/build_people.py",
    "environment/frontend_server/vendor.py",
    "reverie/compress_sim_storage.py",
    "reverie/backend_server/reverie.py",
    "reverie/backend_server/reverie_offline.py",
    "reverie/ledger.py",
    "reverie/measure.py",
}


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
        if name not in SHELLS
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


CALLED_BY_OTHERS = (
    "utils.example.py",
    "environment/frontend_server/frontend_server/",
    "environment/frontend_server/translator/apps.py",
    "environment/frontend_server/translator/management/",
)
"""Where names are for others: for Django, and for the reader of an example."""


def defined(tree: ast.Module) -> set[str]:
    """Names of functions, classes, constants and fields; what is decorated is called through its decorator."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names |= {node.name} if not node.decorator_list or isinstance(node, ast.ClassDef) else set()
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return {name for name in names if not name.startswith("__")}


def test_nothing_is_there_that_nobody_uses() -> None:
    """Every name is used somewhere beside its definition; tests alone are no reason to keep anything."""
    texts = [name for name in tracked("*.py", "*.html") if not name.startswith("tests/") and (HOUSE / name).exists()]
    words = Counter(word for name in texts for word in re.findall(r"\w+", (HOUSE / name).read_text("utf-8")))
    unused = {
        f"{name}: {word}"
        for name, tree in TREES.items()
        if not name.startswith(CALLED_BY_OTHERS)
        for word in defined(tree)
        if words[word] == 1
    }
    assert not unused


def test_whoever_validates_misses_no_package() -> None:
    """What requirements.txt pins is what validate_setup.py looks for, by the names under which it is imported."""
    pinned = {line.partition("==")[0].lower() for line in (HOUSE / "requirements.txt").read_text("utf-8").splitlines()}
    looked_for = runpy.run_path(str(HOUSE / "validate_setup.py"))["PACKAGES"]
    found = {distribution.lower() for name in looked_for for distribution in packages_distributions()[name]}
    assert found == {name for name in pinned if not name.startswith("#")}


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
        and name != "tests/house/test_rules.py"
        and FORBIDDEN[what].search((HOUSE / name).read_text("utf-8", errors="replace"))
    ]
    assert not found
