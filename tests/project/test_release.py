"""Parts of a release: one version everywhere, installed commands that are documented, a way to cite."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from documents import ROOT, TEXTS
from repository import tracked

import ville

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
MIRRORED = {
    "tests/ville": "reverie/backend_server/ville",
    "tests/frontend": "environment/frontend_server",
    "tests/town_builder": "environment/town_builder",
}


def test_one_version():
    """The package, what is installed, the changelog and the citation name the same version, and the same date."""
    number, date = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$", TEXTS["CHANGELOG.md"], re.MULTILINE)[0]
    assert ville.__version__ == number
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "ville.version.VERSION"}
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (citation["version"], str(citation["date-released"])) == (number, date)


def test_the_changelog_has_a_place_for_what_comes():
    """The newest heading is [Unreleased]; every other one is a version with a date."""
    headings = re.findall(r"^## (.+)$", TEXTS["CHANGELOG.md"], re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert [
        heading for heading in headings[1:] if not re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading)
    ] == []
    assert len(headings) > 1


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
