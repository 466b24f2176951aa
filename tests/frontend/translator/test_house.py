"""The house rules of this room."""

import ast
import gettext
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[3] / "environment" / "frontend_server"
MODULES = sorted((PAGES / "translator").rglob("*.py"))
TREES = {path.relative_to(PAGES / "translator").as_posix(): ast.parse(path.read_text("utf-8")) for path in MODULES}
DISK = {"os", "io", "shutil", "tempfile", "pathlib", "glob"}


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


def reasons():
    """Every sentence that may reach a reader."""
    for tree in TREES.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_":
                yield ast.literal_eval(node.args[0])


def test_only_storage_touches_the_disk():
    """No other module of the stage knows of paths.

    The checks at the start may ask whether a folder is writable, and `runserver` has streams of its own.
    """
    found = {name for name, tree in TREES.items() if DISK & set(imported(tree)) and not name.startswith("storage/")}
    assert found == {"checks.py", "management/commands/runserver.py"}


@pytest.mark.parametrize("reason", sorted(set(reasons())))
def test_every_reason_can_be_read_in_russian(reason):
    """With the same values in it."""
    with (PAGES / "locale" / "ru" / "LC_MESSAGES" / "django.mo").open("rb") as file:
        russian = gettext.GNUTranslations(file).gettext(reason)
    assert russian != reason
    assert set(_values(russian)) == set(_values(reason))


def _values(text):
    return [part.split(")")[0] for part in text.split("%(")[1:]]
