"""Settings: one frozen object from five sources, and one clear line when a source is wrong."""

from pathlib import Path

import pytest

import settings
from errors import BadSetting
from settings import KNOBS, Settings, load_settings


@pytest.fixture(autouse=True)
def empty_house(tmp_path, monkeypatch):
    """A house without .env and utils.py."""
    monkeypatch.setattr(settings, "HOUSE", tmp_path)
    monkeypatch.setattr(settings, "BACKEND", tmp_path)
    return tmp_path


def test_without_any_source_the_defaults_hold():
    """Nothing configured is a complete configuration."""
    assert load_settings(environment={}) == Settings()


def test_earlier_sources_win(empty_house):
    """Flag beats environment beats .env beats utils.py beats default, name by name."""
    (empty_house / "utils.py").write_text("seed = 1\nlines = 1\nautosave = 1\npatience = 1\n", "utf-8")
    (empty_house / ".env").write_text("VILLE_LINES=2\nVILLE_AUTOSAVE=2\nVILLE_PATIENCE=2\n", "utf-8")
    found = load_settings({"patience": 4}, {"VILLE_AUTOSAVE": "3", "VILLE_PATIENCE": "3"})
    assert (found.seed, found.lines, found.autosave, found.patience) == (1, 2, 3, 4)


def test_an_old_utils_file_works_unchanged(empty_house):
    """The classic names keep their meaning; what this house does not need is ignored."""
    classic = 'openai_api_key = "x"\nkey_owner = "Ada"\nmaze_assets_loc = "../assets"\ndebug = True\n'
    (empty_house / "utils.py").write_text(classic + 'env_matrix = f"{maze_assets_loc}/the_ville/matrix"\n', "utf-8")
    found = load_settings(environment={})
    assert (found.key_owner, found.debug) == ("Ada", True)
    assert found.assets == (empty_house / "../assets").resolve()


@pytest.mark.parametrize(
    ("text", "mend"),
    [
        ("seed = = 1\n", "utils.py:1"),
        ("import no_such_module\n", "plain constants"),
        ("retrieval = 'best'\n", "paper, released"),
    ],
)
def test_a_broken_utils_file_is_one_clear_line(empty_house, text, mend):
    """A mistake in utils.py names the file and what to do, on one line."""
    (empty_house / "utils.py").write_text(text, "utf-8")
    with pytest.raises(BadSetting) as fault:
        load_settings(environment={})
    assert mend in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("name", "value"), [("seed", "one"), ("lines", "-1"), ("debug", "perhaps"), ("patience", "long")]
)
def test_a_wrong_value_names_setting_and_place(name, value):
    """The message tells which setting is wrong and where it was set."""
    with pytest.raises(BadSetting, match=f"{name} = '{value}' in the environment"):
        load_settings(environment={f"VILLE_{name.upper()}": value})


def test_every_setting_says_what_it_is_for():
    """Each knob has a sentence, and relative paths count from the backend's folder."""
    assert all(knob.sentence for knob in KNOBS.values())
    assert load_settings({"fs_storage": "here"}).fs_storage == Path(settings.BACKEND, "here").resolve()
