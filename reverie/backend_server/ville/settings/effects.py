"""Where settings have an effect, as effects.yaml says. One that is given elsewhere changes nothing."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

FILE = Path(__file__).with_suffix(".yaml")


class SettingEffect(NamedTuple):
    """Where a setting has an effect."""

    needs: Mapping[str, Sequence[object]]
    """Values of other settings, or facts about a run: one of them each."""
    because: str
    """Why it has none elsewhere, for users."""


@cache
def effects() -> Mapping[str, SettingEffect]:
    return {name: SettingEffect(**row) for name, row in yaml.safe_load(FILE.read_text("utf-8")).items()}
