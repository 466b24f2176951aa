"""Parts of a release: one version everywhere, installed commands that are documented, a way to cite."""

import tomllib
from pathlib import Path

import pytest
from documents import ROOT, TEXTS
from repository import tracked

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
MIRRORED = {
    "tests/ville": "reverie/backend_server/ville",
    "tests/frontend": "environment/frontend_server",
    "tests/town_builder": "environment/town_builder",
}


@pytest.mark.parametrize("command", PROJECT["project"]["scripts"])
def test_what_pip_installs_is_documented(command):
    """A command that appears on a user's PATH has a row in docs/README.md."""
    assert f"| `{command}` |" in TEXTS["docs/README.md"]


def test_tests_have_the_folders_of_the_sources():
    """A test is found by the folder of what it tests (CONTRIBUTING.md, Tests)."""
    strangers = [
        name
        for tests, sources in MIRRORED.items()
        for name in tracked(f"{tests}/*.py")
        if not (ROOT / sources / Path(name).relative_to(tests).parent).is_dir()
    ]
    assert not strangers


def test_every_document_is_in_the_index():
    """docs/README.md leads to each document in docs/, decisions by their folder."""
    index = TEXTS["docs/README.md"]
    documents = [name for name in TEXTS if name.startswith("docs/") and not name.startswith("docs/decisions/")]
    assert [name for name in documents if f"({name.removeprefix('docs/')}" not in index] == ["docs/README.md"]
