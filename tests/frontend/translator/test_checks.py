"""What is said at the start."""

import pytest
from django.core.checks import run_checks


def said():
    return {message.id for message in run_checks() if message.id.startswith("translator.")}


@pytest.fixture
def house(stage, settings):
    """Everything is there."""
    stage.save("base")
    stage.put("static/vendor/phaser/phaser.min.js", "")
    settings.BACKEND, settings.GIVEN = stage.root, {}
    settings.STATICFILES_DIRS = [stage.root / "static", ("assets", stage.root / "assets")]
    return stage


@pytest.mark.usefixtures("house")
def test_a_whole_house_is_not_worth_a_word():
    """Nothing is missing."""
    assert said() == set()


def test_folders_that_only_the_engine_knows_are_said(house, settings):
    """Moved in a utils.py, which the pages do not read; silent once both are told, or where both look at the same."""
    house.put("utils.py", f"fs_storage = '{house.storage.name}'\nfs_temp_storage = 'away'\nmaze_assets_loc = f'{1}'\n")
    (warning,) = [message for message in run_checks() if message.id == "translator.W004"]
    assert str(house.root / "away") in warning.msg
    assert f"VILLE_FS_TEMP_STORAGE={house.root / 'away'}" in warning.hint
    settings.GIVEN = {"VILLE_FS_TEMP_STORAGE": "anywhere"}
    assert said() == set()
    house.put("utils.py", "fs_storage = (")
    assert said() == set()


def test_each_missing_thing_is_named(house, settings):
    """Simulations, a map, Phaser, and folders that cannot be written."""
    (house.root / "assets" / "small" / "visuals" / "small.json").unlink()
    assert said() == {"translator.W002"}
    (house.root / "static" / "vendor" / "phaser" / "phaser.min.js").unlink()
    assert said() == {"translator.W002", "translator.W003"}
    (house.storage / "base" / "reverie" / "meta.json").unlink()
    assert said() == {"translator.W001", "translator.W003"}
    house.put("file", "")
    settings.TEMP_STORAGE = house.root / "file"
    assert "translator.E001" in said()
