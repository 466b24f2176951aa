"""Messages at the start."""

import pytest
from django.core.checks import run_checks


def said():
    return {message.id for message in run_checks() if message.id.startswith("translator.")}


@pytest.fixture
def house(stage, settings):
    """Everything is there."""
    stage.save("base")
    stage.put("static/vendor/phaser/phaser.min.js", "")
    settings.STATICFILES_DIRS = [stage.root / "static", ("assets", stage.root / "assets")]
    return stage


@pytest.mark.usefixtures("house")
def test_a_whole_house_is_not_worth_a_word():
    """Nothing is missing."""
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
