"""The house rules of this room."""

import ast
import gettext
from functools import cache
from pathlib import Path

import pytest

from translator.feed.feed import UNKNOWN
from ville.simulation.interventions.catalogue import kinds
from ville.storage.flaws import IMPOSSIBLE, NO_OBJECT, REASONS

PAGES = Path(__file__).resolve().parents[3] / "environment" / "frontend_server"
MODULES = sorted((PAGES / "translator").rglob("*.py"))
TREES = {path.relative_to(PAGES / "translator").as_posix(): ast.parse(path.read_text("utf-8")) for path in MODULES}
STORAGE = PAGES.parents[1] / "reverie" / "backend_server" / "ville" / "storage"
SHARED = (
    *("compression", "files", "flaws", "frames", "memory_files", "meta"),
    *("step_files", "step_store", "study_folder", "temp_storage"),
)
"""Modules of the engine that pages use."""
ENGINE_ONLY = {
    "%(file)s is missing. Restore it, or fork the simulation again.",
    "%(file)s:%(line)s is not JSON (%(reason)s). Fix that line, or restore the file.",
    "%(file)s:1 is not a JSON object. It should begin with a brace.",
    "%(file)s does not end with a brace. Restore it, or fork the simulation again.",
    "%(what)s It is %(value).60r. Correct it, or restore the file.",
    "%(folder)s holds no steps. Run the simulation before you compress it.",
    "%(what)s Remove the file: the step is then shown as the one before.",
}
"""Messages of functions that pages do not call."""
DISK = {"os", "io", "shutil", "tempfile", "pathlib", "glob"}


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


def sentences_of_storage():
    """Every message about files that pages translate."""
    yield from [*REASONS.values(), IMPOSSIBLE, NO_OBJECT]
    trees = [ast.parse(next(STORAGE.rglob(f"{name}.py")).read_text("utf-8")) for name in SHARED]
    for node in (node for tree in [*trees, *TREES.values()] for node in ast.walk(tree)):
        match node:
            case ast.Call(func=ast.Name(id="CorruptFile" | "CannotWrite"), args=[ast.Constant(value=text)]):
                yield text
            case ast.Call(func=ast.Name(id="Flaw"), args=[_, ast.Constant(value=text), *_]):
                yield text
            case ast.Assign(targets=[ast.Name(id="template")], value=ast.Constant(value=text)):
                yield text


def words_of_kinds():
    """Texts of pages about interventions."""
    for kind in kinds().values():
        told = [kind.told.anyone, kind.told.actors] if kind.told else []
        offer = [kind.offer.title, kind.offer.words] if kind.offer else []
        yield from (text for text in (*told, *offer) if text)


def reasons():
    """Every sentence that may reach a reader."""
    for tree in TREES.values():
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id="_"), args=[ast.Constant(value=text)]):
                    yield text


def test_only_storage_touches_the_disk():
    """No other module of the stage knows of paths.

    The checks at the start may ask whether a folder is writable, and `runserver` has streams of its own.
    """
    found = {name for name, tree in TREES.items() if DISK & set(imported(tree)) and not name.startswith("storage/")}
    assert found == {"checks.py", "management/commands/runserver.py"}


@cache
def russian_texts():
    with (PAGES / "locale" / "ru" / "LC_MESSAGES" / "django.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


@pytest.mark.parametrize(
    "reason",
    sorted({*reasons(), *sentences_of_storage(), *words_of_kinds(), UNKNOWN.anyone} - {"%(what)s"} - ENGINE_ONLY),
)
def test_every_reason_can_be_read_in_russian(reason):
    """With the same values in it."""
    russian = russian_texts().gettext(reason)
    assert russian != reason
    assert set(_values(russian)) == set(_values(reason))


def _values(text):
    return [part.split(")")[0] for part in text.split("%(")[1:]]
