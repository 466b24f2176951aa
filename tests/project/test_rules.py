"""Rules that no linter checks: sizes, printing, dead code, and what must never be committed."""

import ast
import re
import subprocess
import sys
import tomllib

from repository import ROOT, tracked, tree_of

LONGEST_FUNCTION = 50
LONGEST_FILE = 400
P90_FUNCTION = 25
POSITIONAL_ARGUMENTS = 3
CALLS_CODE_OF_USERS = ("analysis/named_measures.py", "assembly/own_minds.py", "cognitive_modules/own_modules.py")
MAY_PRINT = (
    "start.py",
    "examples/",
    "environment/build_town.py",
    "environment/build_people.py",
    "environment/frontend_server/vendor.py",
    "reverie/backend_server/ville/cli/",
    "reverie/backend_server/ville/jobs/",
    "reverie/backend_server/ville/launcher/",
    "reverie/backend_server/ville/terminal/",
)
"""Scripts and folders with scripts that print."""
SOURCES = [name for name in tracked("*.py") if not name.startswith(("tests/", "benchmarks/"))]


def functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Return all functions of the sources with their files."""
    return [
        (name, node)
        for name in SOURCES
        for node in ast.walk(tree_of(name))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_functions_are_short() -> None:
    """No function has more than fifty lines, and nine of ten have at most twenty-five."""
    lengths = sorted(length(node) for _, node in functions())
    long = [f"{name}:{node.lineno} {node.name}" for name, node in functions() if length(node) > LONGEST_FUNCTION]
    assert not long
    assert lengths[int(len(lengths) * 0.9)] <= P90_FUNCTION


def test_files_are_short() -> None:
    """No source file has more than four hundred lines."""
    lengths = {name: len((ROOT / name).read_text("utf-8").splitlines()) for name in SOURCES}
    assert not {name: lines for name, lines in lengths.items() if lines > LONGEST_FILE}


def test_one_name_is_one_class() -> None:
    """No two classes of the sources and benchmarks have the same name."""
    places: dict[str, list[str]] = {}
    for name in [*SOURCES, *tracked("benchmarks/*.py")]:
        for node in ast.walk(tree_of(name)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(f"{name}:{node.lineno}")
    assert not {name: found for name, found in places.items() if len(found) > 1}


def test_many_arguments_are_named() -> None:
    """A function that takes more than three arguments takes the rest by keyword, coordinates of pictures excepted."""
    many = [
        f"{name}:{node.lineno} {node.name}"
        for name, node in functions()
        if "/art/" not in name
        and len([a for a in node.args.args if a.arg not in {"self", "cls"}]) > POSITIONAL_ARGUMENTS + 1
    ]
    assert not many


def test_only_scripts_print() -> None:
    """All other code returns or raises."""
    prints = {
        f"{name}:{node.lineno}"
        for name in SOURCES
        if not name.startswith(MAY_PRINT)
        for node in ast.walk(tree_of(name))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"
    }
    assert not prints


def test_no_handler_catches_every_exception() -> None:
    """There is no bare `except`, and `except Exception` only where code of users is called."""
    broad = {
        f"{name}:{node.lineno}"
        for name in SOURCES
        if not name.endswith(CALLS_CODE_OF_USERS)
        for node in ast.walk(tree_of(name))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in {"Exception", "BaseException"})
    }
    assert not broad


def test_no_code_is_dead() -> None:
    """All code is used outside of tests, or listed in pyproject.toml with its user."""
    own = [name for name in SOURCES if name != "utils.example.py" and not name.startswith("examples/")]
    command = [sys.executable, "-m", "vulture", *own, *tracked("benchmarks/*.py")]
    found = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_the_package_requires_what_is_pinned() -> None:
    """pyproject.toml names the packages that requirements.txt pins, and both install the package itself."""
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    pinned = {line.partition("==")[0].lower() for line in lines if "==" in line}
    required = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert {re.sub(r"[-_.]+", "-", name).lower() for name in required} == {
        re.sub(r"[-_.]+", "-", name) for name in pinned
    }
    assert "-e ." in lines


FORBIDDEN = {
    "path of a machine": re.compile(r"/(?:work|home|root|Users)/\w"),
    "key": re.compile(r"\b(?:sk|or|AIza)-?[A-Za-z0-9_-]{24,}\b"),
}


def test_no_file_holds_a_path_of_a_machine_or_a_key() -> None:
    """No committed text file tells where it was written, and none holds a key."""
    texts = [name for name in tracked() if not name.endswith((".png", ".csv", ".ico"))]
    found = [
        (name, what)
        for name in texts
        if name != "tests/project/test_rules.py"
        for what, pattern in FORBIDDEN.items()
        if pattern.search((ROOT / name).read_text("utf-8", errors="replace"))
    ]
    assert not found


def test_what_installing_and_running_makes_is_ignored():
    """A package that was built lies in the project, and is no part of it."""
    made = [
        "build/lib/ville/api/functions.py",
        "dist/the_ville.whl",
        "x.egg-info/PKG-INFO",
        ".venv/pyvenv.cfg",
        ".env",
        "utils.py",
    ]
    ignored = subprocess.run(["git", "check-ignore", *made], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ignored.stdout.splitlines() == made


def is_question(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and any(
        ast.unparse(base).startswith(("Question[", "AskedInInterview[")) for base in node.bases
    )


def test_docstrings_begin_with_what_things_are() -> None:
    """No docstring begins with "What" or "Return that"; only the question of a `Question` is its docstring."""
    habits = re.compile(r"(?:What|Return that)\b")
    found = [
        f"{name}:{text.lineno}"
        for name in tracked("*.py")
        for node in ast.walk(tree_of(name))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        for text in node.body
        if isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and habits.match(str(text.value.value).lstrip())
        and not is_question(node)
    ]
    assert not found
