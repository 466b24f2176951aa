"""Presets: settings that belong together, chosen by one name. They are in presets.yaml."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml

from ville.settings.sources import SettingsSource

FILE = Path(__file__).with_suffix(".yaml")


def preset_source(name: str) -> SettingsSource:
    """Return the settings of a preset; none without a name."""
    return SettingsSource(str(FILE), presets().get(name, {}))


@cache
def presets() -> Mapping[str, Mapping[str, object]]:
    return {name: values or {} for name, values in yaml.safe_load(FILE.read_text("utf-8")).items()}
