"""Pages know the language in which people of a simulation speak, to mark their words with it."""

import json

import pytest

from translator.storage.runs.saved_simulation import SavedSimulation
from translator.storage.runs.spoken import language_code


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ({}, "en"),
        ({"language": "ru"}, "ru"),
        ({"language": "Russian"}, "ru"),
        ({"language": "German"}, "de"),
        ({"language": "Klingon"}, ""),
        ({"language": 5}, ""),
        (None, "en"),
    ],
)
def test_the_language_is_that_of_the_last_save(own, code, tmp_path):
    """By code or by English name; English unless it is set; unknown if it is no language that browsers know."""
    (tmp_path / "town" / "reverie").mkdir(parents=True)
    if own is not None:
        (tmp_path / "town" / "reverie" / "run.json").write_text(json.dumps(own), "utf-8")
    assert language_code(SavedSimulation(tmp_path / "town")) == code
